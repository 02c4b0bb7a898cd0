#include "support/time_bound.hpp"
#include "testing/sample_scenarios.hpp"

#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::fail_allocation_everywhere_test {
namespace {

using namespace std::chrono_literals;
using eddy::testing::fail_allocation_everywhere;
using eddy::testing::replaces_new;
using eddy::testing::scenario_options;

scenario_options impatient() {
    return scenario_options().settle_max(200ms).findings_max(1);
}

// -- what is right --

task<> does_nothing() {
    co_return;
}

TEST(failing_allocations, are_the_frame_and_the_job_at_least) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&does_nothing);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 2U);
    EXPECT_EQ(found.runs(), 3U);
}

TEST(failing_allocations, are_only_some_if_the_tool_is_told_so) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&does_nothing, scenario_options().stride(2));
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 1U) << "the frame's";
}

// Compilers leave out an allocation that nobody sees.
const void* volatile seen_allocation = nullptr;

task<> allocates_in_four_ways() {
    const auto one = std::make_unique<int>(1);
    seen_allocation = one.get();
    const auto several = std::make_unique<int[]>(3);
    seen_allocation = several.get();
    struct alignas(128) aligned {
        int value = 0;
    };
    const auto wide = std::make_unique<aligned>();
    seen_allocation = wide.get();
    const std::unique_ptr<int> tried(new (std::nothrow) int(4));
    seen_allocation = tried.get();
    co_return;
}

TEST(failing_allocations, are_those_of_operator_new_where_it_is_replaced) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&allocates_in_four_ways);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), replaces_new ? 2U + 4U : 2U);
}

TEST(failing_allocations, leave_nothing_of_what_is_right) {
    const test::time_bound bound;
    for (const auto scenario : {&test::yields_three_times, &test::sleeps, &test::echoes, &test::offloads,
                                &test::fills_a_set, &test::times_out}) {
        const auto found = fail_allocation_everywhere(scenario);
        EXPECT_TRUE(found) << found.message();
        EXPECT_GE(found.points(), 2U);
    }
}

TEST(failing_allocations, leave_nothing_of_a_task_on_another_worker) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&test::calls_another_worker,
                                                  scenario_options().runtime(runtime_options().workers(2)));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GE(found.points(), 3U);
}

// Ends as it should whatever fails there: its caller does not notice.
task<> hides_what_fails_elsewhere() {
    auto remote = runtime::current().spawn_on(1, [] {
        try {
            const auto one = std::make_unique<int>(1);
            seen_allocation = one.get();
        } catch (const std::bad_alloc&) {
            return 7;
        }
        return 8;
    });
    const int got = co_await remote;
    test::require(got == 8, "something has failed elsewhere");
}

TEST(failing_allocations, are_those_of_each_worker) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(
        &hides_what_fails_elsewhere, impatient().runtime(runtime_options().workers(2)).findings_max(9));
    ASSERT_EQ(found.findings().size(), replaces_new ? 1U : 0U) << found.message();
    if (replaces_new) {
        EXPECT_TRUE(found.findings()[0].ends_with(
            "of worker 1 failed: an exception left the scenario: something has failed elsewhere"))
            << found.message();
    }
}

task<> maps_to_an_error() {
    try {
        co_await does_nothing();
    } catch (const std::bad_alloc&) {
        throw std::system_error(std::make_error_code(std::errc::not_enough_memory));
    }
}

TEST(failing_allocations, may_come_out_as_a_system_error) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&maps_to_an_error);
    EXPECT_TRUE(found) << found.message();
    EXPECT_EQ(found.points(), 3U);
}

// -- what is wrong --

task<> swallows_and_leaks(std::vector<std::coroutine_handle<>>& left) {
    std::coroutine_handle<> frame = does_nothing().release();
    try {
        co_await does_nothing();
    } catch (const std::bad_alloc&) {
        left.push_back(frame);
        co_return;
    }
    frame.destroy();
}

TEST(failing_allocations, find_who_swallows_one_and_leaks) {
    const test::time_bound bound;
    std::vector<std::coroutine_handle<>> left;
    left.reserve(100);
    const auto found = fail_allocation_everywhere([&left] { return swallows_and_leaks(left); }, impatient());
    EXPECT_EQ(found.findings(), std::vector<std::string>{"allocation 4 failed: left behind frames +1"});
    for (const auto frame : left)
        frame.destroy();
}

task<> says_something_else() {
    try {
        co_await does_nothing();
    } catch (const std::bad_alloc&) {
        throw std::logic_error("something else");
    }
}

TEST(failing_allocations, find_another_exception) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&says_something_else, impatient());
    EXPECT_EQ(found.findings(), std::vector<std::string>{
                                    "allocation 3 failed: an exception left the scenario: something else"});
}

task<> throws_anyway() {
    throw std::bad_alloc();
    co_return;
}

TEST(failing_allocations, find_an_exception_that_nobody_caused) {
    const test::time_bound bound;
    const auto found = fail_allocation_everywhere(&throws_anyway, impatient());
    ASSERT_EQ(found.findings().size(), 1U) << found.message();
    EXPECT_TRUE(found.findings()[0].starts_with("no allocation failed: an exception left the scenario: "))
        << found.message();
}

}  // namespace
}  // namespace eddy::fail_allocation_everywhere_test
