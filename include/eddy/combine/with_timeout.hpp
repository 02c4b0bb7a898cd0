#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/combine/as_task.hpp>
#include <eddy/combine/operation_with_deadline.hpp>
#include <eddy/combine/perhaps_timed_operation.hpp>
#include <eddy/combine/timed_task.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/interruptible.hpp>
#include <eddy/runtime/deadline.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <type_traits>
#include <utility>

namespace eddy {

/// `co_await with_deadline(awaited, at)` is `co_await awaited`, but at the deadline what is awaited (an
/// operation, a task, anything) is dropped and std::system_error with timed_out is thrown (or given, through
/// as_result()). What it had won by then is its result as ever; what an operation that is taken back leaves
/// behind is said with it. A deadline that has passed takes effect in the worker's next turn at the earliest.
///
/// - Ownership: an rvalue is moved in; an lvalue (a handle, say) is awaited where it is, and only the wait is
///   dropped.
/// - Cancellation: dropping it drops what it awaits.
/// - Cost: no system call unless the deadline comes. Around an operation nothing is allocated; a task runs as
///   a job of its own, one block of the frame cache, and what is neither costs a coroutine more.
template <interruptible Operation>
[[nodiscard]] auto with_deadline(Operation operation,
                                 time_point at) noexcept(!detail::perhaps_interruptible<Operation>) {
    if constexpr (detail::perhaps_interruptible<Operation>)
        return detail::perhaps_timed_operation<Operation>(std::move(operation), at);
    else
        return operation_with_deadline<Operation>(std::move(operation), at);
}

template <awaitable Awaitable>
    requires(!interruptible<std::remove_cvref_t<Awaitable>>)
[[nodiscard]] auto with_deadline(Awaitable&& awaited, time_point at) {
    return detail::timed_task<detail::awaited_value_t<Awaitable>>(
        detail::as_task(std::forward<Awaitable>(awaited)), at);
}

/// The same with a deadline `length` after the beginning of the worker's current turn.
template <awaitable Awaitable, class Rep, class Period>
[[nodiscard]] auto with_timeout(Awaitable&& awaited, std::chrono::duration<Rep, Period> length) {
    return with_deadline(std::forward<Awaitable>(awaited),
                         detail::deadline_after(worker::current().turn_time(), length));
}

}  // namespace eddy
