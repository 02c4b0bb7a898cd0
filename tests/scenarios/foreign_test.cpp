// Awaitables that know nothing of this library.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <chrono>
#include <coroutine>
#include <system_error>
#include <thread>
#include <utility>

namespace eddy::test::foreign_test {
namespace {

using namespace std::chrono_literals;

/// Resumes inside its own await_suspend.
class resumed_in_place {
public:
    explicit resumed_in_place(int value) noexcept : value_(value) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) const { point.resume(); }
    int await_resume() const noexcept { return value_; }

private:
    int value_;
};

/// Goes on without a suspension, either way that an awaiter may say so.
class goes_on_at_once {
public:
    explicit goes_on_at_once(bool is_ready) noexcept : is_ready_(is_ready) {}
    bool await_ready() const noexcept { return is_ready_; }
    bool await_suspend(std::coroutine_handle<>) const noexcept { return false; }
    void await_resume() const noexcept {}

private:
    bool is_ready_;
};

/// Resumes from a thread of its own, which its destructor joins.
class resumed_by_a_thread {
public:
    explicit resumed_by_a_thread(int value) noexcept : value_(value) {}
    resumed_by_a_thread(resumed_by_a_thread&&) noexcept = default;
    resumed_by_a_thread& operator=(resumed_by_a_thread&&) = delete;
    ~resumed_by_a_thread() {
        if (thread_.joinable())
            thread_.join();
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> point) {
        thread_ = std::thread([point] { point.resume(); });
    }
    int await_resume() const {
        if (value_ < 0)
            throw planned_failure();
        return value_;
    }

private:
    int value_;
    std::thread thread_;
};

/// Is never resumed; may be dropped at any time.
class never_resumed {
public:
    never_resumed() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

task<> awaiters_that_resume_in_place() {
    const int one = co_await resumed_in_place(1);
    resumed_in_place kept(2);
    const int two = co_await kept;
    co_await goes_on_at_once(true);
    co_await goes_on_at_once(false);
    require(one == 1 && two == 2, "another value came");
}

task<int> awaits_a_thread(int value) {
    const tracked local;
    co_return co_await resumed_by_a_thread(value);
}

task<> awaiters_that_other_threads_resume() {
    const int one = co_await resumed_by_a_thread(1);
    const auto [two, three] = co_await when_all(awaits_a_thread(2), awaits_a_thread(3));
    require(one == 1 && two == 2 && three == 3, "another value came");
    co_await expects_failure(awaits_a_thread(-1));
    const auto outcome = co_await as_result(resumed_by_a_thread(4));
    require(outcome.has_value() && *outcome == 4, "another outcome came");
}

task<> waits_for_a_stranger() {
    const tracked local;
    co_await never_resumed();
}

task<> a_foreign_wait_that_is_dropped() {
    const auto late = co_await as_result(with_timeout(waits_for_a_stranger(), 50us));
    require(!late && late.error() == std::errc::timed_out, "nothing was late");
    const auto direct = co_await as_result(with_timeout(never_resumed(), 50us));
    require(!direct && direct.error() == std::errc::timed_out, "nothing was late");
    require(tracked::living() == 0, "a task that is late lives on");
    const auto in_time = co_await with_timeout(resumed_by_a_thread(5), 1h);
    require(in_time == 5, "another value came");
}

const scenario_suite listed({
    listed_scenario("awaiters_that_resume_in_place", &awaiters_that_resume_in_place).suspensions_min(2),
    listed_scenario("awaiters_that_other_threads_resume", &awaiters_that_other_threads_resume)
        .suspensions_min(5),
    listed_scenario("a_foreign_wait_that_is_dropped", &a_foreign_wait_that_is_dropped).suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::foreign_test
