#include <eddy/sync/mutex.hpp>

#include <mutex>

namespace eddy {

bool mutex::take_or_contend() noexcept {
    std::uint32_t seen = state_.load(std::memory_order_relaxed);
    while (seen != contended) {
        const std::uint32_t wanted = seen == unlocked ? locked : contended;
        if (!state_.compare_exchange_weak(seen, wanted, std::memory_order_acquire, std::memory_order_relaxed))
            continue;
        return wanted == locked;
    }
    return false;
}

bool mutex::take_or_wait(detail::waiter& waits) noexcept {
    const std::lock_guard guard(queue_lock_);
    if (take_or_contend())
        return true;
    waits.wait_in(waiting_);
    return false;
}

void mutex::give_or_queue(detail::waiter& waits, detail::pending_wakes& wakes) noexcept {
    const std::lock_guard guard(queue_lock_);
    if (take_or_contend())
        waits.release(wakes);
    else
        waiting_.push_back(waits);
}

void mutex::hand_on() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(queue_lock_);
    if (waiting_.empty())
        return state_.store(unlocked, std::memory_order_release);
    detail::waiter& next = waiting_.pop_front();
    if (waiting_.empty())
        state_.store(locked, std::memory_order_relaxed);
    next.release(wakes);
}

mutex_guard mutex::lock_blocking() noexcept {
    if (!try_take()) {
        detail::waiter waits;
        if (!take_or_wait(waits))
            waits.block(queue_lock_);
    }
    queue_lock_.settle();
    return {*this, std::adopt_lock};
}

}  // namespace eddy
