#pragma once

#include <eddy/base/atomic.hpp>
#include <eddy/core/inbox_item.hpp>

#include <cstddef>

namespace eddy::detail {

/// The way into a worker from other threads: many producers, one consumer, lock-free, unbounded because its
/// items are the senders'.
///
/// The one atomic word `newest_` holds
/// - null: nothing is in it and the worker runs;
/// - the sleeping mark: nothing is in it and the worker sleeps, or is about to: the next post must wake it;
/// - else the newest item, whose `next` leads to older ones: the worker runs, or has been woken.
/// So each sleep is ended by exactly one wake-up, and an item that comes between the last look and the sleep
/// is never missed.
class inbox {
public:
    /// Any thread. True if the worker must be woken.
    [[nodiscard]] bool post(inbox_item& item) noexcept {
        inbox_item* newest = newest_.load(std::memory_order_relaxed);
        do {
            item.next = newest == sleeping() ? nullptr : newest;
        } while (!newest_.compare_exchange_weak(newest, &item, std::memory_order_acq_rel,
                                                std::memory_order_relaxed));
        return newest == sleeping();
    }

    /// The worker's: says that it goes to sleep. False if something has come, in which case it must not.
    [[nodiscard]] bool try_sleep() noexcept {
        inbox_item* expected = nullptr;
        return newest_.compare_exchange_strong(expected, sleeping(), std::memory_order_acq_rel,
                                               std::memory_order_acquire);
    }

    /// The worker's: how many items wait to be taken, by walking.
    [[nodiscard]] std::size_t count() const noexcept {
        const inbox_item* item = newest_.load(std::memory_order_acquire);
        std::size_t counted = 0;
        for (; item != nullptr && item != sleeping(); item = item->next)
            ++counted;
        return counted;
    }

    /// The worker's: takes all items, oldest first, linked by `next`.
    [[nodiscard]] inbox_item* take() noexcept {
        if (newest_.load(std::memory_order_relaxed) == nullptr)
            return nullptr;
        inbox_item* newest = newest_.exchange(nullptr, std::memory_order_acq_rel);
        if (newest == sleeping())
            return nullptr;
        inbox_item* oldest = nullptr;
        while (newest != nullptr) {
            inbox_item* const older = newest->next;
            newest->next = oldest;
            oldest = newest;
            newest = older;
        }
        return oldest;
    }

private:
    static inbox_item* sleeping() noexcept { return &sleeping_mark_; }
    static inbox_item sleeping_mark_;

    atomic<inbox_item*> newest_{nullptr};
};

}  // namespace eddy::detail
