#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/ticker.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

template <class Result>
struct repeated_result {
    using type = Result;
};
template <class T>
struct repeated_result<task<T>> {
    using type = T;
};

}  // namespace detail

/// What repeat() calls: returns nothing or whether to continue, itself or by a task.
template <class Function>
concept repeatable =
    std::invocable<Function&> &&
    (std::same_as<typename detail::repeated_result<std::invoke_result_t<Function&>>::type, void> ||
     std::same_as<typename detail::repeated_result<std::invoke_result_t<Function&>>::type, bool>);

/// A task that calls `function` at each tick of a ticker, until it returns false or the task is dropped. The
/// first period begins when the task starts. A task that the function returns is awaited, so calls never
/// overlap; ticks that come meanwhile are missed ones, which are skipped unless the options choose otherwise.
///
///     auto flushing = spawn(repeat(1s, flush), "flushing");
///
/// - Ownership: the task owns a copy of the function; what that refers to outlives the task.
/// - Cancellation: dropping the task drops the call that is under way, if it waits for something.
/// - Errors: an exception that leaves the function ends the task.
/// - With g++ 12 a lambda that captures by value must not be written inside a co_await expression, which
///   destroys it twice: spawn the task, or give the lambda a name and move it in.
///
/// Requires: `period` is above zero.
template <repeatable Function>
task<void> repeat(duration period, Function function, ticker_options options = {}) {
    using result = std::invoke_result_t<Function&>;
    ticker every(period, options);
    while ([[maybe_unused]] const auto tick = co_await every.next()) {
        if constexpr (std::is_void_v<result>) {
            std::invoke(function);
        } else if constexpr (std::same_as<result, bool>) {
            if (!std::invoke(function))
                co_return;
        } else if constexpr (std::same_as<result, task<bool>>) {
            const bool goes_on = co_await std::invoke(function);
            if (!goes_on)
                co_return;
        } else {
            co_await std::invoke(function);
        }
    }
}

}  // namespace eddy
