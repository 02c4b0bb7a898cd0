#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/runtime/detail/clock_watch.hpp>

#include <chrono>
#include <cstdint>
#include <expected>
#include <system_error>

namespace eddy {

/// A clock that runs while the machine is suspended, unlike eddy::clock, and is never set, unlike the wall
/// clock. For a lease, a cache or a session that must not outlast its time because a notebook was closed.
///
///     co_await sleep_until(boot_clock::now() + 10min);
struct boot_clock {
    /// The unit of the clock.
    using duration = std::chrono::nanoseconds;
    /// The type that counts.
    using rep = duration::rep;
    /// The unit of the clock.
    using period = duration::period;
    /// A moment of this clock.
    using time_point = std::chrono::time_point<boot_clock>;
    /// It never goes back.
    static constexpr bool is_steady = true;

    /// The time by the worker's backend. Requires: the caller is on a worker.
    [[nodiscard]] static time_point now() noexcept;
};

/// What sleep_until returns for clocks that may jump: `co_await` it to wait.
///
/// - Cancellation: dropping it ends the wait at once.
/// - Precision: never early by that clock; late as sleep_until() of a deadline is.
/// - Errors: std::system_error if the system has no descriptor (or memory) left by which to watch its clocks.
/// - Cost: a timer of the worker's. While there are such waits, a worker holds one descriptor (a timerfd, on
///   Linux) by which the system reports jumps; making and closing it takes some microseconds.
class [[nodiscard]] clock_sleep_awaiter : public detail::outcome_awaiter<clock_sleep_awaiter> {
public:
    clock_sleep_awaiter(detail::jumping_clock which, std::int64_t time_ns) noexcept
        : waiting_(which, time_ns) {}
    clock_sleep_awaiter(clock_sleep_awaiter&& other) noexcept
        : waiting_(other.waiting_.which(), other.waiting_.time_ns()) {}
    clock_sleep_awaiter& operator=(clock_sleep_awaiter&&) = delete;
    ~clock_sleep_awaiter() = default;

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept;

    /// What awaiting it throws; operation_canceled after interrupt().
    [[nodiscard]] std::expected<void, std::error_code> outcome() const noexcept;
    [[nodiscard]] static const char* what() noexcept { return "sleep until the time of a clock"; }
    [[nodiscard]] bool is_pending() const noexcept { return waiting_.is_linked(); }
    /// Takes the wait back.
    void interrupt() noexcept;

private:
    struct waiter : detail::clock_waiter {
        waiter(detail::jumping_clock by, std::int64_t at_ns) noexcept : clock_waiter(by, at_ns, &wake) {}
        static void wake(detail::clock_waiter& ended, int result) noexcept;
        detail::job* sleeping = nullptr;
        std::error_code error;
    };

    waiter waiting_;
};

/// Waits until the wall clock shows `time`, or more; lets other tasks run first if it does already. It
/// follows that clock: set ahead past the time, the wait ends; set back, it takes longer; and when the
/// machine has been suspended, the time of that has passed. Use it for an appointment with the outside world;
/// for a length of time use sleep_for(). To wait for the end of a local day, compute it again after each
/// wait: the rules may change meanwhile.
[[nodiscard]] clock_sleep_awaiter sleep_until(std::chrono::system_clock::time_point time) noexcept;

/// Waits until boot_clock shows `time`, or more; lets other tasks run first if it does already. Time in which
/// the machine was suspended counts: a wait that expires meanwhile ends when the machine resumes.
[[nodiscard]] clock_sleep_awaiter sleep_until(boot_clock::time_point time) noexcept;

}  // namespace eddy
