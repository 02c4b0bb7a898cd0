#pragma once

#include <eddy/detail/counter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// The activity of a thread, visible to other threads: whether it is working, and when it begins the next
/// piece of work. An observer that finds the same piece twice knows that the thread has worked on it in
/// between. Costs the thread plain stores.
///
/// Thread safety: changed by one thread, which a signal handler that reads it may interrupt; read by any.
class activity {
public:
    /// A piece of work begins, the first after a rest or not.
    void work() noexcept {
        next();
        is_at_work_.store(true, std::memory_order_relaxed);
    }
    /// The next piece begins. Requires: the thread is working, or will soon be.
    void next() noexcept { ++pieces_; }
    /// The number of the piece that began last. The thread's own.
    [[nodiscard]] std::uint64_t number() const noexcept { return pieces_.value(); }
    /// The work is over for now.
    void rest() noexcept { is_at_work_.store(false, std::memory_order_relaxed); }

    /// The number of the current piece of work, 0 for none.
    [[nodiscard]] std::uint64_t piece() const noexcept {
        return is_at_work_.load(std::memory_order_relaxed) ? pieces_.value() : 0;
    }

private:
    counter pieces_;
    std::atomic<bool> is_at_work_{false};
};

}  // namespace eddy::detail
