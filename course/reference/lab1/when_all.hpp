#pragma once

#include "outcome.hpp"
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
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) const noexcept {
                countdown& counter = *ended.promise().counter;
                if (counter.arrive())
                    return counter.waiting;
                return std::noop_coroutine();
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
        : branches_(branches), counter_(branches.size() + 1) {}

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> caller) {
        counter_.waiting = caller;
        for (branch& each : branches_)
            each.start(counter_);
        return !counter_.arrive();
    }
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
    std::vector<outcome<T>> results(tasks.size());
    std::vector<branch> branches;
    branches.reserve(tasks.size());
    for (std::size_t at = 0; at < tasks.size(); ++at)
        branches.push_back(run_branch(std::move(tasks[at]), results[at]));
    co_await all_ended(branches);

    std::vector<detail::stored<T>> values;
    values.reserve(results.size());
    for (outcome<T>& each : results)
        values.push_back(detail::take_stored(each));
    co_return values;
}

/// The same for tasks of several types; std::monostate stands for what is void.
template <class... Ts>
    requires(sizeof...(Ts) > 0)
task<std::tuple<detail::stored<Ts>...>> when_all(task<Ts>... tasks) {
    std::tuple<outcome<Ts>...> results;
    auto branches = std::apply(
        [&](outcome<Ts>&... each) {
            return std::array<branch, sizeof...(Ts)>{run_branch(std::move(tasks), each)...};
        },
        results);
    co_await all_ended(branches);
    co_return std::apply(
        [](outcome<Ts>&... each) { return std::tuple<detail::stored<Ts>...>{detail::take_stored(each)...}; },
        results);
}

}  // namespace lab
