#pragma once

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/runtime/detail/function_queue.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace eddy::detail {

/// Functions that any worker of a runtime may call: each worker with nothing else to call takes a few of the
/// oldest to its own queue.
///
/// Thread safety: for all threads.
class shared_functions {
public:
    /// Takes a function over. Throws std::bad_alloc, or what its constructor throws.
    template <class Function>
    void push(Function&& function) {
        const std::lock_guard lock(lock_);
        functions_.push(std::forward<Function>(function));
        const std::size_t before = count_.load(std::memory_order_relaxed);
        count_.store(before + 1, std::memory_order_relaxed);
        if (before == 0)
            is_filled_.store(true);
    }

    /// Sequentially consistent, for a worker that goes to sleep. May be called often: it costs pushing
    /// threads nothing as long as it does not change.
    [[nodiscard]] bool empty() const noexcept { return !is_filled_.load(); }
    [[nodiscard]] std::size_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

    /// Moves up to `share` of the oldest to the end of `to`, or fewer if memory runs out. Returns how many.
    std::size_t share_out(function_queue& to, std::size_t share) noexcept;

    /// Takes back `count` functions of another queue, or fewer if memory runs out. Returns how many are left
    /// there.
    std::size_t take_over(function_queue& from, std::size_t count) noexcept;

    /// Destroys all functions without calling them.
    void clear() noexcept;

private:
    alignas(64) spinlock lock_;
    atomic<std::size_t> count_{0};  // changed under the lock
    function_queue functions_;
    alignas(64) atomic<bool> is_filled_{false};  // changed under the lock
};

}  // namespace eddy::detail
