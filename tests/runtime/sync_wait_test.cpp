#include "support/time_bound.hpp"

#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/sync_wait.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::sync_wait_test {
namespace {

using namespace std::chrono_literals;

template <class Argument>
concept can_be_waited_for = requires(Argument&& argument) { sync_wait(std::forward<Argument>(argument)); };

task<int> number(int value) {
    co_await yield();
    co_return value;
}

TEST(sync_wait, gives_the_result_of_a_task) {
    const test::time_bound bound;
    EXPECT_EQ(sync_wait(number(3)), 3);
    auto owned = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(4); };
    EXPECT_EQ(*sync_wait(owned()), 4);
}

TEST(sync_wait, throws_what_leaves_the_task) {
    const test::time_bound bound;
    const auto thrower = []() -> task<> {
        co_await yield();
        throw std::runtime_error("no");
    };
    EXPECT_THROW(sync_wait(thrower()), std::runtime_error);
}

TEST(sync_wait, gives_a_reference_to_what_its_caller_keeps) {
    const test::time_bound bound;
    const auto same = [](std::string& text) -> task<std::string&> { co_return text; };
    std::string text = "kept";
    EXPECT_EQ(&sync_wait(same(text)), &text);
}

TEST(sync_wait, consumes_a_task_that_is_moved_in_and_refuses_one_that_is_not) {
    const test::time_bound bound;
    task<int> named = number(5);
    EXPECT_FALSE(can_be_waited_for<task<int>&>);
    EXPECT_EQ(sync_wait(std::move(named)), 5);
}

TEST(sync_wait, calls_a_function_on_the_worker_for_what_can_be_made_there_only) {
    const test::time_bound bound;
    EXPECT_EQ(worker::current_or_null(), nullptr);
    sync_wait([] { return sleep_for(1ms); });
    const int index = sync_wait([] { return number(static_cast<int>(worker::current().index())); });
    EXPECT_EQ(index, 0);
    EXPECT_THROW(sync_wait([]() -> task<> { throw std::runtime_error("when called"); }), std::runtime_error);
}

/// An awaiter of another library that is done at once and gives what it has.
struct gives_away {
    explicit gives_away(std::string text) : text_(std::move(text)) {}
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    std::string&& await_resume() noexcept { return std::move(text_); }
    std::string text_;
};

TEST(sync_wait, takes_what_is_given_away_by_reference) {
    const test::time_bound bound;
    EXPECT_TRUE((std::same_as<decltype(sync_wait(gives_away("text"))), std::string>));
    EXPECT_EQ(sync_wait(gives_away("a text that is too long to be stored in place")),
              "a text that is too long to be stored in place");
}

TEST(sync_wait, takes_the_options_of_a_runtime) {
    const test::time_bound bound;
    const auto workers = []() -> task<std::size_t> { co_return runtime::current().workers(); };
    EXPECT_EQ(sync_wait(workers()), 1u);
    EXPECT_EQ(sync_wait(workers(), runtime_options().workers(2)), 2u);
}

TEST(sync_wait, takes_only_what_can_be_awaited_or_gives_that) {
    EXPECT_TRUE(can_be_waited_for<task<>>);
    EXPECT_FALSE(can_be_waited_for<int>);
    EXPECT_FALSE(can_be_waited_for<int (*)()>);
    EXPECT_TRUE(can_be_waited_for<task<> (*)()>);
}

#ifndef NDEBUG
TEST(sync_wait_death, is_refused_on_a_worker) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto blocking = []() -> task<> {
        sync_wait(number(1));
        co_return;
    };
    EXPECT_DEATH(run(blocking()), "sync_wait blocks its thread");
}
#endif

}  // namespace
}  // namespace eddy::sync_wait_test
