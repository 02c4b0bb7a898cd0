#pragma once

#include "support/list.hpp"
#include "support/todo.hpp"
#include "timer.hpp"
#include "waiter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace lab {

/// Timers in wheels of 64 slots, each wheel 64 times as coarse as the one before. Adding and removing take O(1). Time
/// is counted in ticks of a millisecond, rounded up: no timer fires before its time.
class timer_wheel {
public:
    explicit timer_wheel(time_point start) : current_(tick_at_or_before(start)) {}
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;

    [[nodiscard]] bool empty() const noexcept {
        return std::ranges::all_of(occupied_, [](std::uint64_t slots) { return slots == 0; });
    }

    /// When there is something to do next: to fire timers, or to move some to a finer wheel.
    [[nodiscard]] std::optional<time_point> next() const {
        const std::optional<slot> earliest = earliest_slot();
        if (!earliest)
            return std::nullopt;
        return time_of(earliest->tick);
    }

    /// Requires: the timer is in no queue.
    void add(timer&) { course::todo("step 7: timer_wheel::add"); }

    /// Does nothing if the timer is in no queue.
    void remove(timer&) noexcept { course::todo("step 7: timer_wheel::remove"); }

    /// Takes out a timer that is due at `now`, earlier ticks first, and those of the same tick in the order in which
    /// they were added. Null if none is due.
    timer* pop_due(time_point) { course::todo("step 7: timer_wheel::pop_due"); }

private:
    static constexpr int bits = 6;
    static constexpr std::size_t slots = std::size_t{1} << bits;
    static constexpr std::size_t wheels = 8;
    using milliseconds = std::chrono::milliseconds;

    struct slot {
        std::size_t wheel;
        std::size_t place;
        std::uint64_t tick;  // the first that falls into it
    };

    static std::uint64_t tick_at_or_before(time_point at) {
        return static_cast<std::uint64_t>(std::chrono::floor<milliseconds>(at).time_since_epoch().count());
    }
    static std::uint64_t tick_at_or_after(time_point at) {
        const auto rounded = std::chrono::floor<milliseconds>(at);
        const std::int64_t tick = rounded.time_since_epoch().count() + (rounded < at ? 1 : 0);
        // The clock ends within a tick, at which all that is later fires.
        return std::min(static_cast<std::uint64_t>(std::max<std::int64_t>(tick, 0)),
                        tick_at_or_before(time_point::max()));
    }
    static time_point time_of(std::uint64_t tick) {
        return std::chrono::time_point<clock, milliseconds>(milliseconds(tick));
    }

    /// The slot to look at next: the first one of the finest wheel that has any.
    [[nodiscard]] std::optional<slot> earliest_slot() const {
        course::todo("step 7: timer_wheel::earliest_slot");
    }

    /// Moves the timers of a slot whose time has come to finer wheels.
    void spread(std::size_t) { course::todo("step 7: timer_wheel::spread"); }

    std::uint64_t current_;  // nothing is due before it
    std::array<std::uint64_t, wheels> occupied_{};
    // Slot `index` of wheel `wheel` is lists_[wheel * slots + index], and bit `index` of occupied_[wheel].
    std::array<course::list<timer>, wheels * slots> lists_;
};

}  // namespace lab
