#include <eddy/sync/detail/barrier_phases.hpp>

#include <mutex>
#include <utility>

namespace eddy::detail {

barrier_phases::duty barrier_phases::arrive(place& waits) noexcept {
    const std::lock_guard guard(lock_);
    waits.phase = filling_;
    const duty own = count_arrival();
    if (own == duty::wait)
        waits.wait_in(waiting_);
    return own;
}

barrier_phases::duty barrier_phases::arrive_and_drop() noexcept {
    const std::lock_guard guard(lock_);
    --expected_;
    return count_arrival();
}

barrier_phases::duty barrier_phases::count_arrival() noexcept {
    EDDY_CHECK(missing_ > 0, "no task arrives at a barrier that expects none");
    if (--missing_ > 0)
        return duty::wait;
    ++filling_;
    missing_ = expected_;
    return std::exchange(is_completing_, true) ? duty::wait : duty::complete;
}

bool barrier_phases::complete() noexcept {
    pending_wakes wakes;
    const std::lock_guard guard(lock_);
    ++completed_;
    while (!waiting_.empty() && static_cast<place&>(waiting_.front()).phase < completed_)
        waiting_.pop_front().release(wakes);
    is_completing_ = completed_ != filling_;
    return is_completing_;
}

}  // namespace eddy::detail
