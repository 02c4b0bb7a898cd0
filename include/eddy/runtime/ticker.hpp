#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <system_error>
#include <utility>

namespace eddy {

/// What a ticker does about missed ticks. A tick is missed if the next one is due before it was taken.
enum class missed_ticks : std::uint8_t {
    skip,   ///< they are skipped: the last that is due is returned, the next comes when it would have anyway
    burst,  ///< each is returned, one after the other without a wait, until the ticker has caught up
    delay,  ///< the next is due one period after the late one was taken, and so are all that follow
};

/// How a ticker is made. Setters chain.
class ticker_options {
public:
    ticker_options() noexcept = default;

    /// skip by default: ticks keep to their times, and a worker that was busy is not busier for it.
    ticker_options& missed(missed_ticks policy) noexcept {
        missed_ = policy;
        return *this;
    }
    /// The first tick is due at once instead of after one period.
    ticker_options& at_once(bool is_on) noexcept {
        at_once_ = is_on;
        return *this;
    }

    [[nodiscard]] missed_ticks missed() const noexcept { return missed_; }
    [[nodiscard]] bool at_once() const noexcept { return at_once_; }

private:
    missed_ticks missed_ = missed_ticks::skip;
    bool at_once_ = false;
};

/// Which tick of a ticker it is.
class tick {
public:
    /// Made by a ticker.
    tick(std::uint64_t number, time_point due) noexcept : number_(number), due_(due) {}

    /// Counts from 1, or from 0 for one that was due at once: how many periods had passed. Where ticks were
    /// skipped, so are their numbers.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
    /// When it was due.
    [[nodiscard]] time_point due() const noexcept { return due_; }

private:
    std::uint64_t number_;
    time_point due_;
};

/// Ticks at a steady pace: each tick is due one period after the one before was due, whatever happens in
/// between, so that errors do not add up.
///
///     ticker every(10ms);
///     while (auto tick = co_await every.next())
///         ...
///
/// - Ownership: moves and does not copy. Requires: no task awaits next() then, nor when it is destroyed.
/// - Cancellation: dropping next() disarms it and loses no tick: one that is due stays for the next next().
/// - Precision: as sleep_until(): never early, late by what the worker does meanwhile.
/// - Thread safety: none; it belongs to the worker on which it was made.
/// - Cost: a timer of the worker's, armed while next() waits. No allocation and no system call.
class ticker {
public:
    class next_awaiter;

    /// Requires: `period` is above zero; the caller is on a worker.
    explicit ticker(duration period, ticker_options options = {}) noexcept;
    ticker(ticker&& other) noexcept;
    ticker& operator=(ticker&& other) noexcept;
    ~ticker() { assert_nobody_waits(); }

    /// Waits for the next tick. Returns nothing once the ticker was stopped. A tick that is due already comes
    /// after what else is ready has run. One task at a time.
    [[nodiscard]] next_awaiter next() noexcept;

    /// No more ticks, not even one that is due: next() returns nothing from now on, also a waiting one.
    void stop() noexcept;

    /// The time between two ticks.
    [[nodiscard]] duration period() const noexcept { return period_; }

private:
    void assert_nobody_waits() const noexcept {
        EDDY_ASSERT(waiting_ == nullptr, "a ticker stays where it is while a task waits for it");
    }
    [[nodiscard]] tick take(time_point now) noexcept;

    duration period_;
    time_point due_;        // of the next tick
    std::uint64_t number_;  // of the next tick
    missed_ticks missed_;
    bool is_stopped_ = false;
    next_awaiter* waiting_ = nullptr;
};

/// What next() returns: await it.
class [[nodiscard]] ticker::next_awaiter : public detail::outcome_awaiter<ticker::next_awaiter> {
public:
    explicit next_awaiter(ticker& awaited) noexcept : ticker_(awaited), timer_(*this) {}
    next_awaiter(next_awaiter&& other) noexcept : ticker_(other.ticker_), timer_(*this) {}
    next_awaiter& operator=(next_awaiter&&) = delete;
    ~next_awaiter() { forget(); }

    bool await_ready() const noexcept { return ticker_.is_stopped_; }
    void await_suspend(detail::suspension point) noexcept;
    /// The tick, or operation_canceled after interrupt().
    std::expected<std::optional<tick>, std::error_code> outcome() noexcept;
    [[nodiscard]] static const char* what() noexcept { return "ticker"; }
    [[nodiscard]] bool is_pending() const noexcept { return is_pending_; }
    /// Takes the wait back; a tick stays for the next next().
    void interrupt() noexcept {
        forget();
        is_interrupted_ = true;
    }

private:
    friend ticker;
    struct waking_timer : detail::timer {
        explicit waking_timer(next_awaiter& waiting) noexcept : timer(&fired), owner(waiting) {}
        static void fired(detail::timer& due) noexcept { static_cast<waking_timer&>(due).owner.wake(); }
        void disarm() noexcept { unlink(); }
        next_awaiter& owner;
    };

    void wake() noexcept;
    void forget() noexcept;

    ticker& ticker_;
    waking_timer timer_;
    detail::job* waiter_ = nullptr;
    bool is_pending_ = false;
    bool is_interrupted_ = false;
};

inline ticker::next_awaiter ticker::next() noexcept {
    return next_awaiter(*this);
}

}  // namespace eddy
