#pragma once

#include "runtime/item_ring.hpp"

#include <eddy/detail/counter.hpp>
#include <eddy/detail/spinlock.hpp>

#include <cstddef>
#include <mutex>

namespace eddy::detail {

/// The capacity of the queues, and those that wait for it, first come, first in. An item that
/// leaves passes its slot on, so none overtakes. Any thread.
///
/// `admit(item)` puts an item that has a slot into its queue. It is called under this lock: an
/// owner that finds, under this lock, that its item does not wait here, finds it in its queue or taken.
class queue_capacity {
public:
    explicit queue_capacity(std::size_t capacity) noexcept : capacity_(capacity) {}

    /// Returns whether there was capacity left and the item was admitted; otherwise it waits.
    template <class Admit>
    bool enter(io::blocking_item& item, Admit admit) noexcept {
        const std::lock_guard guard(lock_);
        item.waits_for_capacity = taken_ == capacity_;
        if (item.waits_for_capacity) {
            ring_.push_newest(item);
            waiting_.fetch_add(1, std::memory_order_relaxed);
            ++waited_;
            return false;
        }
        ++taken_;
        admit(item);
        return true;
    }

    /// One that was admitted has left its queue. Returns whether the next was admitted in its slot.
    template <class Admit>
    bool leave(Admit admit) noexcept {
        const std::lock_guard guard(lock_);
        io::blocking_item* const next = ring_.take_oldest();
        if (next == nullptr) {
            --taken_;
            return false;
        }
        next->waits_for_capacity = false;
        admit(*next);
        waiting_.fetch_sub(1, std::memory_order_release);
        return true;
    }

    /// Takes back an item that waits here. False if it was admitted.
    [[nodiscard]] bool retract(io::blocking_item& item) noexcept {
        const std::lock_guard guard(lock_);
        if (!item.waits_for_capacity)
            return false;
        item_ring::unlink(item);
        waiting_.fetch_sub(1, std::memory_order_release);
        return true;
    }

    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.load(std::memory_order_acquire); }
    /// How many have waited.
    [[nodiscard]] std::uint64_t waited() const noexcept { return waited_.value(); }

private:
    spinlock lock_;
    item_ring ring_;
    std::size_t taken_ = 0;
    const std::size_t capacity_;
    // Written under the lock, read by everyone.
    atomic<std::size_t> waiting_{0};
    counter waited_;
};

}  // namespace eddy::detail
