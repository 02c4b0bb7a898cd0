#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace eddy {

class mutex;

/// Owns the lock of a mutex; releases it when destroyed. Moves, does not copy. Its task stays on the same
/// worker, as every task does.
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
    /// Releases the lock early; does nothing if there is none.
    void unlock() noexcept;
    /// Detaches the guard from the lock, which mutex::unlock() must then release.
    class mutex* release() noexcept { return std::exchange(locked_, nullptr); }

private:
    class mutex* locked_ = nullptr;
};

/// Mutual exclusion of tasks, on any workers: `auto guard = co_await m.lock();`.
///
/// - Order: the waiter that has waited longest is next. If it is a task of the worker that unlocks, it is
///   handed the lock. If it is of another worker, or a thread, it is called: until the call has arrived
///   there, any task may take the lock, also a waiter of the worker that unlocks; if it is taken then, the
///   called waiter keeps waiting in front of all others. A waiter whose calls have failed four times is
///   handed the lock as well.
/// - Where a waiter resumes: in its own worker's loop, never the call to unlock().
/// - Cancellation: a dropped wait leaves the queue; a lock that it had already received, or a call, goes to
///   the next.
/// - Thread safety: any thread may call everything; another thread than the one that took it may release a
///   lock. The mutex may be destroyed once no other thread will use it again, also right after locking it.
/// - Cost: no allocation; one atomic operation to lock and one to unlock while there are no waiters. No
///   thread is blocked but by lock_blocking().
class mutex {
public:
    mutex() noexcept = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;
    ~mutex() { EDDY_CHECK(waiting_.empty(), "no task waits for a mutex that is destroyed"); }

    class lock_awaiter;
    /// Awaited: waits for the lock and returns a mutex_guard.
    [[nodiscard]] lock_awaiter lock() noexcept;
    /// The same for a thread that is no worker: blocks it.
    [[nodiscard]] mutex_guard lock_blocking() noexcept;

    /// Takes the lock if it is free; returns an empty guard otherwise.
    [[nodiscard]] mutex_guard try_lock() noexcept {
        if (!try_take())
            return {};
        queue_lock_.settle();  // a thread that locks it may destroy it
        return {*this, std::adopt_lock};
    }

    /// Releases a lock that no guard owns. Requires: it is locked.
    void unlock() noexcept {
        std::uint32_t expected = locked;
        if (!state_.compare_exchange_strong(expected, unlocked, std::memory_order_release,
                                            std::memory_order_relaxed))
            unlock_contended();
    }

    /// Whether it is locked, at some moment during the call.
    [[nodiscard]] bool is_locked() const noexcept {
        return state_.load(std::memory_order_relaxed) != unlocked;
    }

private:
    friend class condition_variable;

    /// A waiter for the lock. It is released with the lock, or called: then it tries to take the lock where
    /// the call arrives, and if that fails it keeps waiting, in front of all others.
    class queued : public detail::waiter {
    public:
        explicit queued(mutex* target) noexcept : waiter(std::in_place_type<queued>), wanted(target) {}
        [[nodiscard]] bool may_resume() noexcept { return has_lock || wanted->take_when_called(*this); }
        [[nodiscard]] bool comes_back() noexcept { return has_lock = wanted->take_or_wait(*this); }

        mutex* wanted;
        bool has_lock = false;
        unsigned char calls_in_vain = 0;
    };

    // The values of state_. It leaves `contended` under the lock of the queue only, so a waiter that has seen
    // or made it so cannot be missed. The queue may be empty all the same, after a dropped wait.
    //
    // While there are waiters, the lock is contended, or one of them has been called and restores that when
    // its call arrives.
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
    /// For a waiter that has waited for something else: it gets the lock and resumes, at once if the lock is
    /// free.
    void give_or_queue(queued& waits, detail::pending_wakes& wakes) noexcept;
    /// For a waiter that was called: takes the lock, or goes back to the front of the queue and returns
    /// false.
    [[nodiscard]] bool take_when_called(queued& called) noexcept;
    /// For a waiter that is dropped: leaves the queue, and lets others have what it has got.
    void withdraw(queued& dropped) noexcept {
        if (dropped.is_waiting())
            take_out(dropped);
    }

    void unlock_contended() noexcept;
    void take_out(queued& dropped) noexcept;

    // -- under the lock of the queue --
    /// Takes the lock, or marks it contended and returns false.
    [[nodiscard]] bool take_or_contend() noexcept;
    /// Releases the lock: to the first of the queue, or to a faster task.
    void pass_on(detail::pending_wakes& wakes) noexcept;

    detail::atomic<std::uint32_t> state_{unlocked};
    detail::spinlock queue_lock_;
    bool is_one_called_ = false;  // and has not arrived; guarded like the queue
    detail::waiter_list waiting_;
};

class [[nodiscard]] mutex::lock_awaiter {
public:
    explicit lock_awaiter(mutex& wanted) noexcept : wanted_(wanted) {}
    /// Requires: `unawaited` has not been awaited.
    lock_awaiter(lock_awaiter&& unawaited) noexcept : wanted_(unawaited.wanted_) {}
    lock_awaiter& operator=(lock_awaiter&&) = delete;
    ~lock_awaiter() {
        if (waits_) [[unlikely]]
            wanted_.withdraw(*waits_);
    }

    bool await_ready() const noexcept { return detail::resume_loop::consume_budget() && wanted_.try_take(); }
    bool await_suspend(detail::suspension point) noexcept {
        waits_.emplace(&wanted_);
        waits_->suspend(point);
        return waits_->gives_way() || !wanted_.take_or_wait(*waits_);
    }
    mutex_guard await_resume() noexcept {
        if (waits_) [[unlikely]]
            waits_->finish();
        wanted_.queue_lock_.settle();
        return {wanted_, std::adopt_lock};
    }

private:
    mutex& wanted_;
    std::optional<queued> waits_;  // made only to wait, since most need not
};

inline mutex::lock_awaiter mutex::lock() noexcept {
    return lock_awaiter(*this);
}

inline void mutex_guard::unlock() noexcept {
    if (class mutex* const given_up = release())
        given_up->unlock();
}

}  // namespace eddy
