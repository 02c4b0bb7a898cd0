#include <eddy/sync/condition_variable.hpp>

#include <mutex>
#include <utility>

// A waiter is in the list of the condition variable until a cause ends that, then in the queue of its mutex,
// and is released with the lock. It moves under both locks, this one's taken first, so a thread that has this
// one's lock knows in which list it is. A deadline is a cause like the others: hence a waiter is made ready
// once, by the thread that hands it the mutex.

namespace eddy {

void condition_variable::begin(waiting_task& waits) noexcept {
    waits.wanted = waits.guard().release();
    {
        const std::lock_guard guard(lock_);
        waits.wait_in(waiting_);
        note_waiters();
    }
    waits.wanted->unlock();
}

void condition_variable::finish(waiting_task& waited) noexcept {
    mutex& locked = *waited.wanted;
    waited.finish(locked.queue_lock_);
    lock_.settle();
    waited.guard() = mutex_guard(locked, std::adopt_lock);
}

void condition_variable::wait_blocking(mutex_guard& guard) noexcept {
    waiting_task waits(guard);
    begin(waits);
    waits.wanted->block(waits);
    finish(waits);
}

void condition_variable::queue_for_lock(waiting_task& ended, cause by,
                                        detail::pending_wakes& wakes) noexcept {
    ended.ended_by = by;
    ended.wanted->give_or_queue(ended, wakes);
}

void condition_variable::notify_first() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    if (waiting_.empty())
        return;
    auto& first = static_cast<waiting_task&>(waiting_.pop_front());
    note_waiters();
    queue_for_lock(first, cause::notified_one, wakes);
}

void condition_variable::notify_waiting() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    has_waiters_.store(false, std::memory_order_relaxed);
    while (!waiting_.empty())
        queue_for_lock(static_cast<waiting_task&>(waiting_.pop_front()), cause::notified_all, wakes);
}

void condition_variable::reach_deadline(waiting_task& late) noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    if (late.ended_by != cause::none)
        return;
    late.unlink();
    note_waiters();
    queue_for_lock(late, cause::deadline, wakes);
}

condition_variable::cause condition_variable::leave(waiting_task& dropped) noexcept {
    const std::lock_guard guard(lock_);
    if (dropped.ended_by == cause::none) {
        dropped.unlink();
        note_waiters();
    }
    return dropped.ended_by;
}

void condition_variable::take_out(waiting_task& dropped) noexcept {
    const cause ended_by = leave(dropped);
    if (ended_by == cause::none)
        return;
    dropped.wanted->withdraw(dropped);
    if (ended_by == cause::notified_one)
        notify_one();
}

}  // namespace eddy
