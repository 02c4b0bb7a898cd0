#include <eddy/core/awaitable.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <memory>
#include <string>
#include <type_traits>

namespace eddy::awaitable_test {
namespace awaited {

template <class Suspends, class Result>
struct scripted {
    bool await_ready();
    Suspends await_suspend(std::coroutine_handle<>);
    Result await_resume();
};

struct with_member {
    scripted<void, long> operator co_await() &&;
};
struct with_free {};
scripted<bool, std::string&> operator co_await(const with_free&);
struct promise_of_another;
struct for_one_promise {
    bool await_ready();
    void await_suspend(std::coroutine_handle<promise_of_another>);
    void await_resume();
};

}  // namespace awaited

namespace {

using awaited::scripted;

TEST(awaiter, may_say_in_three_ways_how_it_suspends) {
    EXPECT_TRUE((awaiter<scripted<void, int>>));
    EXPECT_TRUE((awaiter<scripted<bool, int>>));
    EXPECT_TRUE((awaiter<scripted<std::coroutine_handle<>, int>>));
    EXPECT_TRUE((awaiter<scripted<std::coroutine_handle<std::noop_coroutine_promise>, int>>));
    EXPECT_FALSE((awaiter<scripted<int, int>>));
    EXPECT_FALSE((awaiter<scripted<std::string, int>>));
    EXPECT_TRUE(awaiter<std::suspend_always>);
    EXPECT_FALSE(awaiter<awaited::for_one_promise>);
    EXPECT_FALSE(awaiter<int>);
}

TEST(awaitable, is_an_awaiter_or_has_an_operator) {
    EXPECT_TRUE((awaitable<scripted<void, int>>));
    EXPECT_TRUE((awaitable<scripted<void, int>&>));
    EXPECT_TRUE(awaitable<awaited::with_member>);
    EXPECT_FALSE(awaitable<awaited::with_member&>) << "its operator consumes it";
    EXPECT_TRUE(awaitable<awaited::with_free>);
    EXPECT_TRUE(awaitable<const awaited::with_free&>);
    EXPECT_FALSE(awaitable<int>);
    EXPECT_FALSE(awaitable<void>);
    EXPECT_FALSE(awaitable<std::string&>);
}

TEST(awaitable, is_what_the_library_has) {
    EXPECT_TRUE(awaitable<task<>>);
    EXPECT_FALSE(awaitable<task<>&>) << "a task is consumed";
    EXPECT_TRUE(awaitable<ready_or_task<int>>);
    EXPECT_FALSE(awaitable<ready_or_task<int>&>);
    EXPECT_TRUE(awaitable<handle<int>&>);
    EXPECT_TRUE(awaitable<yield>);
}

TEST(await_result, is_what_co_await_gives) {
    EXPECT_TRUE((std::same_as<await_result_t<task<>>, void>));
    EXPECT_TRUE((std::same_as<await_result_t<task<int&>>, int&>));
    EXPECT_TRUE((std::same_as<await_result_t<ready_or_task<int>>, int>));
    EXPECT_TRUE((std::same_as<await_result_t<handle<std::unique_ptr<int>>&>, std::unique_ptr<int>>));
    EXPECT_TRUE((std::same_as<await_result_t<awaited::with_member>, long>));
    EXPECT_TRUE((std::same_as<await_result_t<awaited::with_free&>, std::string&>));
    EXPECT_TRUE((std::same_as<await_result_t<scripted<void, int&&>>, int&&>));
}

TEST(awaitable_of, compares_what_it_gives) {
    EXPECT_TRUE((awaitable_of<task<int>, long>));
    EXPECT_FALSE((awaitable_of<task<int>, std::string>));
    EXPECT_TRUE((awaitable_of<task<>, void>));
    EXPECT_FALSE((awaitable_of<int, int>));
}

}  // namespace
}  // namespace eddy::awaitable_test
