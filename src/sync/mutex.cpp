#include <eddy/sync/mutex.hpp>

#include <mutex>
#include <utility>

namespace eddy {

namespace {

// How often a waiter is called, and finds that another task was faster, before it is handed the lock.
constexpr unsigned char calls_in_vain_max = 4;

}  // namespace

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

bool mutex::take_or_wait(queued& waits) noexcept {
    const std::lock_guard guard(queue_lock_);
    if (take_or_contend())
        return true;
    waits.wait_in(waiting_);
    return false;
}

void mutex::give_or_queue(queued& waits, detail::pending_wakes& wakes) noexcept {
    const std::lock_guard guard(queue_lock_);
    waits.has_lock = take_or_contend();
    if (waits.has_lock)
        waits.release(wakes);
    else
        waiting_.push_back(waits);
}

bool mutex::take_when_called(queued& called) noexcept {
    const std::lock_guard guard(queue_lock_);
    is_one_called_ = false;
    called.has_lock = take_or_contend();
    if (!called.has_lock) {
        ++called.calls_in_vain;
        waiting_.push_front(called);
    } else if (!waiting_.empty()) {
        state_.store(contended, std::memory_order_relaxed);
    }
    return called.has_lock;
}

void mutex::pass_on(detail::pending_wakes& wakes) noexcept {
    if (waiting_.empty())
        return state_.store(unlocked, std::memory_order_release);
    auto& next = static_cast<queued&>(waiting_.front());
    if (next.is_at_home() || next.calls_in_vain == calls_in_vain_max) {
        next.unlink();
        state_.store(waiting_.empty() ? locked : contended, std::memory_order_relaxed);
        next.has_lock = true;
        return next.release(wakes);
    }
    // The call takes long: until it arrives the lock is free for any task.
    state_.store(unlocked, std::memory_order_release);
    if (std::exchange(is_one_called_, true))
        return;
    next.unlink();
    next.release(wakes);
}

void mutex::unlock_contended() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(queue_lock_);
    EDDY_CHECK(state_.load(std::memory_order_relaxed) != unlocked, "what is unlocked is locked");
    pass_on(wakes);
}

void mutex::take_out(queued& dropped) noexcept {
    if (!dropped.waiter::withdraw(queue_lock_))
        return;
    if (dropped.has_lock)
        return unlock();
    detail::pending_wakes wakes;
    const std::lock_guard guard(queue_lock_);
    is_one_called_ = false;
    if (!waiting_.empty() && take_or_contend())
        pass_on(wakes);
}

void mutex::block(queued& waits) noexcept {
    do
        waits.block(queue_lock_);
    while (!waits.may_resume());
}

mutex_guard mutex::lock_blocking() noexcept {
    if (!try_take()) {
        queued waits(this);
        if (!take_or_wait(waits))
            block(waits);
    }
    queue_lock_.settle();
    return {*this, std::adopt_lock};
}

}  // namespace eddy
