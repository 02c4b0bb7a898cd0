#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// What a function gives that is called on another worker: what comes of awaiting its result, where that can
/// be awaited, or else its result.
template <class Result>
struct brought_home {
    using type = Result;
};
template <awaitable Result>
struct brought_home<Result> {
    using type = await_result_t<Result>;
};
template <class Function, class... Args>
using brought_home_t = typename brought_home<std::invoke_result_t<Function, Args...>>::type;

template <class Function, class... Args>
task<brought_home_t<Function, Args...>> call_there(Function function, Args... arguments) {
    if constexpr (awaitable<std::invoke_result_t<Function, Args...>>)
        co_return co_await std::invoke(std::move(function), std::move(arguments)...);
    else
        co_return std::invoke(std::move(function), std::move(arguments)...);
}

}  // namespace detail

/// `co_await on(worker, function, arguments...)` calls a function on another worker of this runtime, where it
/// may make a task, which runs there, and brings the result, or the exception, home.
///
/// - Ownership: function and arguments are moved there, or copied, and belong to the call: nothing there may
///   refer to what the caller owns. The result is moved home.
/// - Cancellation: dropping it sends the drop to the other worker and does not wait. Whoever must know that
/// the
///   task is gone holds it by spawn_on() and awaits cancel().
/// - Errors: what the function or its task throws; std::system_error with operation_canceled if the worker
/// had
///   no memory for it.
/// - With g++ 12 a lambda that captures by value is given a name first and moved in.
///
/// Requires: worker < runtime::workers().
template <class Function, class... Args>
    requires std::invocable<Function, Args...>
task<detail::brought_home_t<Function, Args...>> on(std::size_t worker, Function function, Args... arguments) {
    static_assert(!std::is_reference_v<detail::brought_home_t<Function, Args...>>,
                  "a reference to what another worker owns is of no use here: give a value");
    auto there = runtime::current().spawn_on(
        worker, detail::call_there<Function, Args...>(std::move(function), std::move(arguments)...), "on");
    co_return co_await there;
}

}  // namespace eddy
