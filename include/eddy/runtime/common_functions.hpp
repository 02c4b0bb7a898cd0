#pragma once

#include <eddy/base/atomic.hpp>
#include <eddy/base/spinlock.hpp>
#include <eddy/runtime/function_queue.hpp>

#include <cstddef>
#include <mutex>
#include <utility>

namespace eddy::detail {

/// Functions that any worker of a runtime may call: each worker with nothing else to call takes a few of the
/// oldest to its own queue.
///
/// Thread safety: for all threads.
class common_functions {
public:
    /// Takes a function over. Throws std::bad_alloc, or what its constructor throws.
    template <class Function>
    void push(Function&& function) {
        const std::lock_guard lock(lock_);
        functions_.push(std::forward<Function>(function));
        count_.store(count_.load(std::memory_order_relaxed) + 1);
    }

    /// In one order with what else is sequentially consistent, for who goes to sleep.
    [[nodiscard]] bool empty() const noexcept { return count_.load() == 0; }

    /// Moves the share of one of `workers` to the end of `to`, as far as there is memory.
    void share_out(function_queue& to, std::size_t workers) noexcept;

    /// Destroys all functions without calling them.
    void clear() noexcept;

private:
    alignas(64) spinlock lock_;
    atomic<std::size_t> count_{0};  // changed under the lock
    function_queue functions_;
};

}  // namespace eddy::detail
