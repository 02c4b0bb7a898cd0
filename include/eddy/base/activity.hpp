#pragma once

#include <eddy/base/counter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// What a thread lets others see of its work: that it is at some, and when it goes on to the next piece. Who
/// looks twice and finds the same piece knows that the thread has been at it meanwhile. Costs the thread
/// plain stores.
///
/// Thread safety: changed by one thread, which may be interrupted by a signal's handler that looks; read by
/// any.
class activity {
public:
    /// A piece of work begins, the first after a rest or not.
    void work() noexcept {
        next();
        is_at_work_.store(true, std::memory_order_relaxed);
    }
    /// The next piece begins. Requires: it is at work, or will soon be.
    void next() noexcept { ++pieces_; }
    /// The work is over for now.
    void rest() noexcept { is_at_work_.store(false, std::memory_order_relaxed); }

    /// The number of the piece of work that it is at, 0 for none.
    [[nodiscard]] std::uint64_t piece() const noexcept {
        return is_at_work_.load(std::memory_order_relaxed) ? pieces_.value() : 0;
    }

private:
    counter pieces_;
    std::atomic<bool> is_at_work_{false};
};

}  // namespace eddy::detail
