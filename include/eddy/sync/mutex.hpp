#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/atomic.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/sync/waiter.hpp>

#include <cstdint>
#include <mutex>
#include <utility>

namespace eddy {

class mutex;

/// Owns the lock of a mutex; gives it up when destroyed. Moves, does not copy. The holder may go on on the
/// same worker only, as every task does.
class [[nodiscard]] mutex_guard {
public:
    mutex_guard() noexcept = default;
    /// Takes over a lock that no guard owns.
    mutex_guard(class mutex& locked, std::adopt_lock_t) noexcept : locked_(&locked) {}
    mutex_guard(mutex_guard&& other) noexcept : locked_(std::exchange(other.locked_, nullptr)) {}
    mutex_guard& operator=(mutex_guard&& other) noexcept {
        mutex_guard taken(std::move(other));
        std::swap(locked_, taken.locked_);
        return *this;
    }
    ~mutex_guard() { unlock(); }

    /// Whether it owns a lock.
    [[nodiscard]] explicit operator bool() const noexcept { return locked_ != nullptr; }
    /// The mutex, or null.
    [[nodiscard]] class mutex* mutex() const noexcept { return locked_; }
    /// Gives the lock up early; nothing happens if there is none.
    void unlock() noexcept;
    /// Lets the lock be: whoever calls mutex::unlock() gives it up.
    class mutex* release() noexcept { return std::exchange(locked_, nullptr); }

private:
    class mutex* locked_ = nullptr;
};

/// Mutual exclusion of tasks, on whichever workers they run: `auto guard = co_await m.lock();`.
///
/// - Order: first come, first served. An unlock hands the lock to who has waited longest; nobody comes
///   between.
/// - Where a waiter goes on: its own worker's loop resumes it, never the call to unlock().
/// - Cancellation: a dropped wait leaves the queue; a lock that it has just been given goes to the next.
/// - Thread safety: everything may be called by any thread; a lock may be given up by another thread than
/// took
///   it. The mutex may be destroyed by who knows that nobody else will come, also right after locking it.
/// - Cost: no allocation; one atomic operation to lock and one to unlock while nobody waits. No thread is
///   blocked but by lock_blocking().
class mutex {
public:
    mutex() noexcept = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;
    ~mutex() { EDDY_ASSERT(waiting_.empty(), "nobody waits for a mutex that is destroyed"); }

    class lock_awaiter;
    /// Awaited: waits for the lock and gives a mutex_guard.
    [[nodiscard]] lock_awaiter lock() noexcept;
    /// The same for a thread that is no worker: blocks it.
    [[nodiscard]] mutex_guard lock_blocking() noexcept;

    /// Takes the lock if nobody has it; an empty guard otherwise.
    [[nodiscard]] mutex_guard try_lock() noexcept {
        if (!try_take())
            return {};
        queue_lock_.settle();  // whoever locks it may destroy it
        return {*this, std::adopt_lock};
    }

    /// Gives up a lock that no guard owns. Requires: it is locked.
    void unlock() noexcept {
        std::uint32_t expected = locked;
        if (!state_.compare_exchange_strong(expected, unlocked, std::memory_order_release,
                                            std::memory_order_relaxed))
            hand_on();
    }

    /// Whether somebody has the lock, at some moment during the call.
    [[nodiscard]] bool is_locked() const noexcept {
        return state_.load(std::memory_order_relaxed) != unlocked;
    }

private:
    friend class condition_variable;

    // What state_ says. It leaves `contended` under the lock of the queue only, so a waiter that has seen or
    // made it so cannot be missed. The queue may be empty all the same, after a dropped wait.
    static constexpr std::uint32_t unlocked = 0;
    static constexpr std::uint32_t locked = 1;
    static constexpr std::uint32_t contended = 2;

    [[nodiscard]] bool try_take() noexcept {
        std::uint32_t expected = unlocked;
        return state_.compare_exchange_strong(expected, locked, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    /// Takes the lock, or puts the waiter into the queue: false.
    [[nodiscard]] bool take_or_wait(detail::waiter& waits) noexcept;
    /// For a waiter that has waited for something else: it gets the lock and goes on, at once if nobody has
    /// it.
    void give_or_queue(detail::waiter& waits, detail::pending_wakes& wakes) noexcept;
    /// Takes the lock, or says that somebody waits: false. Under the lock of the queue.
    [[nodiscard]] bool take_or_contend() noexcept;
    void hand_on() noexcept;

    detail::atomic<std::uint32_t> state_{unlocked};
    detail::spinlock queue_lock_;
    detail::waiter_list waiting_;
};

class [[nodiscard]] mutex::lock_awaiter {
public:
    explicit lock_awaiter(mutex& wanted) noexcept : mutex_(wanted) {}
    /// Requires: `unawaited` has not been awaited.
    lock_awaiter(lock_awaiter&& unawaited) noexcept : mutex_(unawaited.mutex_) {}
    lock_awaiter& operator=(lock_awaiter&&) = delete;
    ~lock_awaiter() {
        if (waiter_.withdraw(mutex_.queue_lock_))
            mutex_.unlock();
    }

    bool await_ready() const noexcept { return mutex_.try_take(); }
    bool await_suspend(detail::suspension point) noexcept {
        waiter_.suspend(point);
        return !mutex_.take_or_wait(waiter_);
    }
    mutex_guard await_resume() noexcept {
        waiter_.finish(mutex_.queue_lock_);
        return {mutex_, std::adopt_lock};
    }

private:
    mutex& mutex_;
    detail::waiter waiter_;
};

inline mutex::lock_awaiter mutex::lock() noexcept {
    return lock_awaiter(*this);
}

inline void mutex_guard::unlock() noexcept {
    if (class mutex* const given_up = release())
        given_up->unlock();
}

}  // namespace eddy
