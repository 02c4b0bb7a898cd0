#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace eddy::detail {

namespace {

using timer_list = intrusive_list<timer, timer_tag>;

bool is_earlier(const timer& one, const timer& other) noexcept {
    return one.deadline() < other.deadline();
}

bool is_sorted(timer_list& list) noexcept {
    const timer* last = nullptr;
    bool is_in_order = true;
    list.for_each([&](const timer& next) {
        is_in_order = is_in_order && (last == nullptr || !is_earlier(next, *last));
        last = &next;
    });
    return is_in_order;
}

// Merges `later` into `earlier`: of two that are equal the one of `earlier` comes first.
void merge(timer_list& earlier, timer_list& later) noexcept {
    timer_list merged;
    while (!earlier.empty() && !later.empty())
        merged.push_back(is_earlier(later.front(), earlier.front()) ? later.pop_front()
                                                                    : earlier.pop_front());
    merged.splice_back(earlier);
    merged.splice_back(later);
    earlier.splice_back(merged);
}

// By merging, bottom up: bin n holds 2^n timers or none.
void sort_by_deadline(timer_list& list) noexcept {
    if (is_sorted(list))
        return;
    std::array<timer_list, 40> bins;
    while (!list.empty()) {
        timer_list carried;
        carried.push_back(list.pop_front());
        std::size_t at = 0;
        for (; at + 1 < bins.size() && !bins[at].empty(); ++at) {
            merge(bins[at], carried);
            carried.splice_back(bins[at]);
        }
        bins[at].splice_back(carried);
    }
    for (timer_list& bin : bins) {
        merge(bin, list);
        list.splice_back(bin);
    }
}

// How many timers make a crowd: fewer are spread at once when their slot is reached.
constexpr std::uint32_t crowd_min = 128;
// How many are spread in one call of advance(): some microseconds' worth.
constexpr std::size_t spread_max = 32;
// Among how many timers of a slot the earliest is looked for.
constexpr std::uint32_t looks_max = 8;

}  // namespace

void timer_wheel::level_slots::add(timer& added, std::uint64_t tick, unsigned level) noexcept {
    const unsigned slot = (tick >> (level * slot_bits)) % slots;
    lists[slot].push_back(added);
    occupied |= std::uint64_t{1} << slot;
    ++arrivals[slot];
}

std::size_t timer_wheel::level_slots::count() const noexcept {
    std::size_t counted = 0;
    for (const slot_list& slot : lists)
        counted += slot.count();
    return counted;
}

unsigned timer_wheel::level_of(std::uint64_t tick, std::uint64_t now_tick) noexcept {
    const auto highest_bit = static_cast<unsigned>(std::bit_width(tick ^ now_tick) - 1);
    return highest_bit / slot_bits;
}

void timer_wheel::insert(timer& armed) noexcept {
    const std::uint64_t tick = floor_tick(armed.deadline_);
    if (tick <= elapsed_) {
        earliest_due_ = std::min(earliest_due_, armed.deadline_);
        return due_.push_back(armed);
    }
    const unsigned level = level_of(tick, elapsed_);
    levels_[level].add(armed, tick, level);
}

void timer_wheel::start(time_point now) noexcept {
    while (!unstarted_.empty()) {
        timer& started = unstarted_.pop_front();
        arm(started, deadline_after(now, started.deadline_.time_since_epoch()));
    }
}

timer_wheel::place timer_wheel::place_of(unsigned level, unsigned slot) const noexcept {
    const unsigned shift = level * slot_bits;
    const std::uint64_t above = elapsed_ >> (shift + slot_bits) << (shift + slot_bits);
    return place{level, slot, above | std::uint64_t{slot} << shift};
}

std::optional<timer_wheel::place> timer_wheel::next_place() const noexcept {
    for (unsigned level = 0; level < levels; ++level)
        if (levels_[level].occupied != 0)
            return place_of(level, static_cast<unsigned>(std::countr_zero(levels_[level].occupied)));
    return std::nullopt;
}

// The next slot of a level, if it holds a crowd that is not spread yet.
std::optional<timer_wheel::place> timer_wheel::next_crowd(unsigned level) const noexcept {
    const level_slots& at = levels_[level];
    if (at.occupied == 0)
        return std::nullopt;
    const auto slot = static_cast<unsigned>(std::countr_zero(at.occupied));
    if (at.arrivals[slot] < crowd_min || at.lists[slot].empty())
        return std::nullopt;
    return place_of(level, slot);
}

// When a crowd may be spread: not long before its time, as most timers are disarmed before they are due; a
// quarter of a slot, so that it is the slot after the one in which we are, and none comes in between.
std::uint64_t timer_wheel::spread_tick(const place& crowd) const noexcept {
    const std::uint64_t lead = std::uint64_t{1} << (crowd.level * slot_bits - 2);
    return std::max(elapsed_, crowd.tick - lead);
}

std::optional<time_point> timer_wheel::next_due() const noexcept {
    // Not before this tick: the time to the beginning of time has no number.
    if (!due_.empty())
        return std::max(earliest_due_, time_of(elapsed_));
    const auto next = next_place();
    if (!next)
        return std::nullopt;
    time_point due = next_due_in(*next);
    for (unsigned level = lowest_crowd; level <= highest_crowd; ++level)
        if (const auto crowd = next_crowd(level))
            due = std::min(due, time_of(spread_tick(*crowd)));
    return due;
}

// The earliest deadline in a slot if it is soon found, so that a lone timer is waited for in one go; else
// when the slot begins.
time_point timer_wheel::next_due_in(const place& at) const noexcept {
    const level_slots& level = levels_[at.level];
    const slot_list& slot = level.lists[at.slot];
    if (slot.empty() || level.arrivals[at.slot] > looks_max)
        return time_of(at.tick);
    time_point earliest = time_point::max();
    slot.for_each([&](const timer& each) { earliest = std::min(earliest, each.deadline_); });
    return earliest;
}

std::size_t timer_wheel::count_armed() const noexcept {
    std::size_t armed = due_.count() + unstarted_.count();
    for (const level_slots& level : levels_)
        armed += level.count();
    for (const spread_crowd& crowd : spread_) {
        armed += crowd.due.count();
        for (const level_slots& level : crowd.below)
            armed += level.count();
    }
    return armed;
}

// Moves the timers of a slot to lower levels, or into due_ if their tick has come. All levels below the
// slot's are empty by now, since what was in them was due before.
void timer_wheel::reach(const place& reached) noexcept {
    elapsed_ = reached.tick;
    level_slots& level = levels_[reached.level];
    level.occupied &= ~(std::uint64_t{1} << reached.slot);
    level.arrivals[reached.slot] = 0;
    if (reached.level == 0)
        return due_.splice_back(level.lists[reached.slot]);
    if (reached.level >= lowest_crowd && reached.level <= highest_crowd)
        take_spread(reached);
    slot_list rest;
    rest.splice_back(level.lists[reached.slot]);
    while (!rest.empty()) {
        timer& moved = rest.pop_front();
        insert(moved);
    }
}

void timer_wheel::take_spread(const place& reached) noexcept {
    spread_crowd& crowd = spread_[reached.level - lowest_crowd];
    due_.splice_back(crowd.due);
    for (unsigned level = 0; level < reached.level; ++level) {
        level_slots& from = crowd.below[level];
        for (; from.occupied != 0; from.occupied &= from.occupied - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(from.occupied));
            levels_[level].lists[slot].splice_back(from.lists[slot]);
            levels_[level].arrivals[slot] += std::exchange(from.arrivals[slot], 0);
            levels_[level].occupied |= std::uint64_t{1} << slot;
        }
    }
}

void timer_wheel::spread_crowds() noexcept {
    for (unsigned level = lowest_crowd; level <= highest_crowd; ++level)
        if (const auto crowd = next_crowd(level); crowd && spread_tick(*crowd) <= elapsed_)
            spread(*crowd);
}

void timer_wheel::spread(const place& crowd) noexcept {
    slot_list& from = levels_[crowd.level].lists[crowd.slot];
    spread_crowd& to = spread_[crowd.level - lowest_crowd];
    for (std::size_t left = spread_max; left != 0 && !from.empty(); --left) {
        timer& moved = from.pop_front();
        const std::uint64_t tick = floor_tick(moved.deadline_);
        if (tick == crowd.tick) {
            to.due.push_back(moved);
        } else {
            const unsigned level = level_of(tick, crowd.tick);
            to.below[level].add(moved, tick, level);
        }
    }
}

std::size_t timer_wheel::advance(time_point now) noexcept {
    const std::uint64_t now_tick = floor_tick(now);
    for (auto next = next_place(); next && next->tick <= now_tick; next = next_place())
        reach(*next);
    elapsed_ = std::max(elapsed_, now_tick);
    spread_crowds();
    return fire(now);
}

// What is armed meanwhile waits for the next call.
std::size_t timer_wheel::fire(time_point now) noexcept {
    sort_by_deadline(due_);
    earliest_due_ = time_point::max();
    std::size_t fired = 0;
    for (; !due_.empty() && due_.front().deadline_ <= now; ++fired) {
        timer& ended = due_.pop_front();
        ended.fired_(ended);
    }
    if (!due_.empty())
        earliest_due_ = std::min(earliest_due_, due_.front().deadline_);
    return fired;
}

}  // namespace eddy::detail
