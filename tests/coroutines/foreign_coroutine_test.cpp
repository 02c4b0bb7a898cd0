#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <coroutine>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::foreign_coroutine_test {
namespace {

/// A lazy coroutine as other libraries have it, with symmetric transfer and no knowledge of eddy.
class foreign {
public:
    struct promise_type {
        foreign get_return_object() {
            return foreign(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct final_awaiter {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
                const auto next = ended.promise().continuation;
                return next ? next : std::noop_coroutine();
            }
            void await_resume() noexcept {}
        };
        final_awaiter final_suspend() noexcept { return {}; }
        void return_value(int value) noexcept { result = value; }
        void unhandled_exception() noexcept { error = std::current_exception(); }

        std::coroutine_handle<> continuation;
        int result = 0;
        std::exception_ptr error;
    };

    explicit foreign(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    foreign(foreign&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    foreign& operator=(foreign&&) = delete;
    ~foreign() {
        if (frame_)
            frame_.destroy();
    }

    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> parent) {
        frame_.promise().continuation = parent;
        return frame_;
    }
    int await_resume() {
        if (frame_.promise().error)
            std::rethrow_exception(frame_.promise().error);
        return frame_.promise().result;
    }

    /// For a root.
    void start() { frame_.resume(); }
    [[nodiscard]] bool done() const { return frame_.done(); }

private:
    std::coroutine_handle<promise_type> frame_;
};

task<int> number(int value) {
    co_return value;
}

task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}

foreign foreign_number(int value) {
    co_return value;
}

foreign foreign_around(test::gate& opened, int value) {
    co_return 1 + co_await number_after(opened, value);
}

task<int> task_around_foreign(test::gate& opened, int value) {
    co_return 10 + co_await foreign_around(opened, value);
}

TEST(task_with_foreign_coroutines, awaits_one_that_finishes_at_once) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        int sum = 0;
        for (int at = 0; at < 1000; ++at)
            sum += co_await foreign_number(1) + co_await number(1);
        co_return sum;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 2000);
}

TEST(task_with_foreign_coroutines, is_awaited_by_one_and_suspends_inside) {
    test::manual_loop loop;
    test::gate opened;
    auto running = spawn(task_around_foreign(opened, 5));
    loop.run();
    EXPECT_FALSE(running.done());
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), 16);
}

TEST(task_with_foreign_coroutines, is_dropped_through_one) {
    test::manual_loop loop;
    test::gate never;
    auto running = spawn(task_around_foreign(never, 5));
    loop.run();
    EXPECT_TRUE(never.has_waiter());
    running.cancel();
    EXPECT_FALSE(never.has_waiter());
}

TEST(task_with_foreign_coroutines, brings_exceptions_through_one) {
    test::manual_loop loop;
    const auto thrower = []() -> task<int> {
        co_await yield();
        throw std::runtime_error("no");
    };
    const auto around = [](auto work) -> foreign { co_return co_await work(); };
    const auto outermost = [](auto work, auto wrap) -> task<std::string> {
        try {
            co_await wrap(work);
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    auto running = spawn(outermost(thrower, around));
    loop.run();
    EXPECT_EQ(running.get(), "no");
}

TEST(task_with_foreign_coroutines, runs_in_one_that_is_no_job) {
    const auto root = []() -> foreign { co_return co_await number(3) + co_await number(4); };
    foreign outermost = root();
    outermost.start();
    ASSERT_TRUE(outermost.done());
    EXPECT_EQ(outermost.await_resume(), 7);
}

/// An awaitable that resumes its waiter inside await_suspend, as eager libraries do.
struct resumes_at_once {
    resumes_at_once() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) const { point.resume(); }
    int await_resume() const noexcept { return 2; }
};

TEST(task_with_foreign_awaitables, goes_on_when_resumed_inside_await_suspend) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        const int first = co_await resumes_at_once();
        const int second = co_await number(40);
        co_await yield();
        co_return first + second;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 42);
}

TEST(task_with_foreign_awaitables, awaits_the_standard_ones) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        co_await std::suspend_never{};
        co_return 1;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 1);
}

}  // namespace
}  // namespace eddy::foreign_coroutine_test
