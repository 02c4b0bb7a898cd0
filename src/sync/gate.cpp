#include <eddy/sync/detail/gate.hpp>

#include <mutex>

namespace eddy::detail {

bool gate::pass_or_wait(waiter& waits) noexcept {
    const std::lock_guard guard(lock_);
    std::uint32_t seen = is_closed;
    if (!state_.compare_exchange_strong(seen, is_awaited, std::memory_order_acquire,
                                        std::memory_order_acquire) &&
        seen == is_opened)
        return true;
    waits.wait_in(waiting_);
    return false;
}

void gate::release_all() noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    // Another thread may have opened it meanwhile, and closed it again.
    state_.store(is_opened, std::memory_order_release);
    while (!waiting_.empty())
        waiting_.pop_front().release(wakes);
}

}  // namespace eddy::detail
