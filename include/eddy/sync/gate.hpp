#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/atomic.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/sync/waiter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// What event<T> is made of: a word that says whether it is open, and who waits for that. See gate_awaiter.
///
/// Thread safety: everything may be called by any thread.
class gate {
public:
    gate() noexcept = default;
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() { EDDY_ASSERT(waiting_.empty(), "nobody waits for an event that is destroyed"); }

    /// Lets everybody pass who waits, and who comes. One atomic operation if nobody waits.
    void open() noexcept {
        std::uint32_t expected = is_closed;
        if (!state_.compare_exchange_strong(expected, is_opened, std::memory_order_release,
                                            std::memory_order_relaxed) &&
            expected == is_awaited)
            release_all();
    }
    void close() noexcept {
        std::uint32_t expected = is_opened;
        state_.compare_exchange_strong(expected, is_closed, std::memory_order_relaxed,
                                       std::memory_order_relaxed);
    }

    [[nodiscard]] bool is_open() const noexcept {
        return state_.load(std::memory_order_acquire) == is_opened;
    }
    [[nodiscard]] bool pass_or_wait(waiter& waits) noexcept;
    [[nodiscard]] spinlock& lock() noexcept { return lock_; }
    [[nodiscard]] const spinlock& lock() const noexcept { return lock_; }

private:
    void release_all() noexcept;

    // What state_ says. It becomes `is_awaited`, and leaves it, under the lock only, so a waiter that has
    // made it so cannot be missed. Nobody may wait all the same, after a dropped wait.
    static constexpr std::uint32_t is_closed = 0;
    static constexpr std::uint32_t is_opened = 1;
    static constexpr std::uint32_t is_awaited = 2;  // closed, that is

    atomic<std::uint32_t> state_{is_closed};
    spinlock lock_;
    waiter_list waiting_;
};

}  // namespace eddy::detail
