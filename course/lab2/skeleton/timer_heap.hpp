#pragma once

#include "support/todo.hpp"
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
    void add(timer&) { course::todo("step 4: timer_heap::add"); }

    /// Does nothing if the timer is in no queue.
    void remove(timer&) noexcept { course::todo("step 4: timer_heap::remove"); }

    /// Takes out a timer that is due at `now`, the earliest first, and those of the same time in the order in which
    /// they were added. Null if none is due.
    timer* pop_due(time_point) noexcept { course::todo("step 4: timer_heap::pop_due"); }

private:
    // Whether `left` is due before `right`: by the time, and then by the number.
    // put(place, timer): the timer is at that place, and knows it.
    // rise(place), sink(place): move the timer there towards the front or the back, until the heap is in order.

    std::vector<timer*> heap_;
    std::uint64_t count_ = 0;
};

}  // namespace lab
