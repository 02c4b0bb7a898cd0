#include <eddy/sync/auto_reset_event.hpp>

#include <mutex>

namespace eddy {

bool auto_reset_event::take_or_wait(detail::waiter& waits) noexcept {
    const std::lock_guard guard(lock_);
    std::uint32_t seen = state_.load(std::memory_order_relaxed);
    while (seen != awaited) {
        const std::uint32_t wanted = seen == signalled ? unset : awaited;
        if (!state_.compare_exchange_weak(seen, wanted, std::memory_order_acquire, std::memory_order_relaxed))
            continue;
        if (wanted == unset)
            return true;
        break;
    }
    waits.wait_in(waiting_);
    return false;
}

void auto_reset_event::hand_on() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    if (waiting_.empty())
        return state_.store(signalled, std::memory_order_release);
    detail::waiter& next = waiting_.pop_front();
    if (waiting_.empty())
        state_.store(unset, std::memory_order_relaxed);
    next.release(wakes);
}

}  // namespace eddy
