#pragma once

#include <eddy/core/job.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/runtime/boot_clock.hpp>
#include <eddy/runtime/clock_watch.hpp>

#include <chrono>
#include <cstdint>
#include <expected>
#include <system_error>

namespace eddy {

/// What sleep_until gives for clocks that may jump: `co_await` it to wait.
///
/// - Cancellation: dropping it takes it back, at once.
/// - Precision: never early by that clock; late as sleep_until() of a deadline is.
/// - Errors: std::system_error if the system has no descriptor (or memory) left by which to watch its clocks.
/// - Cost: a timer of the worker's. While there are such waits, a worker holds one descriptor (a timerfd, on
///   Linux) by which the system tells of jumps; making and closing it takes some microseconds.
class [[nodiscard]] clock_sleep_awaiter {
public:
    clock_sleep_awaiter(detail::jumping_clock which, std::int64_t time_ns) noexcept
        : waiting_(which, time_ns) {}
    clock_sleep_awaiter(clock_sleep_awaiter&& other) noexcept
        : waiting_(other.waiting_.which(), other.waiting_.time_ns()) {}
    clock_sleep_awaiter& operator=(clock_sleep_awaiter&&) = delete;
    ~clock_sleep_awaiter() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept;
    void await_resume() const;

    /// The same without throwing; operation_canceled after interrupt().
    [[nodiscard]] std::expected<void, std::error_code> outcome() const noexcept;
    [[nodiscard]] bool is_pending() const noexcept { return waiting_.is_linked(); }
    /// Takes the wait back.
    void interrupt() noexcept;

private:
    struct waiter : detail::clock_waiter {
        waiter(detail::jumping_clock clock, std::int64_t at_ns) noexcept
            : clock_waiter(clock, at_ns, &wake) {}
        static void wake(detail::clock_waiter& ended, int result) noexcept;
        detail::job* sleeping = nullptr;
        std::error_code error;
    };

    waiter waiting_;
};

/// Waits until the wall clock shows `time`, or more; lets others go first if it does already. It follows that
/// clock: set ahead past the time, the wait ends; set back, it takes longer; and when the machine has been
/// suspended, the time of that has passed. For an appointment with the world outside, then; to wait for a
/// length of time, there is sleep_for(). The end of a local day is computed again by who waits for it: rules
/// may change meanwhile.
[[nodiscard]] clock_sleep_awaiter sleep_until(std::chrono::system_clock::time_point time) noexcept;

/// Waits until boot_clock shows `time`, or more; lets others go first if it does already. Time in which the
/// machine was suspended counts: what is over by then ends when the machine goes on.
[[nodiscard]] clock_sleep_awaiter sleep_until(boot_clock::time_point time) noexcept;

}  // namespace eddy
