#include "outcome.hpp"
#include "run.hpp"
#include "tasks.hpp"
#include "when_all.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace course;
using namespace lab_test;

// ---- Step 7

constexpr const char* all_anchor = "step-7-several-at-once";

lab::task<int> after(gate& opens, int value, std::string& order) {
    order += "s";
    co_await opens;
    order += "e";
    co_return value;
}

TEST(step7, results_are_in_the_order_of_the_tasks) {
    gate first;
    gate second;
    std::string order;
    std::vector<int> results;
    auto outer = [](gate& a, gate& b, std::string& log, std::vector<int>& into) -> lab::task<> {
        std::vector<lab::task<int>> tasks;
        tasks.push_back(after(a, 1, log));
        tasks.push_back(after(b, 2, log));
        into = co_await lab::when_all(std::move(tasks));
    };
    auto work = outer(first, second, order, results);
    work.handle().resume();
    EXPECT_EQ(order, "ss") << why("every task has to start before one is waited for", all_anchor);
    second.open();
    EXPECT_FALSE(work.done()) << why("the caller goes on when the last task has ended, and not the first",
                                     all_anchor);
    first.open();
    ASSERT_TRUE(work.done()) << why("the last task that ends has to resume the caller", all_anchor);
    EXPECT_EQ(results, (std::vector<int>{1, 2}));
}

TEST(step7, tasks_that_end_at_once_do_not_resume_the_caller_too_early) {
    suspect(
        "the count reaches 0 while tasks are still being started, so the caller is resumed inside "
        "await_suspend(), twice: count one more, and "
        "arrive yourself after the last start",
        all_anchor);
    auto outer = []() -> lab::task<int> {
        std::vector<lab::task<int>> tasks;
        for (int at = 0; at < 3; ++at)
            tasks.push_back(twice(at));
        int sum = 0;
        for (const int each : co_await lab::when_all(std::move(tasks)))
            sum += each;
        co_return sum;
    };
    EXPECT_EQ(lab::run(outer()), 6);
}

TEST(step7, no_task_at_all_is_no_reason_to_wait) {
    suspect("nothing was started, so nothing will resume the caller: with no task it must not suspend",
            all_anchor);
    EXPECT_TRUE(lab::run(lab::when_all(std::vector<lab::task<int>>())).empty());
}

TEST(step7, the_first_error_is_thrown_when_all_have_ended) {
    gate opens;
    std::string order;
    auto outer = [](gate& opened, std::string& log) -> lab::task<> {
        std::vector<lab::task<int>> tasks;
        tasks.push_back(failing());
        tasks.push_back(after(opened, 1, log));
        co_await lab::when_all(std::move(tasks));
    };
    auto work = outer(opens, order);
    work.handle().resume();
    EXPECT_FALSE(work.done()) << why(
        "an error of one task must not leave the others running without an owner: wait for all, then throw",
        all_anchor);
    opens.open();
    ASSERT_TRUE(work.done());
    EXPECT_THROW(work.result(), std::runtime_error) << why("the error of a task was lost", all_anchor);
}

TEST(step7, dropping_it_drops_them_all) {
    census counts;
    gate never;
    {
        std::vector<lab::task<>> tasks;
        tasks.push_back(hold(tracked(counts), never));
        tasks.push_back(hold(tracked(counts), never));
        auto work = lab::when_all(std::move(tasks));
        work.handle().resume();
        EXPECT_EQ(never.waiting(), 2u);
    }
    EXPECT_EQ(counts.alive, 0) << why("each branch owns its frame, and when_all owns the branches",
                                      all_anchor);
}

// ---- Step 8

constexpr const char* tuple_anchor = "step-8-several-types";

TEST(step8, results_of_several_types_come_as_a_tuple) {
    bool has_run = false;
    auto name = []() -> lab::task<std::string> { co_return "eddy"; };
    const auto [number, text, nothing] = lab::run(lab::when_all(seven(), name(), note(has_run)));
    EXPECT_EQ(number, 7);
    EXPECT_EQ(text, "eddy");
    EXPECT_TRUE((std::is_same_v<decltype(nothing), const std::monostate>))
        << why("std::monostate stands for the result of a task<void>", tuple_anchor);
    EXPECT_TRUE(has_run);
}

TEST(step8, what_only_moves_is_a_result_too) {
    auto pointer = []() -> lab::task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); };
    auto results = lab::run(lab::when_all(pointer(), seven()));
    EXPECT_EQ(*std::get<0>(results) + std::get<1>(results), 12);
}

TEST(step8, they_run_at_the_same_time) {
    gate opens;
    std::string order;
    auto work = lab::when_all(after(opens, 1, order), after(opens, 2, order));
    work.handle().resume();
    EXPECT_EQ(order, "ss") << why("every task has to start before one is waited for", tuple_anchor);
    opens.open();
    ASSERT_TRUE(work.done());
    EXPECT_EQ(work.result(), std::tuple(1, 2));
}

}  // namespace
