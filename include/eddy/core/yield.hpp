#pragma once

#include <eddy/core/resume_loop.hpp>

#include <coroutine>

namespace eddy {

/// `co_await yield()` lets every other ready task of this worker go first. Dropping it takes the task out of
/// the ready queue. Costs no system call.
class [[nodiscard]] yield {
public:
    yield() noexcept {}

    bool await_ready() const noexcept { return false; }
    void await_suspend(detail::suspension point) const noexcept {
        auto& loop = detail::resume_loop::current();
        loop.make_ready(loop.suspend(point));
    }
    void await_resume() const noexcept {}
};

}  // namespace eddy
