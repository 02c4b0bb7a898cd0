#pragma once

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/detail/held_job.hpp>
#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/task.hpp>

#include <coroutine>
#include <exception>
#include <source_location>
#include <utility>

namespace eddy {

namespace detail {

/// Makes a ready job of a task that has not started, which does not keep its result. Throws std::bad_alloc,
/// in which case the task is dropped.
template <class T>
[[nodiscard]] job& make_job(resume_loop& loop, task<T> work, const job::kind& kind_of_job,
                            const task_origin& origin) {
    void* const block = frame_cache::allocate(sizeof(job));
    const auto root = work.release();
    EDDY_ASSERT(root, "an empty task cannot be spawned");
    job_context* const context = loop.running_context();
    job& made = *::new (block) job(root, kind_of_job);
    made.start(loop, origin, context);
    return made;
}

/// Ends the program with a message that names the task from which `error` escaped.
[[noreturn]] void uncaught_in_detached(const task_origin& origin, const std::exception_ptr& error) noexcept;

template <class T>
void end_detached(job& ended) noexcept {
    if (auto& result = result_of<T>(ended); result.has_error()) [[unlikely]]
        uncaught_in_detached(ended.origin(), result.error());
    ended.destroy();
}

/// A job of make_job() that nothing holds.
inline constexpr job::kind detached_job = job::kind_of<&end_detached<void>, &job::free_allocated>();

template <class T>
constexpr job::kind held_job<T>::detached = job::kind_of<&end_detached<T>, &held_job<T>::free_detached>();

/// The way from a handle to its job, for what awaits handles in other ways.
class handle_access {
public:
    /// Requires: it owns a task.
    template <class Handle>
    [[nodiscard]] static job& job_of(const Handle& held) noexcept {
        EDDY_CHECK(held, "a handle is awaited once");
        return *held.job_;
    }
};

}  // namespace detail

/// Owns a task that was started with spawn().
///
/// - Ownership: moves, does not copy. The handle is the task's owner until detach(). The task's arguments are
///   destroyed when it ends, not with the handle, which only keeps the result. If moving that throws, this
///   exception takes its place.
/// - Cancellation: dropping the handle drops the task and all that it waits for, before the destructor
///   returns. A task that drops its own handle while it runs is destroyed at its next suspension.
/// - Awaiting: once, for the result or the exception, also after the task has ended. The waiter is resumed by
///   its worker's loop, never inside the ending task. Dropping the await leaves the task running.
/// - Thread safety: none; a handle belongs to the worker that spawned the task.
template <class T = void>
class [[nodiscard]] handle {
public:
    handle() noexcept = default;
    /// Requires: no task awaits it. The same holds for assignment, cancel() and detach().
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

    /// Whether the task has ended, and its arguments are destroyed. Requires: it owns a task.
    [[nodiscard]] bool done() const noexcept {
        EDDY_CHECK(job_ != nullptr, "a handle that is queried owns a task");
        return job_->has_ended();
    }

    /// Drops the task; nothing happens if there is none.
    void cancel() noexcept {
        assert_nobody_awaits();
        if (detail::held_job<T>* dropped = std::exchange(job_, nullptr))
            dropped->drop();
    }

    /// Lets the task run on without an owner, until it ends or its runtime does. An exception that leaves it
    /// ends the program with a message that names it.
    void detach() noexcept {
        assert_nobody_awaits();
        EDDY_CHECK(job_ != nullptr, "a handle that is detached owns a task");
        detail::held_job<T>& detached = *std::exchange(job_, nullptr);
        if (detached.is_ending()) {
            if (detached.result().has_error()) [[unlikely]]
                detail::uncaught_in_detached(detached.origin(), detached.result().error());
            return detached.drop();
        }
        detached.become(detail::held_job<T>::detached);
        detached.loop().adopt(detached);
    }

    /// Returns the result or throws the exception, for callers that do not run in a task. Requires: done().
    T get() {
        EDDY_CHECK(job_ != nullptr && done(), "a result is taken once, after the task has ended");
        return take();
    }

    class awaiter {
    public:
        explicit awaiter(handle& awaited) noexcept : awaited_(awaited) {}
        awaiter(const awaiter&) = delete;
        awaiter& operator=(const awaiter&) = delete;
        ~awaiter() {
            if (waiter_ != nullptr)
                awaited_.job_->waiter = nullptr;
        }

        bool await_ready() const noexcept { return awaited_.job_->has_ended(); }
        void await_suspend(detail::suspension point) noexcept {
            detail::job& awaited = *awaited_.job_;
            EDDY_CHECK(awaited.waiter == nullptr, "one task at a time awaits a handle");
            awaited.waiter = &waiter_;
            waiter_ = &awaited.loop().suspend(point);
        }
        T await_resume() { return awaited_.take(); }

    private:
        handle& awaited_;
        detail::job* waiter_ = nullptr;  // until the end
    };

    /// Requires: it owns a task, and no other task awaits it.
    awaiter operator co_await() noexcept {
        EDDY_CHECK(job_ != nullptr, "a handle is awaited once");
        return awaiter(*this);
    }

private:
    template <class U>
    friend handle<U> spawn(task<U> work, const char* name, std::source_location where);
    explicit handle(detail::held_job<T>& started) noexcept : job_(&started) {}

    friend class detail::handle_access;

    T take() { return std::exchange(job_, nullptr)->take_and_free(); }

    void assert_nobody_awaits() const noexcept {
        EDDY_CHECK(job_ == nullptr || job_->waiter == nullptr,
                   "a handle that is awaited stays where it is and is not cancelled");
    }

    detail::held_job<T>* job_ = nullptr;
};

/// Starts a task on this worker: it first runs when the caller next suspends. `name` appears in messages
/// about it, with the place of the call, and must outlive it (a literal, say). Requires: the caller is on a
/// worker. Throws std::bad_alloc.
template <class T>
handle<T> spawn(task<T> work, const char* name = nullptr,
                std::source_location where = std::source_location::current()) {
    return handle<T>(detail::held_job<T>::make(detail::resume_loop::current(), std::move(work),
                                               detail::task_origin(name, where)));
}

}  // namespace eddy
