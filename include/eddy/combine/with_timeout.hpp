#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/deadline_operation.hpp>
#include <eddy/combine/detail/deadline_task.hpp>
#include <eddy/combine/detail/optional_deadline_operation.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/clock.hpp>
#include <eddy/core/interruptible.hpp>
#include <eddy/runtime/detail/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace eddy {

/// `co_await with_deadline(awaited, at)` is `co_await awaited`, but at the deadline what is awaited (an
/// operation, a task, anything) is dropped and std::system_error with timed_out is thrown (or returned,
/// through as_result()). A success before that is its result as usual; what a withdrawn operation leaves
/// behind is documented with it. A deadline that has passed takes effect in the worker's next turn at the
/// earliest.
///
/// - Ownership: an rvalue is moved in; an lvalue (for example a handle) is awaited where it is, and only the
///   wait is dropped.
/// - Cancellation: dropping it drops what it awaits.
/// - Cost: no system call unless the deadline comes. Around an operation nothing is allocated; a task runs as
///   a job of its own, one block of the frame cache, and what is neither costs a coroutine more.
template <interruptible Operation>
[[nodiscard]] auto with_deadline(Operation operation,
                                 time_point at) noexcept(!detail::runtime_interruptible<Operation>) {
    if constexpr (detail::runtime_interruptible<Operation>)
        return detail::optional_deadline_operation<Operation>(std::move(operation), at);
    else
        return deadline_operation<Operation>(std::move(operation), at);
}

template <awaitable Awaitable>
    requires(!interruptible<std::remove_cvref_t<Awaitable>>)
[[nodiscard]] auto with_deadline(Awaitable&& awaited, time_point at) {
    return detail::deadline_task<detail::awaited_value_t<Awaitable>>(
        detail::as_task(std::forward<Awaitable>(awaited)), at);
}

/// The same with a deadline `length` after the beginning of the worker's current turn.
template <awaitable Awaitable, class Rep, class Period>
[[nodiscard]] auto with_timeout(Awaitable&& awaited, std::chrono::duration<Rep, Period> length) {
    return with_deadline(std::forward<Awaitable>(awaited),
                         detail::deadline_after(worker::current().turn_time(), length));
}

}  // namespace eddy
