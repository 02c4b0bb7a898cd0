#pragma once

#include <eddy/detail/atomic.hpp>

#include <atomic>

namespace eddy::detail {

/// A lock for sections of a few instructions, which never wait, allocate rarely at the most, and run no code
/// of the user but the moves of values. Meets BasicLockable.
///
/// Unlocking is one store, and the last time that the unlocking thread touches the lock. So an object that
/// holds one may be destroyed by a thread that has seen, under the lock or by settle(), that the object's
/// work is done.
class spinlock {
public:
    void lock() noexcept {
        while (is_locked_.exchange(true, std::memory_order_acquire))
            settle();
    }
    void unlock() noexcept { is_locked_.store(false, std::memory_order_release); }

    /// Waits until no thread holds the lock.
    void settle() const noexcept {
        for (unsigned looks = 0; is_locked_.load(std::memory_order_acquire); ++looks)
            relax(looks);
    }

private:
    atomic<bool> is_locked_{false};
};

}  // namespace eddy::detail
