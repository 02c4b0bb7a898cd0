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
/// - Order: who has waited longest is the next. If its task is one of the worker that unlocks, it is handed
///   the lock. If it is of another worker, or a thread, it is called: until the call has arrived there, the
///   lock is for whoever asks, or waits at the worker that unlocks, and if it is taken then, who was called
///   waits on in front of all others. Who has been called in vain four times is handed the lock as well.
/// - Where a waiter goes on: its own worker's loop resumes it, never the call to unlock().
/// - Cancellation: a dropped wait leaves the queue; a lock that it has just been given, or a call, goes to
///   the next.
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
            unlock_contended();
    }

    /// Whether somebody has the lock, at some moment during the call.
    [[nodiscard]] bool is_locked() const noexcept {
        return state_.load(std::memory_order_relaxed) != unlocked;
    }

private:
    friend class condition_variable;

    /// Who waits for the lock. It is released with the lock, or called: then it tries to take the lock where
    /// the call arrives, and if that is in vain it waits on, in front of all others.
    class queued : public detail::waiter {
    public:
        explicit queued(mutex* target) noexcept : waiter(std::in_place_type<queued>), wanted(target) {}
        [[nodiscard]] bool may_go_on() noexcept { return has_lock || wanted->take_when_called(*this); }

        mutex* wanted;
        bool has_lock = false;
        unsigned char calls_in_vain = 0;
    };

    // What state_ says. It leaves `contended` under the lock of the queue only, so a waiter that has seen or
    // made it so cannot be missed. The queue may be empty all the same, after a dropped wait.
    //
    // Where somebody waits, the lock is contended, or one who waits has been called, is on its way, and sees
    // to that when it arrives.
    static constexpr std::uint32_t unlocked = 0;
    static constexpr std::uint32_t locked = 1;
    static constexpr std::uint32_t contended = 2;

    [[nodiscard]] bool try_take() noexcept {
        std::uint32_t expected = unlocked;
        return state_.compare_exchange_strong(expected, locked, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    /// Takes the lock, or puts the waiter into the queue: false.
    [[nodiscard]] bool take_or_wait(queued& waits) noexcept;
    /// Waits in the queue, for a thread that is no worker, until it has the lock.
    void block(queued& waits) noexcept;
    /// For a waiter that has waited for something else: it gets the lock and goes on, at once if nobody has
    /// it.
    void give_or_queue(queued& waits, detail::pending_wakes& wakes) noexcept;
    /// For who has been called: takes the lock, or goes back to the front of the queue: false.
    [[nodiscard]] bool take_when_called(queued& called) noexcept;
    /// For a waiter that is dropped: leaves the queue, and lets others have what it has got.
    void withdraw(queued& dropped) noexcept {
        if (dropped.is_waiting())
            take_out(dropped);
    }

    void unlock_contended() noexcept;
    void take_out(queued& dropped) noexcept;

    // -- under the lock of the queue --
    /// Takes the lock, or says that somebody waits: false.
    [[nodiscard]] bool take_or_contend() noexcept;
    /// Gives the lock up: to the first of the queue, or to whoever is faster.
    void pass_on(detail::pending_wakes& wakes) noexcept;

    detail::atomic<std::uint32_t> state_{unlocked};
    detail::spinlock queue_lock_;
    bool is_one_called_ = false;  // and has not arrived; guarded like the queue
    detail::waiter_list waiting_;
};

class [[nodiscard]] mutex::lock_awaiter {
public:
    explicit lock_awaiter(mutex& wanted) noexcept : waits_(&wanted) {}
    /// Requires: `unawaited` has not been awaited.
    lock_awaiter(lock_awaiter&& unawaited) noexcept : waits_(unawaited.waits_.wanted) {}
    lock_awaiter& operator=(lock_awaiter&&) = delete;
    ~lock_awaiter() { wanted().withdraw(waits_); }

    bool await_ready() const noexcept { return wanted().try_take(); }
    bool await_suspend(detail::suspension point) noexcept {
        waits_.suspend(point);
        return !wanted().take_or_wait(waits_);
    }
    mutex_guard await_resume() noexcept {
        waits_.finish(wanted().queue_lock_);
        return {wanted(), std::adopt_lock};
    }

private:
    [[nodiscard]] mutex& wanted() const noexcept { return *waits_.wanted; }

    queued waits_;
};

inline mutex::lock_awaiter mutex::lock() noexcept {
    return lock_awaiter(*this);
}

inline void mutex_guard::unlock() noexcept {
    if (class mutex* const given_up = release())
        given_up->unlock();
}

}  // namespace eddy
