#include <eddy/sync/detail/permit_queue.hpp>

#include <mutex>

namespace eddy::detail {

bool permit_queue::take_or_wait(permit_request& wanted) noexcept {
    const std::lock_guard guard(lock_);
    std::uint64_t seen = state_.load(std::memory_order_relaxed);
    while ((seen & contended) == 0) {
        const bool is_there = seen / one >= wanted.count;
        const std::uint64_t next = is_there ? seen - wanted.count * one : seen | contended;
        if (!state_.compare_exchange_weak(seen, next, std::memory_order_acquire, std::memory_order_relaxed))
            continue;
        if (is_there)
            return true;
        break;
    }
    wanted.wait_in(waiting_);
    return false;
}

void permit_queue::give_waiting(std::uint64_t count) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    std::uint64_t seen = state_.load(std::memory_order_acquire);
    // The last waiter may have left meanwhile.
    while ((seen & contended) == 0)
        if (state_.compare_exchange_weak(seen, seen + count * one, std::memory_order_release,
                                         std::memory_order_acquire))
            return;
    std::uint64_t permits = seen / one + count;
    while (!waiting_.empty() && first_waiting().count <= permits) {
        permits -= first_waiting().count;
        waiting_.pop_front().release(wakes);
    }
    state_.store(permits * one + (waiting_.empty() ? 0 : contended), std::memory_order_release);
}

void permit_queue::take_out(permit_request& dropped) noexcept {
    // A request that leaves may have been what kept smaller ones behind it from going on.
    give_waiting(dropped.withdraw(lock_) ? dropped.count : 0);
}

void permit_queue::take_blocking(std::uint64_t count) noexcept {
    if (try_take(count))
        return;
    permit_request wanted(*this, count);
    if (take_or_wait(wanted))
        finish(wanted);
    else
        wanted.block(lock_);
}

}  // namespace eddy::detail
