#pragma once

#include <eddy/combine/detail/task_set_waiter.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/task_origin.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/unique_function.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/detail/intrusive_list.hpp>

#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <source_location>
#include <utility>

namespace eddy {

/// How a task_set is made. Setters chain.
class task_set_options {
public:
    task_set_options() noexcept = default;

    /// The most tasks that spawn_when_free() lets run at once; no limit by default. Requires: 1 at least.
    task_set_options& tasks_max(std::size_t tasks) noexcept {
        tasks_max_ = tasks;
        return *this;
    }

    /// Whether an exception that leaves a task of a set without an error handler is written to standard
    /// error, with the task's name and where it was spawned, while the others continue; by default it ends
    /// the program. Standard error that cannot be written loses the line.
    task_set_options& report_errors(bool are_reported = true) noexcept {
        reports_errors_ = are_reported;
        return *this;
    }

    /// What report_errors() has set.
    [[nodiscard]] bool reports_errors() const noexcept { return reports_errors_; }
    [[nodiscard]] std::size_t tasks_max() const noexcept { return tasks_max_; }

private:
    bool reports_errors_ = false;
    std::size_t tasks_max_ = std::numeric_limits<std::size_t>::max();
};

/// Owns a changing number of running tasks. Each is freed as it ends.
///
/// - Ownership: tasks belong to the set until they end. Destroying the set closes it and drops them all.
/// - Errors: an exception that leaves a task goes to the error handler, once the task is gone; without one it
///   ends the program with a message that names the task, or is reported (task_set_options::report_errors()).
///   An exception that leaves the handler ends the program.
/// - Waiting: any number of tasks may wait for a set at once. They are resumed by their worker's loop, never
///   inside the call that ends their wait, and do not need the set any more by then. Their condition held
///   when their wait ended; tasks that are resumed first may have changed it.
/// - A task of the set may cancel, close or destroy it, and so may the error handler: the running task is
///   then destroyed at its next suspension. The error of a task whose own destructors destroy the set is
///   discarded. A task that joins the set it is in waits for itself.
/// - Thread safety: none; a set belongs to the worker on which it is used. Spawning on another worker while
///   tasks run ends the program with a message.
/// - Cost: a task costs its frame and a job, both from the frame cache; waiting allocates nothing.
///
/// How a server drains: no more tasks, five seconds for those that run, then the rest is dropped.
///
///     sessions.close();
///     co_await as_result(with_timeout(sessions.join(), 5s));
///     sessions.cancel();
class task_set {
public:
    /// Is called with the exception that leaves a task.
    using error_handler = unique_function<void(std::exception_ptr)>;
    class join_awaiter;
    class size_awaiter;
    class spawn_awaiter;

    /// An open set without tasks.
    task_set() noexcept;
    explicit task_set(error_handler on_error) : task_set(task_set_options(), std::move(on_error)) {}
    explicit task_set(task_set_options options, error_handler on_error = {});
    task_set(const task_set&) = delete;
    task_set& operator=(const task_set&) = delete;
    ~task_set();

    /// Starts a task at once, whatever the limit; it counts against the limit like any other. `name` is as
    /// for eddy::spawn. Returns false, and drops the task, if the set is closed. Throws std::bad_alloc.
    bool spawn(task<void> work, const char* name = nullptr,
               std::source_location where = std::source_location::current()) {
        if (is_closed_)
            return false;
        start(std::move(work), {name, where});
        return true;
    }

    /// Starts the task once fewer than options.tasks_max() run, first come, first served: at once, or from
    /// the queue of the set, to which the call adds it. Awaiting what it returns waits until the task has
    /// been started, which keeps the queue short; the task is started all the same where the result of the
    /// call is discarded or kept where it is.
    /// The await throws std::system_error with operation_canceled if the set is closed, cancelled or
    /// destroyed before; the task is dropped then. The task inherits from the caller, as with eddy::spawn.
    ///
    /// Dropped while it waits, or once it was moved to where it was to be awaited (into race(), say): a task
    /// that has not been started is dropped, and the next in the queue moves up; one that has been started runs
    /// on. Throws std::bad_alloc, and has dropped the task then.
    [[nodiscard]] spawn_awaiter spawn_when_free(task<void> work, const char* name = nullptr,
                                                std::source_location where = std::source_location::current());

    /// How many tasks have been started and have not ended.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Whether no task runs.
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

    /// Waits until the set is empty, and its queue, too. Dropped: the tasks go on.
    [[nodiscard]] join_awaiter join() noexcept;

    /// Waits until fewer than `size` tasks are left, to limit how many exist before the next one does: for example
    /// before an accept. Throws std::system_error with operation_canceled if the set is closed, as there will
    /// be no further task. Dropped: the tasks continue. Nothing is reserved; use spawn_when_free() to keep a
    /// limit if several tasks spawn. Requires: `size` is 1 at least.
    [[nodiscard]] size_awaiter fewer_than(std::size_t size) noexcept;

    /// Drops every task, those in the queue first; what waits for capacity gets operation_canceled. The set is
    /// empty then, and as open as before.
    void cancel() noexcept;

    /// From now on no task is taken; those that run go on, and join() waits for them. Those in the queue are
    /// dropped; what waits for capacity, or for a smaller set, gets operation_canceled.
    void close() noexcept;
    /// Whether it is closed, so that no task is taken any more.
    [[nodiscard]] bool closed() const noexcept { return is_closed_; }

private:
    class destruction_watch;
    class queued_task;

    detail::job& start(task<void> work, const detail::task_origin& origin) {
        require_home();
        return add(detail::make_job(detail::resume_loop::current(), std::move(work), kind_of_job, origin));
    }
    void require_home() noexcept {
        EDDY_CHECK(running_.empty() || &running_.front().loop() == &detail::resume_loop::current(),
                   "a task set belongs to the worker of its tasks");
    }
    detail::job& add(detail::job& started) noexcept {
        started.owner = this;
        running_.push_back(started);
        ++size_;
        return started;
    }
    [[nodiscard]] bool has_capacity() const noexcept { return size_ < options_.tasks_max(); }
    static void on_ended(detail::job& ended) noexcept;
    static const detail::job::kind kind_of_job;
    void start_queued() noexcept;
    void drop_queued() noexcept;
    void wake_waiters() noexcept;
    static void refuse_all(detail::task_set_waiters& waiters) noexcept;

    detail::intrusive_list<detail::job, detail::owner_tag> running_;
    std::size_t size_ = 0;
    bool is_closed_ = false;
    std::size_t awaited_size_max_ = 0;  // no size_awaiter waits for more than this
    task_set_options options_;
    destruction_watch* watch_ = nullptr;  // the innermost of those that look out for the set's destruction
    detail::intrusive_list<queued_task> queued_;
    detail::task_set_waiters joiners_;
    detail::task_set_waiters size_awaiters_;
    std::shared_ptr<error_handler> on_error_;  // null if there is none; shared with the call to it
};

class [[nodiscard]] task_set::join_awaiter : public detail::task_set_waiter {
public:
    explicit join_awaiter(task_set& joined) noexcept : set_(joined) {}
    join_awaiter(join_awaiter&& other) noexcept : set_(other.set_) {}
    join_awaiter& operator=(join_awaiter&&) = delete;
    ~join_awaiter() = default;

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;

private:
    task_set& set_;
};

class [[nodiscard]] task_set::size_awaiter : public detail::task_set_waiter {
public:
    size_awaiter(task_set& awaited, std::size_t size) noexcept : set_(awaited), size_(size) {}
    size_awaiter(size_awaiter&& other) noexcept : set_(other.set_), size_(other.size_) {}
    size_awaiter& operator=(size_awaiter&&) = delete;
    ~size_awaiter() = default;

    bool await_ready() noexcept;
    void await_suspend(detail::suspension point) noexcept;

private:
    friend task_set;
    task_set& set_;
    std::size_t size_;
};

/// Tells when a task has been started. Until then the task belongs to the queue, and to this once it waits or
/// was moved.
class [[nodiscard]] task_set::spawn_awaiter : public detail::task_set_waiter {
public:
    /// Requires: nothing has been awaited yet.
    spawn_awaiter(spawn_awaiter&& other) noexcept;
    spawn_awaiter& operator=(spawn_awaiter&&) = delete;
    ~spawn_awaiter();

    bool await_ready() const noexcept;
    void await_suspend(detail::suspension point) noexcept;
    /// Whether the task still waits for its start.
    [[nodiscard]] bool is_pending() const noexcept { return queued_ != nullptr && has_begun(); }
    /// Takes the wait back, and the task, which is dropped; the outcome is operation_canceled.
    void interrupt() noexcept { drop(); }

private:
    friend task_set;
    spawn_awaiter() noexcept = default;
    /// It has been started, or refused.
    void answered() noexcept;
    void drop() noexcept;

    queued_task* queued_ = nullptr;  // null once there is an answer
    bool was_moved_ = false;
};

inline task_set::join_awaiter task_set::join() noexcept {
    return join_awaiter(*this);
}
inline task_set::size_awaiter task_set::fewer_than(std::size_t size) noexcept {
    return {*this, size};
}

}  // namespace eddy
