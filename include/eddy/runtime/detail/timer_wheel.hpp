#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/detail/intrusive_list.hpp>

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
    /// Requires: it was armed for a deadline, or timer_wheel::start() was called since.
    [[nodiscard]] time_point deadline() const noexcept { return deadline_; }

private:
    friend class timer_wheel;
    fired_function fired_;
    time_point deadline_{};  // until it is started: of a clock that begins now
};

/// The timers of one worker: a hierarchical wheel of 9 levels of 64 slots, whose lowest slots are 4.1 us
/// wide. Arming and disarming are O(1) and allocate nothing. Slots only sort: a timer fires in the first call
/// of advance() whose time is not before its deadline, those of one call in the order of their deadlines.
///
/// A crowd, a slot of a higher level with many timers in it, is spread over the levels below ahead of its
/// time and a few timers at a time. So advance() takes little time even where a million timers are armed.
///
/// Thread safety: none; belongs to its worker.
class timer_wheel {
public:
    explicit timer_wheel(time_point now) noexcept : elapsed_(floor_tick(now)) {}
    timer_wheel(const timer_wheel&) = delete;
    timer_wheel& operator=(const timer_wheel&) = delete;

    /// Requires: the timer is not armed.
    void arm(timer& armed, time_point deadline) noexcept {
        armed.deadline_ = deadline;
        insert(armed);
    }
    /// Arms it for a time from the next start() on, so that many that are armed in between need the clock be
    /// read only once. Requires: the timer is not armed; `length` is not negative.
    void arm_after(timer& armed, duration length) noexcept {
        armed.deadline_ = time_point(length);
        unstarted_.push_back(armed);
    }
    /// Nothing happens if the timer is not armed.
    void disarm(timer& armed) noexcept { armed.unlink(); }

    /// Whether start() has something to do.
    [[nodiscard]] bool has_unstarted() const noexcept { return !unstarted_.empty(); }
    /// Sets the deadlines of timers that were armed for a time from now on. Requires: `now` was read after
    /// they were armed.
    void start(time_point now) noexcept;

    /// Fires every timer whose deadline is not after `now`. Returns how many.
    std::size_t advance(time_point now) noexcept;

    /// When advance() has to be called next, the next deadline or sooner. Nothing if no slot is occupied.
    [[nodiscard]] std::optional<time_point> next_due() const noexcept;

    /// How many timers are armed, by walking.
    [[nodiscard]] std::size_t count_armed() const noexcept;

private:
    static constexpr unsigned tick_shift = 12;
    static constexpr unsigned slot_bits = 6;
    static constexpr unsigned slots = 1U << slot_bits;
    static constexpr unsigned levels = 9;

    // A slot of level 1 is reached every 262 us and one of level 6 in 78 hours: the former holds few timers,
    // the latter may take its time.
    static constexpr unsigned lowest_crowd = 2;
    static constexpr unsigned highest_crowd = 5;
    static constexpr unsigned crowds = highest_crowd - lowest_crowd + 1;

    static std::uint64_t floor_tick(time_point at) noexcept {
        const duration::rep count = at.time_since_epoch().count();
        return static_cast<std::uint64_t>(count > 0 ? count : 0) >> tick_shift;
    }
    static time_point time_of(std::uint64_t tick) noexcept {
        return time_point(duration(static_cast<duration::rep>(tick << tick_shift)));
    }

    using slot_list = intrusive_list<timer, timer_tag>;

    struct level_slots {
        void add(timer& added, std::uint64_t tick, unsigned level) noexcept;
        [[nodiscard]] std::size_t count() const noexcept;

        std::uint64_t occupied = 0;  // may say yes for a slot that was emptied by disarm()
        // How many timers have come to a slot since it was reached last, those that have left included.
        std::array<std::uint32_t, slots> arrivals{};
        std::array<slot_list, slots> lists;
    };
    struct place {
        unsigned level;
        unsigned slot;
        std::uint64_t tick;  // at which the slot begins
    };
    // What was taken out of the next slot of a level, as the levels below it will be once that is reached.
    struct spread_crowd {
        slot_list due;
        std::array<level_slots, highest_crowd> below;
    };

    [[nodiscard]] static unsigned level_of(std::uint64_t tick, std::uint64_t now_tick) noexcept;
    [[nodiscard]] place place_of(unsigned level, unsigned slot) const noexcept;
    [[nodiscard]] std::optional<place> next_place() const noexcept;
    [[nodiscard]] std::optional<place> next_crowd(unsigned level) const noexcept;
    [[nodiscard]] std::uint64_t spread_tick(const place& crowd) const noexcept;
    void insert(timer& armed) noexcept;
    [[nodiscard]] time_point next_due_in(const place& at) const noexcept;
    std::size_t fire(time_point now) noexcept;
    void reach(const place& reached) noexcept;
    void take_spread(const place& reached) noexcept;
    void spread_crowds() noexcept;
    void spread(const place& crowd) noexcept;

    // Every timer in a slot is due in a tick after elapsed_. It stands in the level of the highest 6-bit
    // digit in which its tick differs from elapsed_, so that a lower level always comes before a higher one.
    std::uint64_t elapsed_;
    slot_list due_;                                // in this tick or before
    time_point earliest_due_ = time_point::max();  // of those in due_ and of some that have left it
    slot_list unstarted_;
    std::array<level_slots, levels> levels_;
    std::array<spread_crowd, crowds> spread_;
};

}  // namespace eddy::detail
