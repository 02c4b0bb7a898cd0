#pragma once

#include <eddy/base/atomic.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace eddy::detail {

/// Which workers sleep, to be called when there is more that any of them can do than those that are awake are
/// expected to do soon. One call at a time is under way: who is called takes a share, and calls the next if
/// too much is left. No more workers attend to it at a time than there are processors, since more would only
/// take turns.
///
/// Who goes to sleep attends no longer and says so first, then looks whether there is something to attend to.
/// Who brings something first puts it there, then looks for sleepers. So one of the two sees the other.
///
/// Thread safety: for all threads.
class sleepers {
public:
    sleepers(std::size_t workers, std::size_t processors)
        : sleeps_(std::make_unique<atomic<bool>[]>(workers)), workers_(workers), attending_max_(processors) {}

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

    /// A worker that is awake begins to attend. False: enough do.
    [[nodiscard]] bool begin_attending() noexcept {
        std::size_t attending = attending_.load();
        while (attending < attending_max_)
            if (attending_.compare_exchange_weak(attending, attending + 1))
                return true;
        return false;
    }
    void end_attending() noexcept { attending_.fetch_sub(1); }
    /// Whether another worker might.
    [[nodiscard]] bool may_attend() const noexcept { return attending_.load() < attending_max_; }

    /// A worker that attends is expected to do so much soon, and no longer what it was expected to do.
    void expect(std::size_t soon, std::size_t no_longer) noexcept { expected_.fetch_add(soon - no_longer); }

    /// Gives the worker that must be woken, if one must, for what has been put there: `waiting()` says how
    /// much there is.
    template <class Count>
    [[nodiscard]] std::optional<std::size_t> choose(Count waiting) noexcept {
        while (!empty() && may_attend() && waiting() > expected_.load() && !is_one_called_.exchange(true)) {
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
    std::size_t attending_max_;
    alignas(64) atomic<std::size_t> count_{0};
    atomic<std::size_t> attending_{0};
    atomic<std::size_t> expected_{0};
    atomic<bool> is_one_called_{false};  // chosen, and not awake yet
};

}  // namespace eddy::detail
