#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <expected>
#include <system_error>
#include <utility>

namespace eddy {

/// An alarm that can be set, moved and cancelled any number of times, by other tasks than the one that waits:
/// for events that are repeatedly postponed (a watchdog, an idle connection, a write that gathers) and for
/// waits that other tasks may end. To wait once, sleep_for() is simpler; for a steady pace, a ticker.
///
///     timer idle;
///     idle.expires_after(30s);
///     ...                                             // in another task, at each sign of life:
///     idle.expires_after(30s);
///     ...
///     const bool has_expired = co_await idle.wait();  // false once somebody calls idle.cancel()
///
/// A timer runs from the moment it is set, with or without a waiter.
///
/// - Ownership: neither moves nor copies. Requires: no task waits for it when it is destroyed, which ends it.
/// - Thread safety: none; it belongs to the worker on which it was made.
/// - Cancellation: dropping a wait leaves the timer running and loses nothing: once it has expired, the next
///   wait returns at once.
/// - Precision: as sleep_until(): never early, late by what the worker does meanwhile.
/// - Cost: no allocation and no system call. expires_after() reads no clock: the worker does so once a turn
///   for all timers that were set in it.
class timer {
public:
    class wait_awaiter;

    /// Requires: the caller is on a worker.
    timer() noexcept : home_(detail::worker_core::current()), alarm_(*this) {}
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;
    ~timer() { EDDY_ASSERT(waiting_ == nullptr, "a timer outlives the task that waits for it"); }

    /// Lets it expire once `length` has passed, at once if that is negative, never if the clock ends before.
    /// It counts from the end of the worker's turn, so it is later by what the worker still does in it; for
    /// an exact time use expires_at(). If it was running or had expired, that is forgotten: a waiting task
    /// keeps waiting.
    template <class Rep, class Period>
    void expires_after(std::chrono::duration<Rep, Period> length) noexcept {
        reset();
        home_.timers().arm_after(alarm_, detail::deadline_after({}, length).time_since_epoch());
    }
    /// The same once the worker's clock has reached `deadline`.
    void expires_at(time_point deadline) noexcept {
        reset();
        home_.timers().arm(alarm_, deadline);
    }

    /// Ends it before it expires: a waiting task gets false. Returns whether it was running.
    bool cancel() noexcept;

    /// Whether it was set and has neither expired nor been cancelled.
    [[nodiscard]] bool is_running() const noexcept { return alarm_.is_armed(); }
    /// Whether it has expired since it was set last.
    [[nodiscard]] bool has_expired() const noexcept { return has_expired_; }

    /// Waits until it has expired, and returns true; or until it is cancelled, and returns false. Returns at
    /// once whether it has expired if it is not running. One task at a time.
    [[nodiscard]] wait_awaiter wait() noexcept;

private:
    struct alarm : detail::timer {
        explicit alarm(eddy::timer& set) noexcept : timer(&fire), owner(set) {}
        static void fire(detail::timer& fired) noexcept { static_cast<alarm&>(fired).owner.expire(); }
        void disarm() noexcept { unlink(); }
        eddy::timer& owner;
    };

    void reset() noexcept {
        EDDY_ASSERT(detail::worker_core::current_or_null() == &home_, "a timer belongs to its worker");
        alarm_.disarm();
        has_expired_ = false;
    }
    void expire() noexcept {
        has_expired_ = true;
        end_wait(true);
    }
    void end_wait(bool has_expired) noexcept;

    detail::worker_core& home_;
    alarm alarm_;
    wait_awaiter* waiting_ = nullptr;
    bool has_expired_ = false;
};

/// What wait() returns: await it.
class [[nodiscard]] timer::wait_awaiter : public detail::outcome_awaiter<timer::wait_awaiter> {
public:
    explicit wait_awaiter(timer& awaited) noexcept : timer_(awaited) {}
    wait_awaiter(wait_awaiter&& other) noexcept : timer_(other.timer_) {}
    wait_awaiter& operator=(wait_awaiter&&) = delete;
    ~wait_awaiter() { forget(); }

    bool await_ready() noexcept {
        has_expired_ = timer_.has_expired_;
        return !timer_.is_running();
    }
    void await_suspend(detail::suspension point) noexcept {
        EDDY_CHECK(timer_.waiting_ == nullptr, "one task at a time waits for a timer");
        waiter_ = &timer_.home_.loop().suspend(point);
        timer_.waiting_ = this;
    }
    /// Whether it has expired, or operation_canceled after interrupt().
    std::expected<bool, std::error_code> outcome() const noexcept {
        if (is_interrupted_)
            return std::unexpected(std::make_error_code(std::errc::operation_canceled));
        return has_expired_;
    }
    [[nodiscard]] static const char* what() noexcept { return "timer"; }
    [[nodiscard]] bool is_pending() const noexcept { return timer_.waiting_ == this; }
    /// Takes the wait back; the timer runs on.
    void interrupt() noexcept {
        forget();
        is_interrupted_ = true;
    }

private:
    friend timer;
    void forget() noexcept {
        if (waiter_ != nullptr && is_pending())
            timer_.waiting_ = nullptr;
    }

    timer& timer_;
    detail::job* waiter_ = nullptr;
    bool has_expired_ = false;
    bool is_interrupted_ = false;
};

inline timer::wait_awaiter timer::wait() noexcept {
    return wait_awaiter(*this);
}

inline bool timer::cancel() noexcept {
    EDDY_ASSERT(detail::worker_core::current_or_null() == &home_, "a timer belongs to its worker");
    has_expired_ = false;
    if (!is_running())
        return false;
    alarm_.disarm();
    end_wait(false);
    return true;
}

inline void timer::end_wait(bool has_expired) noexcept {
    if (waiting_ == nullptr)
        return;
    wait_awaiter& ended = *std::exchange(waiting_, nullptr);
    ended.has_expired_ = has_expired;
    ended.waiter_->loop().make_ready(*ended.waiter_);
}

}  // namespace eddy
