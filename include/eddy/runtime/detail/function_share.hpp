#pragma once

#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/runtime/detail/function_queue.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace eddy::detail {

class shared_functions;

/// The functions that a worker has taken from those that are common to all, and whether it attends to them
/// (see idle_workers). A worker that is held in user code attends no longer, and what it has taken goes back:
/// another one takes that from it.
///
/// Thread safety: its worker's, but for release_if_held().
class function_share {
public:
    [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }
    [[nodiscard]] bool is_searching() const noexcept { return is_searching_.load(std::memory_order_relaxed); }

    /// Requires: the worker has begun to attend.
    void try_start_searching() noexcept {
        const std::lock_guard lock(lock_);
        is_searching_.store(true, std::memory_order_relaxed);
        ++steps_;
    }
    /// Returns what it was expected to do if it attended until now.
    [[nodiscard]] std::optional<std::size_t> stop_searching() noexcept {
        const std::lock_guard lock(lock_);
        return end();
    }

    /// Takes all that is in `taken`; the worker is now expected to do `soon` of it, and returns what it was
    /// expected to do before. With nothing taken all stays as it is, and it returns `soon`. No value if it
    /// attends no longer. Requires: none was taken out of `taken` since it was made or emptied by this.
    [[nodiscard]] std::optional<std::size_t> add(function_queue& taken, std::size_t count,
                                                 std::size_t soon) noexcept;
    /// Moves the oldest function behind those of another queue; false if there is none. Throws
    /// std::bad_alloc.
    [[nodiscard]] bool move_next(function_queue& to);

    /// Any thread, one at a time: returns the functions if the worker has made no step since the last call.
    /// If it attended, it no longer does, and `expected` holds what it was expected to do.
    struct release {
        bool is_held = false;
        std::optional<std::size_t> expected;
    };
    [[nodiscard]] release release_if_held(shared_functions& to) noexcept;

    void clear() noexcept;

private:
    [[nodiscard]] std::optional<std::size_t> end() noexcept {
        if (!is_searching_.load(std::memory_order_relaxed))
            return std::nullopt;
        is_searching_.store(false, std::memory_order_relaxed);
        return std::exchange(expected_, 0);
    }

    alignas(64) spinlock lock_;
    function_queue functions_;
    atomic<std::size_t> count_{0};  // changed under the lock
    atomic<bool> is_searching_{false};
    std::size_t expected_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t steps_seen_ = 0;
};

}  // namespace eddy::detail
