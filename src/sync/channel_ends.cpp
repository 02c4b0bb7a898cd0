#include <eddy/detail/assert.hpp>
#include <eddy/sync/detail/channel_ends.hpp>

#include <algorithm>
#include <bit>
#include <mutex>

namespace eddy::detail {

namespace {

// Where indices begin: well above zero, since items that are put back go below the front.
constexpr std::uint64_t first_index = std::uint64_t{1} << 32;
constexpr std::size_t slots_min = 8;

}  // namespace

channel_ends::channel_ends(std::size_t capacity) noexcept
    : receiving_{.front = index_lock(first_index), .back_seen = first_index},
      sending_{.back = index_lock(first_index), .front_seen = first_index},
      front_(first_index),
      back_(first_index),
      capacity_(capacity) {}

channel_ends::~channel_ends() {
    settle();
    EDDY_CHECK(receivers_.empty() && senders_.empty(), "no task waits at a channel that is destroyed");
    EDDY_CHECK(handed_.load() == 0, "a channel outlives a receiver that was handed an item");
}

// The receivers' lock comes first wherever both are taken.
void channel_ends::lock() noexcept {
    front_ = receiving_.front.lock();
    back_ = sending_.back.lock();
}

void channel_ends::unlock() noexcept {
    receiving_.back_seen = back_;
    receiving_.do_others_wait = !senders_.empty();
    sending_.front_seen = front_;
    sending_.room = std::min(capacity_, slots_ - handed_.load());
    sending_.is_special = is_closed_.load() || !receivers_.empty();
    sending_.back.unlock(back_);
    receiving_.front.unlock(front_);
}

void channel_ends::settle() const noexcept {
    receiving_.front.settle();
    sending_.back.settle();
}

std::size_t channel_ends::size() const noexcept {
    const std::uint64_t front = receiving_.front.index();
    const std::uint64_t back = sending_.back.index();
    return back > front ? back - front : 0;
}

std::size_t channel_ends::slots_wanted() const noexcept {
    return std::bit_ceil(std::max<std::size_t>(queued() + handed_.load() + 1, slots_min));
}

void channel_ends::set_slots(void* memory, std::size_t count) noexcept {
    slots_ = count;
    receiving_.slots = sending_.slots = memory;
    receiving_.mask = sending_.mask = count - 1;
}

void channel_ends::release_receivers(pending_wakes& wakes) noexcept {
    while (!receivers_.empty())
        receivers_.pop_front().release(wakes);
}

void channel_ends::close() noexcept {
    pending_wakes wakes;
    const std::lock_guard both(*this);
    if (is_closed_.exchange(true))
        return;
    while (!senders_.empty())
        senders_.pop_front().release(wakes);
    if (handed_.load() == 0)
        release_receivers(wakes);
}

// An item that had been handed to a receiver was taken, so the receivers that wait for its return need not.
void channel_ends::release_when_drained() noexcept {
    pending_wakes wakes;
    const std::lock_guard both(*this);
    if (is_drained())
        release_receivers(wakes);
}

}  // namespace eddy::detail
