#include <eddy/runtime/timer_wheel.hpp>

#include <algorithm>
#include <bit>

namespace eddy::detail {

std::uint64_t timer_wheel::ceil_tick(time_point at) noexcept {
    const auto count = std::max<duration::rep>(at.time_since_epoch().count(), 0);
    constexpr std::uint64_t last_of_tick = (std::uint64_t{1} << tick_shift) - 1;
    return (static_cast<std::uint64_t>(count) + last_of_tick) >> tick_shift;
}

// The tick after the last whole one, to which deadlines at the end of time are rounded up, has no time of its
// own.
time_point timer_wheel::time_of(std::uint64_t tick) noexcept {
    constexpr auto last_tick = static_cast<std::uint64_t>(duration::max().count()) >> tick_shift;
    return tick > last_tick ? time_point::max()
                            : time_point(duration(static_cast<duration::rep>(tick << tick_shift)));
}

void timer_wheel::arm(timer& armed, time_point deadline) noexcept {
    armed.deadline_ = deadline;
    insert(armed, ceil_tick(deadline));
}

void timer_wheel::insert(timer& armed, std::uint64_t tick) noexcept {
    if (tick <= elapsed_) {
        due_.push_back(armed);
        return;
    }
    const auto highest_bit = static_cast<unsigned>(std::bit_width(tick ^ elapsed_) - 1);
    const unsigned level = highest_bit / slot_bits;
    const unsigned slot = (tick >> (level * slot_bits)) % slots;
    slots_[level][slot].push_back(armed);
    occupied_[level] |= std::uint64_t{1} << slot;
}

std::optional<timer_wheel::place> timer_wheel::next_place() const noexcept {
    for (unsigned level = 0; level < levels; ++level) {
        if (occupied_[level] == 0)
            continue;
        const auto slot = static_cast<unsigned>(std::countr_zero(occupied_[level]));
        const unsigned shift = level * slot_bits;
        const std::uint64_t above = elapsed_ >> (shift + slot_bits) << (shift + slot_bits);
        return place{level, slot, above | std::uint64_t{slot} << shift};
    }
    return std::nullopt;
}

std::optional<time_point> timer_wheel::next_due() const noexcept {
    if (!due_.empty())
        return time_of(elapsed_);
    const auto next = next_place();
    if (!next)
        return std::nullopt;
    return time_of(next->tick);
}

std::size_t timer_wheel::count_armed() const noexcept {
    std::size_t armed = due_.count();
    for (const auto& level : slots_)
        for (const slot_list& slot : level)
            armed += slot.count();
    return armed;
}

std::size_t timer_wheel::advance(time_point now) noexcept {
    const std::uint64_t now_tick = floor_tick(now);
    for (auto next = next_place(); next && next->tick <= now_tick; next = next_place()) {
        elapsed_ = next->tick;
        slot_list reached;
        reached.splice_back(slots_[next->level][next->slot]);
        occupied_[next->level] &= ~(std::uint64_t{1} << next->slot);
        // Moves a timer to a lower level, or into due_ when its tick has come.
        while (!reached.empty()) {
            timer& moved = reached.pop_front();
            insert(moved, ceil_tick(moved.deadline_));
        }
    }
    elapsed_ = std::max(elapsed_, now_tick);
    std::size_t fired = 0;
    for (; !due_.empty(); ++fired) {
        timer& ended = due_.pop_front();
        ended.fired_(ended);
    }
    return fired;
}

}  // namespace eddy::detail
