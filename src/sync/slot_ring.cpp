#include <eddy/sync/detail/slot_ring.hpp>

#include <algorithm>
#include <mutex>

namespace eddy::detail {

slot_ring_base::slot_ring_base(std::size_t capacity)
    : capacity_(capacity), slots_(std::make_unique<slot_base*[]>(capacity)) {
    EDDY_ASSERT(capacity > 0, "there is room for a value");
}

void slot_ring_base::close() noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    is_closed_.store(true, std::memory_order_release);
    release_all(wakes);
}

bool slot_ring_base::wait(waiter& waits, std::uint64_t next) noexcept {
    const std::lock_guard guard(lock_);
    if (has_news(next))
        return false;
    waits.wait_in(waiting_);
    return true;
}

void slot_ring_base::wait_blocking(std::uint64_t next) noexcept {
    if (has_news(next))
        return;
    waiter blocked;
    if (wait(blocked, next))
        blocked.block(lock_);
}

slot_ring_base::look slot_ring_base::find(std::uint64_t next) noexcept {
    const std::lock_guard guard(lock_);
    const std::uint64_t end = published_.load(std::memory_order_relaxed);
    if (next == end)
        return {};
    const std::uint64_t oldest = end - std::min<std::uint64_t>(end, capacity_);
    if (next < oldest)
        return {nullptr, oldest - next};
    slot_base& found = *slots_[next % capacity_];
    found.users.fetch_add(1, std::memory_order_relaxed);
    return {&found, 0};
}

std::pair<slot_base*, std::uint64_t> slot_ring_base::find_newest() noexcept {
    const std::lock_guard guard(lock_);
    const std::uint64_t newest = published_.load(std::memory_order_relaxed) - 1;
    slot_base& found = *slots_[newest % capacity_];
    found.users.fetch_add(1, std::memory_order_relaxed);
    return {&found, newest};
}

slot_base* slot_ring_base::publish(slot_base& added, std::uint64_t wanted) noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    const std::uint64_t number = published_.load(std::memory_order_relaxed);
    if (is_closed_.load(std::memory_order_relaxed) || (wanted != any_number && wanted != number))
        return &added;
    slot_base* const left = std::exchange(slots_[number % capacity_], &added);
    published_.store(number + 1, std::memory_order_release);
    release_all(wakes);
    return left;
}

void slot_ring_base::release_all(pending_wakes& wakes) noexcept {
    while (!waiting_.empty())
        waiting_.pop_front().release(wakes);
}

}  // namespace eddy::detail
