#pragma once

#include <eddy/core/task.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// A function and its arguments, to be called once.
template <class Function, class... Args>
class bound_call {
public:
    explicit bound_call(Function&& function, Args&&... arguments)
        : function_(std::move(function)), arguments_(std::move(arguments)...) {}
    std::invoke_result_t<Function, Args...> operator()() && {
        return std::apply(
            [this](Args&... arguments) -> std::invoke_result_t<Function, Args...> {
                return std::invoke(std::move(function_), std::move(arguments)...);
            },
            arguments_);
    }

private:
    Function function_;
    std::tuple<Args...> arguments_;
};

}  // namespace detail

/// `co_await on(worker, function, arguments...)` calls a function on another worker of this runtime, where it
/// may make a task, which runs there, and brings the result, or the exception, home.
///
/// - Ownership: function and arguments are moved there, or copied, and belong to the call: nothing there may
///   refer to what the caller owns. The result is moved home.
/// - Cancellation: dropping it sends the drop to the other worker and does not wait. Whoever must know
///   that the task is gone holds it by spawn_on() and awaits cancel().
/// - Errors: what the function or its task throws; std::system_error with operation_canceled if the worker
///   had no memory for it.
/// - With g++ 12 a lambda that captures by value is given a name first and moved in.
///
/// Requires: worker < runtime::workers().
template <class Function, class... Args>
    requires std::invocable<Function, Args...>
auto on(std::size_t worker, Function function, Args... arguments)
    -> task<detail::brought_home_t<detail::bound_call<Function, Args...>>> {
    using call = detail::bound_call<Function, Args...>;
    static_assert(!std::is_reference_v<detail::brought_home_t<call>>,
                  "a reference to what another worker owns is of no use here: give a value");
    auto there =
        runtime::current().spawn_on(worker, call(std::move(function), std::move(arguments)...), "on");
    co_return co_await there;
}

}  // namespace eddy
