#include "support/run_bounded.hpp"

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <utility>

namespace eddy::ready_or_task_test {
namespace {

ready_or_task<> done_at_once() {
    return {};
}
ready_or_task<> a_coroutine_that_does_not_wait() {
    co_return;
}
ready_or_task<> a_coroutine_that_waits(int& steps) {
    ++steps;
    co_await yield();
    ++steps;
}
ready_or_task<> with_a_rest(int& steps) {
    return [](int& counted) -> task<> {
        co_await yield();
        ++counted;
    }(steps);
}
ready_or_task<std::unique_ptr<int>> a_value_at_once() {
    return std::make_unique<int>(7);
}
ready_or_task<std::unique_ptr<int>> a_value_later() {
    co_await yield();
    co_return std::make_unique<int>(8);
}
ready_or_task<> fails_later() {
    co_await yield();
    throw std::runtime_error("later");
}

TEST(ready_or_task, that_is_done_is_awaited_without_a_suspension) {
    EXPECT_TRUE(done_at_once().is_done());
    test::run_bounded([]() -> task<> { co_await done_at_once(); }());
}

TEST(ready_or_task, may_be_the_return_type_of_a_coroutine) {
    test::run_bounded([]() -> task<> {
        int steps = 0;
        co_await a_coroutine_that_does_not_wait();
        ready_or_task<> waiting = a_coroutine_that_waits(steps);
        EXPECT_FALSE(waiting.is_done());
        EXPECT_EQ(steps, 0);
        co_await std::move(waiting);
        EXPECT_EQ(steps, 2);
        ready_or_task<> dropped = a_coroutine_that_waits(steps);
    }());
}

TEST(ready_or_task, may_hold_a_task_with_the_rest) {
    test::run_bounded([]() -> task<> {
        int steps = 0;
        co_await with_a_rest(steps);
        EXPECT_EQ(steps, 1);
    }());
}

TEST(ready_or_task, gives_a_value_at_once_or_later) {
    test::run_bounded([]() -> task<> {
        EXPECT_EQ(*co_await a_value_at_once(), 7);
        EXPECT_EQ(*co_await a_value_later(), 8);
    }());
}

TEST(ready_or_task, throws_what_the_rest_throws) {
    EXPECT_THROW(test::run_bounded([]() -> task<> { co_await fails_later(); }()), std::runtime_error);
}

}  // namespace
}  // namespace eddy::ready_or_task_test
