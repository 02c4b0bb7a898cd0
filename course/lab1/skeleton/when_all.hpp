#pragma once

#include "outcome.hpp"
#include "support/todo.hpp"
#include "support/trace.hpp"
#include "task.hpp"

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lab {

/// Counts branches that have to end before the coroutine that waits for them goes on.
class countdown {
public:
    explicit countdown(std::size_t count) noexcept : left_(count) {}

    [[nodiscard]] std::size_t left() const noexcept { return left_; }

    /// Whether this was the last arrival.
    [[nodiscard]] bool arrive() noexcept { return --left_ == 0; }

    std::coroutine_handle<> waiting = std::noop_coroutine();

private:
    std::size_t left_;
};

/// A coroutine that runs one of several tasks beside the others. It starts by start(), and arrives at the countdown
/// when it ends. It owns its frame as a task does.
class [[nodiscard]] branch {
public:
    class promise_type : public course::traced_frame {
    public:
        branch get_return_object() noexcept {
            return branch(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        std::suspend_always initial_suspend() const noexcept { return {}; }

        struct final_awaiter {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type>) const noexcept {
                course::todo("step 7: the end of a branch");
            }
            void await_resume() const noexcept {}
        };
        final_awaiter final_suspend() const noexcept { return {}; }

        void return_void() const noexcept {}
        void unhandled_exception() const noexcept { std::terminate(); }

        countdown* counter = nullptr;
    };

    branch(branch&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
    branch& operator=(branch&&) = delete;
    ~branch() {
        if (frame_)
            frame_.destroy();
    }

    void start(countdown& counter) {
        frame_.promise().counter = &counter;
        frame_.resume();
    }

private:
    explicit branch(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}

    std::coroutine_handle<promise_type> frame_;
};

/// A branch that awaits a task and leaves what came of it in `result`, which outlives it.
template <class T>
branch run_branch(task<T> work, outcome<T>& result) {
    try {
        if constexpr (std::is_void_v<T>) {
            co_await std::move(work);
            result.set_value();
        } else {
            result.set_value(co_await std::move(work));
        }
    } catch (...) {
        result.set_error(std::current_exception());
    }
}

/// Starts all branches and waits until each has ended.
class all_ended {
public:
    explicit all_ended(std::span<branch> branches) noexcept
        : branches_(branches), counter_(branches.size()) {}

    bool await_ready() const noexcept { return false; }
    // False: the caller does not suspend after all, but goes on at once.
    bool await_suspend(std::coroutine_handle<>) { course::todo("step 7: all_ended::await_suspend"); }
    void await_resume() const noexcept {}

private:
    std::span<branch> branches_;
    countdown counter_;
};

namespace detail {

template <class T>
using stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

template <class T>
stored<T> take_stored(outcome<T>& result) {
    if constexpr (std::is_void_v<T>)
        return result.take(), std::monostate();
    else
        return result.take();
}

}  // namespace detail

/// Runs tasks at the same time and returns their results in the tasks' order, once all have ended. If some threw,
/// the exception of the first of them, in the tasks' order, is thrown then.
template <class T>
task<std::vector<detail::stored<T>>> when_all(std::vector<task<T>> tasks) {
    // An outcome and a branch for each task; wait for all branches; take the outcomes.
    static_cast<void>(tasks);
    course::todo("step 7: when_all of a vector");
    co_return std::vector<detail::stored<T>>();
}

/// The same for tasks of several types; std::monostate stands for what is void.
template <class... Ts>
    requires(sizeof...(Ts) > 0)
task<std::tuple<detail::stored<Ts>...>> when_all(task<Ts>... tasks) {
    // The same with a std::tuple of outcomes and a std::array of branches; std::apply() goes through a tuple.
    (static_cast<void>(tasks), ...);
    course::todo("step 8: when_all of several types");
    co_await all_ended({});  // which makes a coroutine of it
}

}  // namespace lab
