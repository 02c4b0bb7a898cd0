#pragma once

#include <eddy/core/detail/inbox_item.hpp>
#include <eddy/detail/atomic.hpp>

#include <cstddef>

namespace eddy::detail {

/// The way into a worker from other threads: many producers, one consumer, lock-free, unbounded because its
/// items are the senders'. Items leave it in the order of posting, unless they are retracted.
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

    /// The worker's: sorts what has come behind what it had fetched before.
    void fetch() noexcept {
        if (newest_.load(std::memory_order_relaxed) == nullptr)
            return;
        inbox_item* item = newest_.exchange(nullptr, std::memory_order_acq_rel);
        if (item == nullptr || item == sleeping())
            return;
        inbox_item* const newest = item;
        inbox_item* after = nullptr;
        while (item != nullptr) {
            inbox_item* const before = item->next;
            item->next = after;
            item->previous = before;
            after = item;
            item = before;
        }
        after->previous = last_;
        (last_ != nullptr ? last_->next : first_) = after;
        last_ = newest;
    }

    /// Whether the worker sleeps, or is about to, and has been sent nothing. Any thread.
    [[nodiscard]] bool is_asleep() const noexcept {
        return newest_.load(std::memory_order_acquire) == sleeping();
    }
    /// The worker's: whether it has been sent nothing that it has not popped.
    [[nodiscard]] bool is_empty() const noexcept {
        const inbox_item* const newest = newest_.load(std::memory_order_acquire);
        return !has_fetched() && (newest == nullptr || newest == sleeping());
    }
    [[nodiscard]] bool has_fetched() const noexcept { return first_ != nullptr; }

    /// The worker's: takes the oldest fetched item out. Requires: has_fetched().
    [[nodiscard]] inbox_item& pop() noexcept {
        inbox_item& oldest = *first_;
        unlink(oldest);
        return oldest;
    }

    /// The worker's: takes an item out that was posted before, O(1) but for what has not been fetched yet.
    /// Requires: the item has not been popped.
    void retract(inbox_item& item) noexcept {
        fetch();
        unlink(item);
    }

    /// The worker's: how many items wait to be popped, by walking.
    [[nodiscard]] std::size_t count() const noexcept {
        const inbox_item* item = newest_.load(std::memory_order_acquire);
        std::size_t counted = 0;
        for (; item != nullptr && item != sleeping(); item = item->next)
            ++counted;
        for (item = first_; item != nullptr; item = item->next)
            ++counted;
        return counted;
    }

private:
    static inbox_item* sleeping() noexcept { return &sleeping_mark_; }
    static inbox_item sleeping_mark_;

    void unlink(inbox_item& item) noexcept {
        (item.previous != nullptr ? item.previous->next : first_) = item.next;
        (item.next != nullptr ? item.next->previous : last_) = item.previous;
    }

    // What other threads write has a cache line of its own.
    alignas(64) atomic<inbox_item*> newest_{nullptr};
    alignas(64) inbox_item* first_ = nullptr;  // fetched, oldest first
    inbox_item* last_ = nullptr;
};

}  // namespace eddy::detail
