#pragma once

#include <eddy/core/job.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <exception>
#include <utility>

namespace eddy {

namespace detail {

template <class T>
[[nodiscard]] result_slot<T>& result_of(job& ended) noexcept {
    return std::coroutine_handle<task_promise<T>>::from_address(ended.root().address()).promise().result();
}

/// Makes a ready job of a task that has not started. Throws std::bad_alloc, in which case the task is
/// dropped.
template <class T>
[[nodiscard]] job& make_job(resume_loop& loop, task<T> work, job::ended_function ended, const char* name) {
    void* const place = job::allocate();
    const auto root = work.release();
    EDDY_ASSERT(root, "an empty task cannot be spawned");
    return *::new (place) job(loop, root, ended, &job::free_allocated, name);
}

/// Ends the program with a message that names the task from which `error` escaped.
[[noreturn]] void uncaught_in_detached(const char* name, const std::exception_ptr& error) noexcept;

template <class T>
void end_detached(job& ended) noexcept {
    if (auto& result = result_of<T>(ended); result.has_error()) [[unlikely]]
        uncaught_in_detached(ended.name(), result.error());
    ended.destroy();
}

/// The way from a handle to its job, for what awaits handles in other ways.
class handle_access {
public:
    /// Requires: it owns a task.
    template <class Handle>
    [[nodiscard]] static job& job_of(const Handle& held) noexcept {
        EDDY_ASSERT(held, "a handle is awaited once");
        return *held.job_;
    }
};

inline void end_held(job& ended) noexcept {
    if (job* waiter = std::exchange(ended.waiter, nullptr))
        ended.loop().make_ready(*waiter);
}

}  // namespace detail

/// Owns a task that was started with spawn().
///
/// - Ownership: moves, does not copy. The handle is the task's owner until detach().
/// - Cancellation: dropping the handle drops the task and all that it waits for, before the destructor
/// returns.
///   A task that drops its own handle while it runs is destroyed at its next suspension.
/// - Awaiting: once, for the result or the exception, also after the task has ended. The waiter is resumed by
///   its worker's loop, never inside the ending task. Dropping the await leaves the task running.
/// - Thread safety: none; a handle belongs to the worker that spawned the task.
template <class T = void>
class [[nodiscard]] handle {
public:
    handle() noexcept = default;
    /// Requires: nobody awaits it. The same holds for assignment, cancel() and detach().
    handle(handle&& other) noexcept : job_(std::exchange(other.job_, nullptr)) { assert_nobody_awaits(); }
    handle& operator=(handle&& other) noexcept {
        if (this != &other) {
            cancel();
            job_ = std::exchange(other.job_, nullptr);
            assert_nobody_awaits();
        }
        return *this;
    }
    ~handle() { cancel(); }

    /// Whether it still owns a task.
    [[nodiscard]] explicit operator bool() const noexcept { return job_ != nullptr; }

    /// Whether the task has ended. Requires: it owns a task.
    [[nodiscard]] bool done() const noexcept { return job_->has_ended(); }

    /// Drops the task; nothing happens if there is none.
    void cancel() noexcept {
        assert_nobody_awaits();
        if (detail::job* dropped = std::exchange(job_, nullptr))
            dropped->drop();
    }

    /// Lets the task run on without an owner, until it ends or its runtime does. An exception that leaves it
    /// ends the program with a message that names it.
    void detach() noexcept {
        assert_nobody_awaits();
        detail::job& detached = *std::exchange(job_, nullptr);
        if (detached.has_ended())
            return detail::end_detached<T>(detached);
        detached.set_ended_function(&detail::end_detached<T>);
        detached.loop().adopt(detached);
    }

    /// Gives the result or throws the exception, for who does not run in a task. Requires: done().
    T get() {
        EDDY_ASSERT(job_ != nullptr && done(), "a result is taken once, after the task has ended");
        const ended_job ended(std::exchange(job_, nullptr));
        return detail::result_of<T>(*ended.job).take();
    }

    class awaiter {
    public:
        explicit awaiter(handle& awaited) noexcept : awaited_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() {
            if (waiting_ && awaited_.job_ != nullptr)
                awaited_.job_->waiter = nullptr;
        }

        bool await_ready() const noexcept { return awaited_.job_->has_ended(); }
        void await_suspend(detail::suspension point) noexcept {
            EDDY_ASSERT(awaited_.job_->waiter == nullptr, "one task at a time awaits a handle");
            awaited_.job_->waiter = &awaited_.job_->loop().suspend(point);
            waiting_ = true;
        }
        T await_resume() {
            waiting_ = false;
            return awaited_.get();
        }

    private:
        handle& awaited_;
        bool waiting_ = false;
    };

    /// Requires: it owns a task, and nobody else awaits it.
    awaiter operator co_await() noexcept {
        EDDY_ASSERT(job_ != nullptr, "a handle is awaited once");
        return awaiter(*this);
    }

private:
    template <class U>
    friend handle<U> spawn(task<U> work, const char* name);
    explicit handle(detail::job& started) noexcept : job_(&started) {}

    friend class detail::handle_access;

    void assert_nobody_awaits() const noexcept {
        EDDY_ASSERT(job_ == nullptr || job_->waiter == nullptr,
                    "a handle that is awaited stays where it is and is not cancelled");
    }

    struct ended_job {
        explicit ended_job(detail::job* taken) noexcept : job(taken) {}
        ended_job(const ended_job&) = delete;
        ended_job& operator=(const ended_job&) = delete;
        ~ended_job() { job->destroy(); }
        detail::job* job;
    };

    detail::job* job_ = nullptr;
};

/// Starts a task on this worker: it first runs when the caller next suspends. `name` appears in messages
/// about it and must outlive it (a literal, say). Requires: the caller is on a worker. Throws std::bad_alloc.
template <class T>
handle<T> spawn(task<T> work, const char* name = nullptr) {
    return handle<T>(
        detail::make_job(detail::resume_loop::current(), std::move(work), &detail::end_held, name));
}

}  // namespace eddy
