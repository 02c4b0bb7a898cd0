#pragma once

#include <eddy/detail/atomic.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// A spinlock whose word holds an index beside the lock: one end of a queue. The index is changed by the one
/// store that unlocks, so a thread that sees it sees all that was done under the lock, and the thread that
/// changed it does not touch the lock any more.
///
/// The one atomic word holds twice the index, plus 1 while a thread has the lock; meanwhile the index is the
/// old one.
class index_lock {
public:
    explicit index_lock(std::uint64_t first) noexcept : word_(first << 1) {}

    /// Takes the lock and returns the index.
    [[nodiscard]] std::uint64_t lock() noexcept {
        for (unsigned looks = 0;; ++looks) {
            std::uint64_t seen = word_.load(std::memory_order_relaxed);
            // The lock may be free even if the exchange fails: then there is nothing to wait for.
            while ((seen & locked) == 0)
                if (word_.compare_exchange_weak(seen, seen | locked, std::memory_order_acquire,
                                                std::memory_order_relaxed)) [[likely]]
                    return seen >> 1;
            relax(looks);
        }
    }
    void unlock(std::uint64_t index) noexcept { word_.store(index << 1, std::memory_order_release); }

    /// The index as it was at the last unlocking. Any thread.
    [[nodiscard]] std::uint64_t index() const noexcept { return word_.load(std::memory_order_acquire) >> 1; }

    /// Waits until no thread holds the lock.
    void settle() const noexcept {
        for (unsigned looks = 0; (word_.load(std::memory_order_acquire) & locked) != 0; ++looks)
            relax(looks);
    }

private:
    static constexpr std::uint64_t locked = 1;

    atomic<std::uint64_t> word_;
};

}  // namespace eddy::detail
