#pragma once

#include "support/turns.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/detail/disable_speculation.hpp>
#include <eddy/runtime/detail/inbox.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/runtime/worker.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <coroutine>
#include <functional>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <vector>

namespace eddy::test {

/// How far an operation has come when its task is dropped. "Won": what it waits for has happened.
enum class moment {
    begun,           ///< asked for; the system has not been entered since
    begun_and_won,   ///< the same, but it can be carried out at once (on epoll it has been, unreported)
    posted_at_once,  ///< it could be carried out at once; the system has reported it, nobody has looked
    under_way,       ///< the system has it
    under_way_full,  ///< the same, and io_uring's submission queue has no room for the cancellation
    won,             ///< the system has it, and it has been won since
    won_full,        ///< the same without room for the cancellation
    posted,          ///< it was under way, and the system has reported the success, nobody has looked
    ready,           ///< the success has been noted, and the task is about to be resumed
};

inline std::vector<moment> every_moment() {
    using enum moment;
    return {begun, begun_and_won, posted_at_once, under_way, under_way_full, won, won_full, posted, ready};
}

inline std::string to_string(moment when) {
    constexpr std::string_view names[] = {"begun",     "begun_and_won",  "posted_at_once",
                                          "under_way", "under_way_full", "won",
                                          "won_full",  "posted",         "ready"};
    return std::string(names[static_cast<std::size_t>(when)]);
}

/// A worker on which moments can be told apart: one entry fills io_uring's submission queue.
inline runtime_options one_entry_options() {
    return runtime_options().workers(1).io(io::backend_options().queue_entries(1).receive_buffers_max(64));
}

[[nodiscard]] inline bool is_on_io_uring() {
    return std::string_view(eddy::detail::worker_core::current().backend().name()) == "io_uring";
}
[[nodiscard]] inline io::backend_metrics backend_metrics() {
    return eddy::detail::worker_core::current().backend().metrics();
}

/// Puts an entry that means nothing to anybody into the submission queue.
inline void queue_an_entry() {
    eddy::detail::worker_core::current().backend().close(::eventfd(0, EFD_CLOEXEC));
}

/// Has the kernel take what is queued and report what it can, without anybody looking at the reports: an
/// entry that finds the queue full does that. Only io_uring has such a state.
inline void enter_without_reaping() {
    if (!is_on_io_uring())
        return;
    // The second entry: what completes by way of the thread's own work may be reported at the next entry
    // only.
    for (int time = 0; time < 2; ++time) {
        const auto before = backend_metrics().kernel_entries;
        while (backend_metrics().kernel_entries == before)
            queue_an_entry();
    }
}

/// Awaited: resumes the task after the backend's next turn, ahead of all tasks that this turn makes ready.
class backend_turn : detail::inbox_item {
public:
    backend_turn() noexcept : inbox_item(&received) {}
    backend_turn(const backend_turn&) = delete;
    backend_turn& operator=(const backend_turn&) = delete;
    ~backend_turn() = default;

    bool await_ready() const noexcept { return false; }
    template <class Point>
    void await_suspend(Point point) noexcept {
        waiter_ = &detail::resume_loop::current().suspend(point);
        eddy::detail::worker_core::current().post(*this);  // messages are taken before the backend's turn
    }
    void await_resume() const noexcept {}

private:
    static void received(inbox_item& item, bool is_discarded) noexcept {
        detail::job& waiter = *static_cast<backend_turn&>(item).waiter_;
        if (!is_discarded)
            waiter.loop().make_ready(waiter);
    }

    detail::job* waiter_ = nullptr;
};

/// Turns until an operation has ended, whose task is then ready but has not been resumed. Requires: tasks go
/// on in the order in which they became ready.
inline task<> until_one_is_ready() {
    const auto before = backend_metrics().completions;
    // What the kernel's own threads are at takes its time.
    const time_point deadline = clock::now() + std::chrono::seconds(20);
    while (backend_metrics().completions == before && clock::now() < deadline) {
        backend_turn next;
        co_await next;
    }
    EXPECT_GT(backend_metrics().completions, before) << "nothing has ended";
}

/// What happens while the operation comes to its moment.
class race {
public:
    race(moment when, std::function<void()> win) : when_(when), win_(std::move(win)) {}

    [[nodiscard]] moment when() const noexcept { return when_; }
    /// Lets happen what the operation waits for, once.
    void win() {
        if (!has_won_)
            win_();
        has_won_ = true;
    }

    /// Brings the task that was spawned last, and waits for one operation, to the moment.
    task<> reach() {
        using enum moment;
        if (when_ == begun_and_won || when_ == posted_at_once)
            win();
        co_await yield();  // the task begins its operation
        if (when_ == posted_at_once)
            enter_without_reaping();
        if (when_ == begun || when_ == begun_and_won || when_ == posted_at_once)
            co_return;
        co_await turns(2);
        if (when_ != under_way && when_ != under_way_full)
            win();
        if (when_ == posted)
            enter_without_reaping();
        if (when_ == ready)
            co_await until_one_is_ready();
        if (when_ == under_way_full || when_ == won_full)
            queue_an_entry();
    }

    /// Drops the task and checks that the moment was the one that was meant.
    template <class T>
    void drop(handle<T>& dropped) {
        using enum moment;
        EXPECT_FALSE(dropped.done());
        const auto before = backend_metrics();
        dropped.cancel();
        const auto after = backend_metrics();
        if (when_ == ready) {
            EXPECT_EQ(after.withdrawn, before.withdrawn) << "it had not ended";
        }
        const bool needs_the_kernel = when_ != begun && when_ != begun_and_won && when_ != posted_at_once &&
                                      when_ != posted && when_ != ready;
        if (!needs_the_kernel) {
            EXPECT_EQ(after.kernel_entries, before.kernel_entries) << "the kernel was asked";
        }
    }

private:
    moment when_;
    std::function<void()> win_;
    bool has_won_ = false;
    io::disable_speculation disable_speculation_;
};

}  // namespace eddy::test
