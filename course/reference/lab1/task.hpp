#pragma once

#include "outcome.hpp"
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
    std::suspend_always initial_suspend() const noexcept { return {}; }

    struct final_awaiter {
        bool await_ready() const noexcept { return false; }
        template <class Promise>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
            return ended.promise().continuation;
        }
        void await_resume() const noexcept {}
    };
    final_awaiter final_suspend() const noexcept { return {}; }

    /// What is resumed when the coroutine has ended.
    std::coroutine_handle<> continuation = std::noop_coroutine();
};

template <class T>
class task_promise : public task_promise_base {
public:
    task<T> get_return_object() noexcept;

    template <class U = T>
    void return_value(U&& value) {
        result.set_value(std::forward<U>(value));
    }
    void unhandled_exception() noexcept { result.set_error(std::current_exception()); }

    outcome<T> result;
};

template <>
class task_promise<void> : public task_promise_base {
public:
    task<void> get_return_object() noexcept;

    void return_void() noexcept { result.set_value(); }
    void unhandled_exception() noexcept { result.set_error(std::current_exception()); }

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
    task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    task& operator=(task&& other) noexcept {
        if (this != &other) {
            reset();
            frame_ = std::exchange(other.frame_, nullptr);
        }
        return *this;
    }
    ~task() { reset(); }

    /// The coroutine, which stays the task's.
    [[nodiscard]] std::coroutine_handle<> handle() const noexcept { return frame_; }

    [[nodiscard]] bool done() const noexcept { return frame_.done(); }

    /// Moves the result out, or throws. Requires: done().
    T result() { return frame_.promise().result.take(); }

    class awaiter {
    public:
        explicit awaiter(task awaited) noexcept : awaited_(std::move(awaited)) {}

        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
            awaited_.frame_.promise().continuation = caller;
            return awaited_.frame_;
        }
        T await_resume() { return awaited_.result(); }

    private:
        task awaited_;
    };

    /// Awaiting consumes the task: its frame then belongs to the awaiter, in the frame of the coroutine that awaits.
    awaiter operator co_await() && noexcept { return awaiter(std::move(*this)); }

private:
    friend promise_type;
    explicit task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    void reset() noexcept {
        if (auto frame = std::exchange(frame_, nullptr))
            frame.destroy();
    }

    std::coroutine_handle<promise_type> frame_;
};

namespace detail {

template <class T>
task<T> task_promise<T>::get_return_object() noexcept {
    return task<T>(std::coroutine_handle<task_promise>::from_promise(*this));
}

inline task<void> task_promise<void>::get_return_object() noexcept {
    return task<void>(std::coroutine_handle<task_promise>::from_promise(*this));
}

}  // namespace detail

}  // namespace lab
