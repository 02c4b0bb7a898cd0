#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/base/intrusive_list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace eddy::detail {

struct timer_tag;

/// A deadline that stands in a timer_wheel, placed where it will not move while it is armed. Destroying it
/// disarms it.
class timer : public list_hook<timer_tag> {
public:
    /// Called by timer_wheel::advance once the deadline has passed; the timer is disarmed by then. It runs no
    /// user code.
    using fired_function = void (*)(timer&) noexcept;

    explicit timer(fired_function fired) noexcept : fired_(fired) {}
    ~timer() = default;

    [[nodiscard]] bool is_armed() const noexcept { return is_linked(); }
    [[nodiscard]] time_point deadline() const noexcept { return deadline_; }

private:
    friend class timer_wheel;
    fired_function fired_;
    time_point deadline_{};
};

/// The timers of one worker: a hierarchical wheel of 8 levels of 64 slots, whose lowest slots are 65.5 us
/// wide. Arming and disarming are O(1) and allocate nothing. No timer fires before its deadline; it fires at
/// most one slot after it, plus the time until advance() is called.
///
/// Thread safety: none; belongs to its worker.
class timer_wheel {
public:
    explicit timer_wheel(time_point now) noexcept : elapsed_(floor_tick(now)) {}
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;

    /// Requires: the timer is not armed.
    void arm(timer& armed, time_point deadline) noexcept;
    /// Nothing happens if the timer is not armed.
    void disarm(timer& armed) noexcept { armed.unlink(); }

    /// Fires every timer whose deadline is not after `now`; gives how many.
    std::size_t advance(time_point now) noexcept;

    /// When advance() has to be called next at the latest: not after the next deadline's slot. Nothing if no
    /// slot is occupied.
    [[nodiscard]] std::optional<time_point> next_due() const noexcept;

    /// How many timers are armed, by walking.
    [[nodiscard]] std::size_t count_armed() const noexcept;

private:
    static constexpr unsigned tick_shift = 16;
    static constexpr unsigned slot_bits = 6;
    static constexpr unsigned slots = 1U << slot_bits;
    static constexpr unsigned levels = 8;

    static std::uint64_t floor_tick(time_point at) noexcept {
        return static_cast<std::uint64_t>(at.time_since_epoch().count()) >> tick_shift;
    }
    static std::uint64_t ceil_tick(time_point at) noexcept;
    static time_point time_of(std::uint64_t tick) noexcept;

    struct place {
        unsigned level;
        unsigned slot;
        std::uint64_t tick;  // at which the slot begins
    };
    [[nodiscard]] std::optional<place> next_place() const noexcept;
    void insert(timer& armed, std::uint64_t tick) noexcept;

    using slot_list = intrusive_list<timer, timer_tag>;

    // Every timer in the wheel is due at a tick after elapsed_. It stands in the level of the highest 6-bit
    // digit in which its tick differs from elapsed_, so that a lower level always comes before a higher one.
    std::uint64_t elapsed_;
    slot_list due_;
    std::array<std::uint64_t, levels> occupied_{};  // may say yes for a slot that was emptied by disarm()
    std::array<std::array<slot_list, slots>, levels> slots_;
};

}  // namespace eddy::detail
