#pragma once

#include <eddy/core/detail/job.hpp>
#include <eddy/core/detail/job_context.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/task.hpp>

#include <stop_token>
#include <utility>

namespace eddy {

namespace detail {

/// Makes the running job belong to a stop scope while it lives, in a coroutine of that job.
class scope_membership {
public:
    explicit scope_membership(std::stop_token stop)
        : job_(*resume_loop::current().running()), before_(job_.context()) {
        job_.set_context(job_context_reference(new job_context(before_.get(), std::move(stop))));
    }
    scope_membership(const scope_membership&) = delete;
    scope_membership& operator=(const scope_membership&) = delete;
    ~scope_membership() { job_.set_context(std::move(before_)); }

private:
    job& job_;
    job_context_reference before_;
};

template <class T>
task<T> run_in_scope(std::stop_token stop, task<T> work) {
    const scope_membership member(std::move(stop));
    co_return co_await std::move(work);
}

}  // namespace detail

/// Requests tasks to stop, where dropping them is too blunt: those that await check_stop() end by themselves,
/// with what they have so far.
///
///     stop_scope scope;
///     auto sum = spawn(scope.run(add_up(numbers)));
///     co_await as_result(with_timeout(sum, 1s));
///     scope.request_stop();
///     std::printf("so far: %d\n", co_await sum);
///
/// Ownership: the scope may be destroyed before its tasks. Scopes nest: a request to the outer one also
/// reaches tasks of the inner one. Thread safety: request_stop(), stop_requested() and token() are for any
/// thread; run() is for the thread that owns the scope.
class stop_scope {
public:
    /// Throws std::bad_alloc.
    stop_scope() = default;
    /// A scope that stops together with others, through a std::stop_source that they share.
    explicit stop_scope(std::stop_source shared) noexcept : source_(std::move(shared)) {}

    /// `work`, belonging to this scope together with the tasks that it spawns. Awaiting and dropping it are
    /// as for `work` itself.
    template <class T>
    [[nodiscard]] task<T> run(task<T> work) const {
        return detail::run_in_scope(source_.get_token(), std::move(work));
    }

    /// Requests that the tasks of the scope stop; check_stop() shows it to them. Never waits.
    void request_stop() noexcept { source_.request_stop(); }
    /// Whether a stop was requested.
    [[nodiscard]] bool stop_requested() const noexcept { return source_.stop_requested(); }
    /// For calls on other threads: offload(), a library.
    [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

private:
    std::stop_source source_;
};

/// `co_await check_stop()` returns whether the task belongs to a stop_scope that was requested to stop. Lets
/// every other ready task of the worker run first, as yield() does: a long computation that calls it now and
/// then does not delay other tasks, the one that makes the request included. Dropping it takes the task out
/// of the ready queue.
class [[nodiscard]] check_stop {
public:
    check_stop() noexcept {}

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) noexcept {
        auto& loop = detail::resume_loop::current();
        job_ = &loop.suspend(point);
        job_->promise(detail::job::place::behind_all);
        loop.make_ready(*job_);
    }
    bool await_resume() const noexcept {
        const detail::job_context* const context = job_->context();
        return context != nullptr && context->stop_requested();
    }

private:
    detail::job* job_ = nullptr;
};

}  // namespace eddy
