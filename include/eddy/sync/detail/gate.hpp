#pragma once

#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::detail {

/// The base of event<T>: a word with whether it is open, and the waiters for that. See gate_awaiter.
///
/// Thread safety: any thread may call everything.
class gate {
public:
    gate() noexcept = default;
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() { EDDY_CHECK(waiting_.empty(), "no task waits for an event that is destroyed"); }

    /// Releases all waiters, and lets later ones pass. One atomic operation if there are no waiters.
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

    // The values of state_. It becomes `is_awaited`, and leaves it, under the lock only, so a waiter that has
    // made it so cannot be missed. After a dropped wait the list may be empty all the same.
    static constexpr std::uint32_t is_closed = 0;
    static constexpr std::uint32_t is_opened = 1;
    static constexpr std::uint32_t is_awaited = 2;  // closed, that is

    atomic<std::uint32_t> state_{is_closed};
    spinlock lock_;
    waiter_list waiting_;
};

}  // namespace eddy::detail
