#pragma once

#include "runtime/item_ring.hpp"
#include "runtime/pool_activity.hpp"

#include <eddy/detail/spinlock.hpp>

#include <cstddef>
#include <mutex>

namespace eddy::detail {

/// The long work that waits, oldest first, and how many threads have some. One shared queue: the work takes
/// milliseconds, so the lock is not contended. Any thread.
class long_queue {
public:
    explicit long_queue(std::size_t threads_max) noexcept : threads_max_(threads_max) {}

    /// Returns whether something may begin now, so that a thread is needed.
    [[nodiscard]] bool post(io::blocking_item& item) noexcept {
        const std::lock_guard guard(lock_);
        ring_.push_newest(item);
        count_.fetch_add(1, std::memory_order_relaxed);
        return may_begin();
    }

    /// Null if there is none, or as many threads as may have some.
    [[nodiscard]] io::blocking_item* take(shown_activity& taker, look how) noexcept {
        if (how == look::likely && count_.load(std::memory_order_relaxed) == 0)
            return nullptr;
        const std::lock_guard guard(lock_);
        if (!may_begin())
            return nullptr;
        io::blocking_item* const item = ring_.take_oldest();
        ++threads_;
        taker.store(pool_activity::long_work, std::memory_order_relaxed);
        count_.fetch_sub(1, std::memory_order_release);
        return item;
    }

    /// One that was taken has ended. Returns whether another may begin now.
    [[nodiscard]] bool end_one() noexcept {
        const std::lock_guard guard(lock_);
        --threads_;
        return may_begin();
    }

    [[nodiscard]] bool retract(io::blocking_item& item) noexcept {
        const std::lock_guard guard(lock_);
        if (item.next == nullptr)
            return false;
        item_ring::unlink(item);
        count_.fetch_sub(1, std::memory_order_release);
        return true;
    }

    [[nodiscard]] std::size_t threads_max() const noexcept { return threads_max_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_.load(std::memory_order_acquire); }

private:
    [[nodiscard]] bool may_begin() const noexcept { return !ring_.is_empty() && threads_ < threads_max_; }

    spinlock lock_;
    item_ring ring_;
    std::size_t threads_ = 0;
    const std::size_t threads_max_;
    atomic<std::size_t> count_{0};  // written under the lock, read by everyone
};

}  // namespace eddy::detail
