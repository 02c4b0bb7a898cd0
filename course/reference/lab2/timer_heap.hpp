#pragma once

#include "timer.hpp"
#include "waiter.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace lab {

/// Timers in a binary heap: the one that is due first is at the front. Adding and removing take O(log n).
class timer_heap {
public:
    explicit timer_heap(time_point) {}
    timer_heap(const timer_heap&) = delete;
    timer_heap& operator=(const timer_heap&) = delete;

    [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }

    /// When there is something to do next.
    [[nodiscard]] std::optional<time_point> next() const {
        if (heap_.empty())
            return std::nullopt;
        return heap_.front()->at;
    }

    /// Requires: the timer is in no queue.
    void add(timer& added) {
        added.number = count_++;
        added.place = heap_.size();
        heap_.push_back(&added);
        rise(added.place);
    }

    /// Does nothing if the timer is in no queue.
    void remove(timer& removed) noexcept {
        if (removed.place == timer::nowhere)
            return;
        const std::size_t hole = std::exchange(removed.place, timer::nowhere);
        timer* const last = heap_.back();
        heap_.pop_back();
        if (last == &removed)
            return;
        put(hole, last);
        rise(hole);
        sink(last->place);
    }

    /// Takes out a timer that is due at `now`, the earliest first, and those of the same time in the order in which
    /// they were added. Null if none is due.
    timer* pop_due(time_point now) noexcept {
        if (heap_.empty() || heap_.front()->at > now)
            return nullptr;
        timer* const due = heap_.front();
        remove(*due);
        return due;
    }

private:
    static bool is_before(const timer& left, const timer& right) noexcept {
        return left.at != right.at ? left.at < right.at : left.number < right.number;
    }
    void put(std::size_t place, timer* one) noexcept {
        heap_[place] = one;
        one->place = place;
    }
    void rise(std::size_t place) noexcept {
        timer* const rising = heap_[place];
        while (place > 0) {
            const std::size_t parent = (place - 1) / 2;
            if (!is_before(*rising, *heap_[parent]))
                break;
            put(place, heap_[parent]);
            place = parent;
        }
        put(place, rising);
    }
    void sink(std::size_t place) noexcept {
        timer* const sinking = heap_[place];
        for (;;) {
            std::size_t child = 2 * place + 1;
            if (child >= heap_.size())
                break;
            if (child + 1 < heap_.size() && is_before(*heap_[child + 1], *heap_[child]))
                ++child;
            if (!is_before(*heap_[child], *sinking))
                break;
            put(place, heap_[child]);
            place = child;
        }
        put(place, sinking);
    }

    std::vector<timer*> heap_;
    std::uint64_t count_ = 0;
};

}  // namespace lab
