#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstddef>

namespace eddy::detail {

/// The base of latch and wait_group: a count, and the waiters for its zero. See gate_awaiter.
///
/// Thread safety: any thread may call everything. All that happened before a lower() is visible to a task
/// that has passed.
class countdown {
public:
    explicit countdown(std::ptrdiff_t count) noexcept : count_(count) {
        EDDY_ASSERT(count >= 0, "a count is not negative");
    }
    countdown(const countdown&) = delete;
    countdown& operator=(const countdown&) = delete;
    ~countdown() { EDDY_CHECK(waiting_.empty(), "no task waits for a count that is destroyed"); }

    void raise(std::ptrdiff_t by) noexcept {
        EDDY_ASSERT(by >= 0, "a count is raised");
        count_.fetch_add(by, std::memory_order_relaxed);
    }
    /// One atomic operation but for the last one, which takes the lock: it must hold it before anybody can
    /// see the zero and destroy this.
    void lower(std::ptrdiff_t by) noexcept {
        EDDY_ASSERT(by >= 0, "a count is lowered");
        std::ptrdiff_t seen = count_.load(std::memory_order_relaxed);
        while (seen > by)
            if (count_.compare_exchange_weak(seen, seen - by, std::memory_order_release,
                                             std::memory_order_relaxed))
                return;
        lower_to_zero(by);
    }

    [[nodiscard]] std::ptrdiff_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool is_open() const noexcept { return count_.load(std::memory_order_acquire) == 0; }
    [[nodiscard]] bool pass_or_wait(waiter& waits) noexcept;
    [[nodiscard]] spinlock& lock() noexcept { return lock_; }
    [[nodiscard]] const spinlock& lock() const noexcept { return lock_; }

private:
    void lower_to_zero(std::ptrdiff_t by) noexcept;

    atomic<std::ptrdiff_t> count_;  // becomes zero under the lock only
    spinlock lock_;
    waiter_list waiting_;
};

}  // namespace eddy::detail
