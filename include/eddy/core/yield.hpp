#pragma once

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>

#include <coroutine>
#include <cstddef>

namespace eddy {

/// `co_await next_turn()` resumes in the worker's next turn: after all its ready tasks, the timers that are
/// due, and the system, to which operations that were begun are submitted; completions are collected as often
/// as a busy worker does that, within a few turns. For a task that makes work for others, which they can only
/// finish with the system's help; yield() is cheaper, and enough to share the processor.
///
/// - Cancellation: dropping it takes the task out of the queue.
/// - Cost: at most one system call, which does not wait, for all tasks that end a turn together.
class [[nodiscard]] next_turn {
public:
    next_turn() noexcept {}

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) const noexcept {
        auto& loop = detail::resume_loop::current();
        detail::job& here = loop.suspend(point);
        here.promise(detail::job::place::behind_all);
        loop.make_ready_later(here);
    }
    void await_resume() const noexcept {}
};

/// `co_await yield()` lets every other ready task of this worker go first. Dropping it takes the task out of
/// the ready queue. Costs no system call.
class [[nodiscard]] yield {
public:
    yield() noexcept {}

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) const noexcept {
        auto& loop = detail::resume_loop::current();
        detail::job& here = loop.suspend(point);
        here.promise(detail::job::place::behind_all);
        loop.make_ready(here);
    }
    void await_resume() const noexcept {}
};

namespace detail {

/// Counts work that was, or will be, done without a wait (resume_loop::consume_budget()). Once it has been a lot,
/// others go first, timers and the system too.
class [[nodiscard]] fair_turn {
public:
    /// The steps of a small transfer, unless others are given.
    explicit fair_turn(std::size_t steps = resume_loop::budget_cost(0)) noexcept : steps_(steps) {}

    bool await_ready() const noexcept { return resume_loop::consume_budget(steps_); }
    void await_suspend(suspension point) const noexcept {
        auto& loop = resume_loop::current();
        job& here = loop.suspend(point);
        here.promise(job::place::behind_all);
        loop.make_ready_later(here);
    }
    void await_resume() const noexcept {}

private:
    std::size_t steps_;
};

}  // namespace detail

}  // namespace eddy
