#include <eddy/sync/detail/countdown.hpp>

#include <mutex>

namespace eddy::detail {

bool countdown::pass_or_wait(waiter& waits) noexcept {
    const std::lock_guard guard(lock_);
    if (is_open())
        return true;
    waits.wait_in(waiting_);
    return false;
}

void countdown::lower_to_zero(std::ptrdiff_t by) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    const std::ptrdiff_t before = count_.fetch_sub(by, std::memory_order_acq_rel);
    EDDY_CHECK(before >= by, "nothing is counted down that was not there");
    if (before != by)
        return;
    while (!waiting_.empty())
        waiting_.pop_front().release(wakes);
}

}  // namespace eddy::detail
