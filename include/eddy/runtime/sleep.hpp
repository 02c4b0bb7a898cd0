#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <coroutine>

namespace eddy {

/// What sleep_for and sleep_until return: `co_await` it to wait.
///
/// - Cancellation: dropping it disarms the timer, O(1). No system call either way.
/// - Precision: to the nanosecond, never early; late by what the system takes to wake the thread (on epoll,
///   where timers follow each other soon, up to 50 us more, see docs/guide/time.md) and by what the worker is
///   busy with.
class [[nodiscard]] sleep_awaiter {
public:
    explicit sleep_awaiter(time_point deadline) noexcept : timer_(deadline) {}
    sleep_awaiter(sleep_awaiter&& other) noexcept : timer_(other.timer_.wanted) {}
    sleep_awaiter& operator=(sleep_awaiter&&) = delete;
    ~sleep_awaiter() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        detail::worker_core& here = detail::worker_core::current();
        timer_.waiter = &here.loop().suspend(point);
        here.timers().arm(timer_, timer_.wanted);
    }
    void await_resume() const noexcept {}

private:
    struct waking_timer : detail::timer {
        explicit waking_timer(time_point deadline) noexcept : timer(&wake), wanted(deadline) {}
        static void wake(detail::timer& fired) noexcept {
            auto* const waiter = static_cast<waking_timer&>(fired).waiter;
            waiter->loop().make_ready(*waiter);
        }
        time_point wanted;
        detail::job* waiter = nullptr;
    };

    waking_timer timer_;
};

/// Waits until the worker's clock has reached `deadline`; lets others go first if it has already.
[[nodiscard]] inline sleep_awaiter sleep_until(time_point deadline) noexcept {
    return sleep_awaiter(deadline);
}

/// Waits for at least `length`, from now; for ever, if the clock ends before. Requires: the caller is on a
/// worker.
template <class Rep, class Period>
[[nodiscard]] sleep_awaiter sleep_for(std::chrono::duration<Rep, Period> length) noexcept {
    return sleep_awaiter(detail::deadline_after(worker::current().now(), length));
}

}  // namespace eddy
