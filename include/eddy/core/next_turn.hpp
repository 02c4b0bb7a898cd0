#pragma once

#include <eddy/core/resume_loop.hpp>
#include <eddy/core/suspension.hpp>

namespace eddy {

/// `co_await next_turn()` goes on in the worker's next turn: after all its ready tasks, the timers that are
/// due, and the system, to which what was begun is handed; what it has to tell is asked for as often as a
/// busy worker does that, within a few turns. For who makes work for others, which they get done only with
/// the system's help; yield() is cheaper, and enough for who only shares the processor.
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

}  // namespace eddy
