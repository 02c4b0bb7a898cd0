#pragma once

#include <eddy/core/resume_loop.hpp>

#include <coroutine>
#include <cstddef>

namespace eddy {

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

/// Counts work that was, or will be, done without a wait (resume_loop::may_go_on()). Once it has been a lot,
/// others go first, timers and the system too.
class [[nodiscard]] fair_turn {
public:
    explicit fair_turn(std::size_t steps) noexcept : steps_(steps) {}

    bool await_ready() const noexcept { return resume_loop::current().may_go_on(steps_); }
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
