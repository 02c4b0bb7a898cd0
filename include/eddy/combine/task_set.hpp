#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/base/intrusive_list.hpp>
#include <eddy/combine/task_set_options.hpp>
#include <eddy/combine/task_set_waiter.hpp>
#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/suspension.hpp>
#include <eddy/core/task.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace eddy {

/// Owns a changing number of running tasks. Each is freed as it ends.
///
/// - Ownership: tasks belong to the set until they end. Destroying the set closes it and drops them all.
/// - Errors: an exception that leaves a task goes to the error handler, once the task is gone; without one it
///   ends the program with a message that names the task. So does an exception that leaves the handler.
/// - Waiting: any number of tasks may wait for a set at once. They are resumed by their worker's loop, never
///   inside the call that ends their wait, and do not need the set any more by then. What they waited for was
///   so when their wait ended; others that go on first may have changed it.
/// - A task of the set may cancel, close or destroy it, and so may the error handler: the running task is
///   then destroyed at its next suspension. The error of a task whose own destructors destroy the set goes
///   nowhere. A task that joins the set it is in waits for itself.
/// - Thread safety: none; a set belongs to the worker on which it is used.
/// - Cost: a task costs its frame and a job, both from the frame cache; waiting allocates nothing.
///
/// How a server drains: no more tasks, five seconds for those that run, then the rest is dropped.
///
///     sessions.close();
///     co_await as_result(with_timeout(sessions.join(), 5s));
///     sessions.cancel();
class task_set {
public:
    using error_handler = std::move_only_function<void(std::exception_ptr)>;
    class join_awaiter;
    class room_awaiter;
    class spawn_awaiter;

    task_set() noexcept = default;
    explicit task_set(error_handler on_error) : task_set(task_set_options(), std::move(on_error)) {}
    explicit task_set(task_set_options options, error_handler on_error = {});
    task_set(const task_set&) = delete;
    task_set& operator=(const task_set&) = delete;
    ~task_set();

    /// Starts a task at once, whatever the limit; it counts against the limit like any other. `name` is as
    /// for eddy::spawn. Gives false, and drops the task, if the set is closed. Throws std::bad_alloc.
    bool spawn(task<void> work, const char* name = nullptr) {
        if (is_closed_)
            return false;
        start(std::move(work), name);
        return true;
    }

    /// Starts the task once fewer than options.tasks_max() run, first come, first served. Awaiting it gives
    /// nothing, or throws std::system_error with operation_canceled if the set is closed, cancelled or
    /// destroyed before the task was started; the task is dropped then. Where there is a place it does not
    /// wait. The task inherits from the one that waits, as with eddy::spawn.
    ///
    /// Dropped: a task that has not started is dropped, and the next in the queue moves up; one that has
    /// started runs on. Throws std::bad_alloc.
    [[nodiscard]] spawn_awaiter spawn_when_free(task<void> work, const char* name = nullptr) noexcept;

    /// How many tasks have not ended.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Waits until the set is empty and nobody waits for a place. Dropped: the tasks go on.
    [[nodiscard]] join_awaiter join() noexcept;

    /// Waits until fewer than `size` tasks are left, to make room before the next task is at hand: before
    /// an accept, say. Throws std::system_error with operation_canceled if the set is closed, as there will
    /// be no further task. Dropped: the tasks go on. Nothing is reserved; spawn_when_free() is the way to
    /// keep a limit that several tasks spawn against. Requires: `size` is 1 at least.
    [[nodiscard]] room_awaiter fewer_than(std::size_t size) noexcept;

    /// Drops every task; whoever waits for a place gets operation_canceled. The set is empty then, and as
    /// open as before.
    void cancel() noexcept;

    /// From now on no task is taken; those that run go on, and join() waits for them. Whoever waits for a
    /// place or for room gets operation_canceled.
    void close() noexcept;
    [[nodiscard]] bool closed() const noexcept { return is_closed_; }

private:
    class destruction_watch;

    detail::job& start(task<void> work, const char* name) {
        detail::job& started =
            detail::make_job(detail::resume_loop::current(), std::move(work), &on_ended, name);
        started.owner = this;
        running_.push_back(started);
        ++size_;
        return started;
    }
    [[nodiscard]] bool has_place() const noexcept { return size_ < options_.tasks_max(); }
    static void on_ended(detail::job& ended) noexcept;
    void start_waiting() noexcept;
    void wake_waiters() noexcept;
    static void refuse_all(detail::task_set_waiters& waiters) noexcept;

    detail::intrusive_list<detail::job, detail::owner_tag> running_;
    std::size_t size_ = 0;
    bool is_closed_ = false;
    std::size_t room_size_max_ = 0;  // no room_awaiter waits for more than this
    task_set_options options_;
    destruction_watch* watch_ = nullptr;  // the innermost of those that look out for the set's destruction
    detail::task_set_waiters spawners_;
    detail::task_set_waiters joiners_;
    detail::task_set_waiters room_awaiters_;
    std::shared_ptr<error_handler> on_error_;  // null if there is none; shared with the call to it
};

class [[nodiscard]] task_set::join_awaiter : public detail::task_set_waiter {
public:
    explicit join_awaiter(task_set& joined) noexcept : set_(joined) {}
    join_awaiter(join_awaiter&& other) noexcept : set_(other.set_) {}
    join_awaiter& operator=(join_awaiter&&) = delete;
    ~join_awaiter() = default;

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept { wait_in(set_.joiners_, point); }

private:
    task_set& set_;
};

class [[nodiscard]] task_set::room_awaiter : public detail::task_set_waiter {
public:
    room_awaiter(task_set& awaited, std::size_t size) noexcept : set_(awaited), size_(size) {}
    room_awaiter(room_awaiter&& other) noexcept : set_(other.set_), size_(other.size_) {}
    room_awaiter& operator=(room_awaiter&&) = delete;
    ~room_awaiter() = default;

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;

private:
    friend task_set;
    task_set& set_;
    std::size_t size_;
};

class [[nodiscard]] task_set::spawn_awaiter : public detail::task_set_waiter {
public:
    spawn_awaiter(task_set& owner, task<void> work, const char* name) noexcept
        : set_(owner), work_(std::move(work)), name_(name) {}
    spawn_awaiter(spawn_awaiter&& other) noexcept
        : set_(other.set_), work_(std::move(other.work_)), name_(other.name_) {}
    spawn_awaiter& operator=(spawn_awaiter&&) = delete;
    ~spawn_awaiter() = default;

    /// Throws std::bad_alloc.
    bool await_ready();
    void await_suspend(detail::suspension point) noexcept { wait_in(set_.spawners_, point); }

private:
    friend task_set;
    task_set& set_;
    task<void> work_;
    const char* name_;
};

inline task_set::join_awaiter task_set::join() noexcept {
    return join_awaiter(*this);
}
inline task_set::room_awaiter task_set::fewer_than(std::size_t size) noexcept {
    return {*this, size};
}
inline task_set::spawn_awaiter task_set::spawn_when_free(task<void> work, const char* name) noexcept {
    return {*this, std::move(work), name};
}

}  // namespace eddy
