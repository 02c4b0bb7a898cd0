#pragma once

#include "support/list.hpp"
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
    void add(timer& added) {
        const std::uint64_t tick = std::max(tick_at_or_after(added.at), current_);
        // The highest bit in which the tick differs from the current one selects the wheel.
        const int wheel = (std::bit_width((tick ^ current_) | 1) - 1) / bits;
        const std::size_t index = (tick >> (wheel * bits)) % slots;
        added.number = tick;
        added.place = static_cast<std::size_t>(wheel) * slots + index;
        lists_[added.place].push_back(added);
        occupied_[static_cast<std::size_t>(wheel)] |= std::uint64_t{1} << index;
    }

    /// Does nothing if the timer is in no queue.
    void remove(timer& removed) noexcept {
        if (removed.place == timer::nowhere)
            return;
        const std::size_t place = std::exchange(removed.place, timer::nowhere);
        removed.unlink();
        if (lists_[place].empty())
            occupied_[place / slots] &= ~(std::uint64_t{1} << place % slots);
    }

    /// Takes out a timer that is due at `now`, earlier ticks first, and those of the same tick in the order in which
    /// they were added. Null if none is due.
    timer* pop_due(time_point now) {
        const std::uint64_t end = tick_at_or_before(now);
        for (;;) {
            const std::optional<slot> earliest = earliest_slot();
            if (!earliest || earliest->tick > end) {
                current_ = std::max(current_, end);
                return nullptr;
            }
            current_ = earliest->tick;
            if (earliest->wheel == 0) {
                timer& due = lists_[earliest->place].front();
                remove(due);
                return &due;
            }
            spread(earliest->place);
        }
    }

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

    [[nodiscard]] std::optional<slot> earliest_slot() const {
        for (std::size_t wheel = 0; wheel < wheels; ++wheel)
            if (occupied_[wheel] != 0) {
                const auto index = static_cast<std::size_t>(std::countr_zero(occupied_[wheel]));
                const std::size_t shift = wheel * bits;
                const std::uint64_t turn = current_ >> shift >> bits << bits;
                return slot{wheel, wheel * slots + index, (turn + index) << shift};
            }
        return std::nullopt;
    }

    /// Moves the timers of a slot whose time has come to finer wheels.
    void spread(std::size_t place) {
        course::list<timer> moved;
        moved.append(lists_[place]);
        occupied_[place / slots] &= ~(std::uint64_t{1} << place % slots);
        while (!moved.empty())
            add(moved.pop_front());
    }

    std::uint64_t current_;  // nothing is due before it
    std::array<std::uint64_t, wheels> occupied_{};
    std::array<course::list<timer>, wheels * slots> lists_;
};

}  // namespace lab
