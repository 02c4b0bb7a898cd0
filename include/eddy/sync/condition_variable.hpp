#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>
#include <eddy/sync/detail/waiter.hpp>
#include <eddy/sync/mutex.hpp>

#include <atomic>
#include <chrono>
#include <concepts>
#include <utility>

namespace eddy {

/// Lets a task that holds a mutex release it and wait for a notification that the guarded state has changed:
/// `co_await changed.wait(guard, [&] { return !queue.empty(); });`.
///
/// During the wait the passed guard is empty; once the wait has returned it owns the lock again.
///
/// - Order: notify_one() takes the task that has waited longest; notify_all() takes those that wait at that
///   moment and none that comes later. A notified task queues for the mutex at once, in that order, and
///   resumes with it. There are no spurious wake-ups.
/// - Where a waiter resumes: in its own worker's loop, never the call to notify.
/// - Cancellation: a dropped wait leaves the guard empty. A lock that it had already received goes to the
///   next task that waits for it, a notify_one() that had chosen it to the next that waits for one.
/// - Errors: an exception of a predicate leaves the wait, with the lock owned.
/// - Thread safety: any thread may call everything, with or without the lock; a guard belongs to the task
///   that waits with it. The mutex and the condition variable outlive every wait, until it has returned or
///   been dropped: the last task whose wait returns may destroy both, if the notification came with the lock
///   held.
/// - Cost: no allocation, but a coroutine for those forms that take a predicate; notifying without waiters is
///   a look at an atomic, notifying n waiters O(n) under a lock that waiters spin for.
class condition_variable {
public:
    condition_variable() noexcept = default;
    condition_variable(const condition_variable&) = delete;
    condition_variable& operator=(const condition_variable&) = delete;
    ~condition_variable() {
        EDDY_CHECK(waiting_.empty(), "no task waits for a condition variable that is destroyed");
    }

    class wait_awaiter;
    class timed_wait_awaiter;

    /// Awaited: waits until notified. What was waited for may have been changed back by then: see the next.
    /// Requires, of this and the others: the guard owns a lock, and stays where it is.
    [[nodiscard]] wait_awaiter wait(mutex_guard& guard) noexcept;
    /// Awaited: waits until the predicate, which is called with the lock, holds; not at all if it does. With
    /// g++ 12 name a lambda that captures by value first and move it in. Throws std::bad_alloc.
    template <std::predicate Predicate>
    [[nodiscard]] task<> wait(mutex_guard& guard, Predicate holds);
    /// The same as wait(guard) for a thread that is no worker: blocks it.
    void wait_blocking(mutex_guard& guard) noexcept;

    /// Awaited: waits until notified or until the deadline; whether it was notified. The lock is waited for
    /// in either case, as long as that takes. Waits on a worker only, as timers are its.
    [[nodiscard]] timed_wait_awaiter wait_until(mutex_guard& guard, time_point deadline) noexcept;
    /// As wait_until(), with a length of time.
    template <class Rep, class Period>
    [[nodiscard]] timed_wait_awaiter wait_for(mutex_guard& guard,
                                              std::chrono::duration<Rep, Period> length) noexcept;
    /// Awaited: waits until the predicate holds or until the deadline; whether it holds. As wait().
    template <std::predicate Predicate>
    [[nodiscard]] task<bool> wait_until(mutex_guard& guard, time_point deadline, Predicate holds);
    template <class Rep, class Period, std::predicate Predicate>
    [[nodiscard]] task<bool> wait_for(mutex_guard& guard, std::chrono::duration<Rep, Period> length,
                                      Predicate holds);

    /// Ends the wait of the task that has waited longest, if there is one.
    void notify_one() noexcept {
        if (has_waiters_.load(std::memory_order_relaxed))
            notify_first();
    }
    /// Ends all current waits.
    void notify_all() noexcept {
        if (has_waiters_.load(std::memory_order_relaxed))
            notify_waiting();
    }

private:
    /// Why a wait has ended.
    enum class cause : unsigned char { none, notified_one, notified_all, deadline };

    /// A waiting task: first here, then, after the cause that ended that, for the mutex.
    class waiting_task : public mutex::queued {
    public:
        explicit waiting_task(mutex_guard& guard) noexcept : queued(guard.mutex()), guard_(guard) {
            EDDY_CHECK(guard, "a task that waits for a condition holds the lock");
        }
        [[nodiscard]] mutex_guard& guard() const noexcept { return guard_; }

        // Which lock guards the place in a list is decided by `ended_by`, which this one's lock guards.
        cause ended_by = cause::none;

    private:
        mutex_guard& guard_;
    };

    void begin(waiting_task& waits) noexcept;
    void finish(waiting_task& waited) noexcept;
    void reach_deadline(waiting_task& late) noexcept;
    void withdraw(waiting_task& dropped) noexcept {
        if (dropped.is_waiting())
            take_out(dropped);
    }

    // -- under the lock --
    void note_waiters() noexcept { has_waiters_.store(!waiting_.empty(), std::memory_order_relaxed); }
    /// Lets one that has left the list queue for its mutex.
    static void queue_for_lock(waiting_task& ended, cause by, detail::pending_wakes& wakes) noexcept;

    void notify_first() noexcept;
    void notify_waiting() noexcept;
    void take_out(waiting_task& dropped) noexcept;
    /// Leaves the list. Returns the cause by which the wait had ended before.
    [[nodiscard]] cause leave(waiting_task& dropped) noexcept;

    // Checked before taking the lock. A thread that changes something under the mutex sees every waiter that
    // has not seen the change, since waiters release the mutex after they entered the list.
    detail::atomic<bool> has_waiters_{false};
    detail::spinlock lock_;
    detail::waiter_list waiting_;
};

class [[nodiscard]] condition_variable::wait_awaiter {
public:
    wait_awaiter(condition_variable& awaited, mutex_guard& guard) noexcept
        : condition_(awaited), waits_(guard) {}
    /// Requires: `unawaited` has not been awaited.
    wait_awaiter(wait_awaiter&& unawaited) noexcept
        : wait_awaiter(unawaited.condition_, unawaited.waits_.guard()) {}
    wait_awaiter& operator=(wait_awaiter&&) = delete;
    ~wait_awaiter() { condition_.withdraw(waits_); }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        waits_.suspend(point);
        condition_.begin(waits_);
    }
    void await_resume() noexcept { condition_.finish(waits_); }

private:
    condition_variable& condition_;
    waiting_task waits_;
};

class [[nodiscard]] condition_variable::timed_wait_awaiter {
public:
    timed_wait_awaiter(condition_variable& awaited, mutex_guard& guard, time_point deadline) noexcept
        : condition_(awaited), waits_(guard), timer_(*this), deadline_(deadline) {}
    /// Requires: `unawaited` has not been awaited.
    timed_wait_awaiter(timed_wait_awaiter&& unawaited) noexcept
        : timed_wait_awaiter(unawaited.condition_, unawaited.waits_.guard(), unawaited.deadline_) {}
    timed_wait_awaiter& operator=(timed_wait_awaiter&&) = delete;
    ~timed_wait_awaiter() { condition_.withdraw(waits_); }

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        waits_.suspend(point);
        detail::worker_core::current().timers().arm(timer_, deadline_);
        condition_.begin(waits_);
    }
    bool await_resume() noexcept {
        timer_.disarm();
        condition_.finish(waits_);
        return waits_.ended_by != cause::deadline;
    }

private:
    // It fires on the waiter's own worker, so never during the wait's end or drop.
    struct deadline_timer : detail::timer {
        explicit deadline_timer(timed_wait_awaiter& timed) noexcept : timer(&fired), owner(timed) {}
        static void fired(detail::timer& late) noexcept {
            auto& owner = static_cast<deadline_timer&>(late).owner;
            owner.condition_.reach_deadline(owner.waits_);
        }
        void disarm() noexcept { unlink(); }
        timed_wait_awaiter& owner;
    };

    condition_variable& condition_;
    waiting_task waits_;
    deadline_timer timer_;
    time_point deadline_;
};

inline condition_variable::wait_awaiter condition_variable::wait(mutex_guard& guard) noexcept {
    return {*this, guard};
}

inline condition_variable::timed_wait_awaiter condition_variable::wait_until(mutex_guard& guard,
                                                                             time_point deadline) noexcept {
    return {*this, guard, deadline};
}

template <class Rep, class Period>
condition_variable::timed_wait_awaiter condition_variable::wait_for(
    mutex_guard& guard, std::chrono::duration<Rep, Period> length) noexcept {
    return {*this, guard, detail::deadline_after(worker::current().now(), length)};
}

template <std::predicate Predicate>
task<> condition_variable::wait(mutex_guard& guard, Predicate holds) {
    while (!holds())
        co_await wait(guard);
}

template <std::predicate Predicate>
task<bool> condition_variable::wait_until(mutex_guard& guard, time_point deadline, Predicate holds) {
    while (!holds()) {
        const bool is_notified = co_await wait_until(guard, deadline);
        if (!is_notified)
            co_return holds();
    }
    co_return true;
}

template <class Rep, class Period, std::predicate Predicate>
task<bool> condition_variable::wait_for(mutex_guard& guard, std::chrono::duration<Rep, Period> length,
                                        Predicate holds) {
    return wait_until(guard, detail::deadline_after(worker::current().now(), length), std::move(holds));
}

}  // namespace eddy
