#pragma once

#include <eddy/detail/atomic.hpp>

#include <cstddef>
#include <memory>
#include <optional>

namespace eddy::detail {

/// The sleeping workers, to be woken when there are more shared functions than those awake are expected to
/// call soon. One call at a time is under way: the called worker takes a share, and calls the next if too
/// much is left. No more workers attend to it at a time than there are processors, since more would only take
/// turns.
///
/// A worker that attends may be blocked in user code, for example by a function that waits. As long as any
/// attends, one of the sleeping workers watches them: it does not sleep for long, and checks whether they
/// make progress.
///
/// A worker that goes to sleep first marks that it attends no longer, then looks whether there is something
/// to attend to. A post first enqueues its function, then looks for sleepers. So one of the two sees the
/// other.
///
/// Thread safety: for all threads.
class idle_workers {
public:
    idle_workers(std::size_t workers, std::size_t processors)
        : sleeps_(std::make_unique<atomic<bool>[]>(workers)), workers_(workers), searching_max_(processors) {}

    [[nodiscard]] std::size_t workers() const noexcept { return workers_; }

    /// A worker is about to sleep, and looks whether there is something to do next.
    void add(std::size_t worker) noexcept {
        sleeps_[worker].store(true);
        count_.fetch_add(1);
    }
    /// It is awake, or does not sleep after all, and looks for something to do next, or calls another one.
    /// Returns whether it has been chosen: it has been woken, or soon will be, and must not be added before.
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
    [[nodiscard]] bool try_start_searching() noexcept {
        std::size_t searching = searching_.load();
        while (searching < searching_max_)
            if (searching_.compare_exchange_weak(searching, searching + 1))
                return true;
        return false;
    }
    void stop_searching() noexcept { searching_.fetch_sub(1); }
    /// The same whatever the limit, for a worker that holds functions already.
    void keep_searching() noexcept { searching_.fetch_add(1); }
    [[nodiscard]] bool is_any_searching() const noexcept { return searching_.load() != 0; }
    /// Whether another worker might.
    [[nodiscard]] bool may_search() const noexcept { return searching_.load() < searching_max_; }

    /// A worker that attends is expected to do so much soon, and no longer what it was expected to do.
    void expect(std::size_t soon, std::size_t no_longer) noexcept { expected_.fetch_add(soon - no_longer); }

    /// Returns the worker that must be woken, if one must, for what was enqueued: `waiting()` returns how
    /// much that is.
    template <class Count>
    [[nodiscard]] std::optional<std::size_t> choose(Count waiting) noexcept {
        return choose_while([&] { return may_search() && waiting() > expected_.load(); });
    }
    /// Returns the worker that must be woken to watch, if one must. For a worker that attends, or leaves
    /// something to one that does.
    [[nodiscard]] std::optional<std::size_t> choose_watcher() noexcept {
        return choose_while([this] { return is_any_searching() && !is_watched_.load(); });
    }

    /// A worker that was added is about to watch, unless another one does: false.
    [[nodiscard]] bool begin_watch() noexcept { return !is_watched_.exchange(true); }
    void end_watch() noexcept { is_watched_.store(false); }

private:
    template <class Condition>
    [[nodiscard]] std::optional<std::size_t> choose_while(Condition is_needed) noexcept {
        while (!empty() && is_needed() && !is_one_called_.exchange(true)) {
            for (std::size_t worker = 0; worker < workers_; ++worker)
                if (sleeps_[worker].load() && sleeps_[worker].exchange(false))
                    return worker;
            // All are awake, and look before they sleep. But one may have looked and gone to sleep since,
            // before another thread enqueued something and then relied on this call.
            is_one_called_.exchange(false);
        }
        return std::nullopt;
    }

    std::unique_ptr<atomic<bool>[]> sleeps_;
    std::size_t workers_;
    std::size_t searching_max_;
    alignas(64) atomic<std::size_t> count_{0};
    atomic<std::size_t> searching_{0};
    atomic<std::size_t> expected_{0};
    atomic<bool> is_one_called_{false};  // chosen, and not awake yet
    atomic<bool> is_watched_{false};
};

}  // namespace eddy::detail
