#pragma once

#include "outcome.hpp"
#include "support/todo.hpp"
#include "support/trace.hpp"

#include <coroutine>
#include <exception>
#include <utility>

namespace lab {

template <class T>
class task;

namespace detail {

/// What the promises of all tasks share.
class task_promise_base : public course::traced_frame {
public:
    // Step 1: what happens at the beginning and at the end? Return std::suspend_never or std::suspend_always.
    // Step 5: at the end, an awaiter of your own that passes control to the continuation.
    std::suspend_never initial_suspend() const noexcept { course::todo("step 1: initial_suspend"); }
    std::suspend_never final_suspend() const noexcept { course::todo("step 1: final_suspend"); }

    /// What is resumed when the coroutine has ended. std::noop_coroutine() does nothing when it is resumed.
    std::coroutine_handle<> continuation = std::noop_coroutine();
};

template <class T>
class task_promise : public task_promise_base {
public:
    task<T> get_return_object() noexcept;

    template <class U = T>
    void return_value(U&& value) {
        static_cast<void>(value);
        course::todo("step 2: return_value");
    }
    void unhandled_exception() noexcept { course::todo("step 3: unhandled_exception of task<T>"); }

    outcome<T> result;
};

template <>
class task_promise<void> : public task_promise_base {
public:
    task<void> get_return_object() noexcept;

    void return_void() noexcept { result.set_value(); }
    void unhandled_exception() noexcept { course::todo("step 3: unhandled_exception of task<void>"); }

    outcome<void> result;
};

}  // namespace detail

/// A coroutine that starts when it is awaited, and returns a T or throws. It has one owner: a task moves, and does
/// not copy. Destroying it destroys the coroutine's frame, whether it has started, waits or has ended.
template <class T = void>
class [[nodiscard]] task {
public:
    using promise_type = detail::task_promise<T>;
    using value_type = T;

    task() noexcept = default;
    task(task&&) noexcept { course::todo("step 4: move constructor of task"); }
    task& operator=(task&&) noexcept { course::todo("step 4: move assignment of task"); }
    ~task() {
        // Step 4: destroy the frame, if there is one.
    }

    /// The coroutine, which stays the task's.
    [[nodiscard]] std::coroutine_handle<> handle() const noexcept { return frame_; }

    [[nodiscard]] bool done() const noexcept { course::todo("step 1: task::done"); }

    /// Moves the result out, or throws. Requires: done().
    T result() { course::todo("step 2: task::result"); }

    class awaiter {
    public:
        explicit awaiter(task awaited) noexcept : awaited_(std::move(awaited)) {}

        bool await_ready() const noexcept { return false; }
        // Step 5: remember the caller and start the task. Step 6: without a call that stays on the stack.
        void await_suspend(std::coroutine_handle<>) { course::todo("step 5: task::awaiter::await_suspend"); }
        T await_resume() { course::todo("step 5: task::awaiter::await_resume"); }

    private:
        task awaited_;
    };

    /// Awaiting consumes the task: its frame then belongs to the awaiter, in the frame of the coroutine that awaits.
    awaiter operator co_await() && noexcept { return awaiter(std::move(*this)); }

private:
    friend promise_type;
    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
task<T> task_promise<T>::get_return_object() noexcept {
    course::todo("step 1: get_return_object of task<T>");
}

inline task<void> task_promise<void>::get_return_object() noexcept {
    course::todo("step 1: get_return_object of task<void>");
}

}  // namespace detail

}  // namespace lab
