#pragma once

#include "runtime/item_ring.hpp"
#include "runtime/pool_activity.hpp"

#include <eddy/detail/spinlock.hpp>

#include <cstddef>
#include <mutex>

namespace eddy::detail {

/// The short work that waits at one thread of the pool: from outside, and posted by the thread itself. Any
/// thread takes from it.
///
/// Items never move from one queue to another, so an item's owner that retracts it finds it where it was
/// posted. The sections under the lock are a few instructions long; only a thread that is preempted within
/// them delays others, and a spinlock yields to that.
class short_queue {
public:
    /// Where it goes says `item.is_own`.
    void post(io::blocking_item& item) noexcept {
        const std::lock_guard guard(lock_);
        (item.is_own ? own_ : given_).push_newest(item);
        count_of(item).fetch_add(1, std::memory_order_relaxed);
    }

    /// The oldest work from outside, or null.
    [[nodiscard]] io::blocking_item* take_given(shown_activity& taker, look how) noexcept {
        return take(given_count_, taker, how, [this] { return given_.take_oldest(); });
    }
    /// The newest of what the thread itself has posted: what it needs is still in its cache.
    [[nodiscard]] io::blocking_item* take_own(shown_activity& taker, look how) noexcept {
        return take(own_count_, taker, how, [this] { return own_.take_newest(); });
    }
    /// The oldest of that, for thieves: the largest part, where work splits itself.
    [[nodiscard]] io::blocking_item* steal(shown_activity& taker, look how) noexcept {
        return take(own_count_, taker, how, [this] { return own_.take_oldest(); });
    }

    /// Takes back an item that was posted here. False if it has been taken.
    [[nodiscard]] bool retract(io::blocking_item& item) noexcept {
        const std::lock_guard guard(lock_);
        if (item.next == nullptr)
            return false;
        item_ring::unlink(item);
        count_of(item).fetch_sub(1, std::memory_order_release);
        return true;
    }

    [[nodiscard]] bool has_given() const noexcept {
        return given_count_.load(std::memory_order_relaxed) != 0;
    }
    [[nodiscard]] std::size_t count() const noexcept {
        return given_count_.load(std::memory_order_acquire) + own_count_.load(std::memory_order_acquire);
    }

private:
    [[nodiscard]] atomic<std::size_t>& count_of(const io::blocking_item& item) noexcept {
        return item.is_own ? own_count_ : given_count_;
    }

    template <class Take>
    io::blocking_item* take(atomic<std::size_t>& count, shown_activity& taker, look how,
                            Take take_one) noexcept {
        if (how == look::likely && count.load(std::memory_order_relaxed) == 0)
            return nullptr;
        const std::lock_guard guard(lock_);
        io::blocking_item* const item = take_one();
        if (item != nullptr) {
            taker.store(pool_activity::short_work, std::memory_order_relaxed);
            count.fetch_sub(1, std::memory_order_release);
        }
        return item;
    }

    spinlock lock_;
    item_ring given_;
    item_ring own_;
    // Written under the lock, read by everyone.
    atomic<std::size_t> given_count_{0};
    atomic<std::size_t> own_count_{0};
};

}  // namespace eddy::detail
