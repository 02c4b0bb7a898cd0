#include <eddy/sync/once.hpp>

#include <mutex>

namespace eddy {

bool once::begin_or_wait(detail::waiter& waits) noexcept {
    const std::lock_guard guard(lock_);
    if (try_begin() || is_done())
        return true;
    waits.wait_in(waiting_);
    return false;
}

void once::finish() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    state_.store(done, std::memory_order_release);
    while (!waiting_.empty())
        waiting_.pop_front().release(wakes);
}

void once::hand_on() noexcept {
    detail::pending_wakes wakes;
    const std::lock_guard guard(lock_);
    if (waiting_.empty())
        return state_.store(untouched, std::memory_order_release);
    waiting_.pop_front().release(wakes);
}

}  // namespace eddy
