#pragma once

#include <eddy/core/task.hpp>

#include <coroutine>
#include <utility>

namespace eddy {

/// What a function gives that is often done by the time it returns: nothing more to wait for, or a task with the
/// rest. A function that returns `{}` in its fast case spares its caller a coroutine; one that is a coroutine
/// itself may have this return type as well.
///
/// Ownership, cancellation and threads are as for task<void>. An exception of the fast case comes out of the
/// call, one of the rest out of the await.
class [[nodiscard]] prompt_task {
public:
    using promise_type = detail::task_promise<void>;

    /// Done.
    prompt_task() noexcept = default;
    prompt_task(task<void> rest) noexcept : rest_(std::move(rest)) {}

    [[nodiscard]] bool is_done() const noexcept { return !rest_; }

    class awaiter {
    public:
        explicit awaiter(std::coroutine_handle<promise_type> rest) noexcept
            : is_done_(!rest), rest_(rest) {}

        bool await_ready() const noexcept { return is_done_; }
        template <class Promise>
        decltype(auto) await_suspend(std::coroutine_handle<Promise> parent) {
            return rest_.await_suspend(parent);
        }
        void await_resume() {
            if (!is_done_)
                rest_.await_resume();
        }

    private:
        bool is_done_;
        task<void>::awaiter rest_;
    };
    awaiter operator co_await() && noexcept { return awaiter(rest_.release()); }

private:
    task<void> rest_;
};

}  // namespace eddy
