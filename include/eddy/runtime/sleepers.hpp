#pragma once

#include <eddy/base/atomic.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace eddy::detail {

/// Which workers sleep, to be called when there is something that any of them can do. One call at a time is
/// under way: who is called takes a share, and calls the next if something is left.
///
/// Who goes to sleep says so first, then looks whether there is something to do. Who brings something first
/// puts it there, then looks for sleepers. So one of the two sees the other.
///
/// Thread safety: for all threads.
class sleepers {
public:
    explicit sleepers(std::size_t workers)
        : sleeps_(std::make_unique<atomic<bool>[]>(workers)), workers_(workers) {}

    [[nodiscard]] std::size_t workers() const noexcept { return workers_; }

    /// A worker is about to sleep, and looks whether there is something to do next.
    void add(std::size_t worker) noexcept {
        sleeps_[worker].store(true);
        count_.fetch_add(1);
    }
    /// It is awake, or does not sleep after all, and looks for something to do next, or calls another one.
    /// Gives whether it has been chosen: it has been woken, or soon will be, and must not be added before.
    /// Requires: it was added.
    [[nodiscard]] bool remove(std::size_t worker) noexcept {
        count_.fetch_sub(1);
        if (sleeps_[worker].exchange(false))
            return false;
        is_one_called_.exchange(false);
        return true;
    }
    [[nodiscard]] bool empty() const noexcept { return count_.load() == 0; }

    /// Gives the worker that must be woken for what has been put there, if one must. `is_needed()` says
    /// whether it still is there.
    template <class Predicate>
    [[nodiscard]] std::optional<std::size_t> choose(Predicate is_needed) noexcept {
        while (!empty() && is_needed() && !is_one_called_.exchange(true)) {
            for (std::size_t worker = 0; worker < workers_; ++worker)
                if (sleeps_[worker].load() && sleeps_[worker].exchange(false))
                    return worker;
            // All are awake, and look before they sleep. But one may have looked and gone to sleep since,
            // before somebody else put something there who then relied on this call.
            is_one_called_.exchange(false);
        }
        return std::nullopt;
    }

private:
    std::unique_ptr<atomic<bool>[]> sleeps_;
    std::size_t workers_;
    alignas(64) atomic<std::size_t> count_{0};
    atomic<bool> is_one_called_{false};  // chosen, and not awake yet
};

}  // namespace eddy::detail
