#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

// A T&& would refer to what is gone by the time it is used.
template <class Awaitable>
using sync_wait_result_t =
    std::conditional_t<std::is_rvalue_reference_v<await_result_t<Awaitable>>,
                       std::remove_cvref_t<await_result_t<Awaitable>>, await_result_t<Awaitable>>;

template <class Awaitable>
task<sync_wait_result_t<Awaitable>> await_referred(std::remove_reference_t<Awaitable>& awaited) {
    co_return co_await static_cast<Awaitable&&>(awaited);
}

template <class Function>
task<sync_wait_result_t<std::invoke_result_t<Function>>> await_called(
    std::remove_reference_t<Function>& function) {
    co_return co_await std::invoke(static_cast<Function&&>(function));
}

inline void assert_no_worker() noexcept {
    EDDY_CHECK(worker::current_or_null() == nullptr, "sync_wait blocks its thread: await on a worker");
}

}  // namespace detail

/// What sync_wait() calls on the worker.
template <class Function>
concept gives_awaitable = std::invocable<Function> && awaitable<std::invoke_result_t<Function>>;

/// Runs an awaitable, in a runtime made for it, and returns its result or throws its exception. For
/// tests and small tools: it starts a worker and ends it again. What it awaits is the caller's and is not
/// destroyed by it; a reference among the results refers to what the caller keeps alive.
///
/// Requires: the calling thread is no worker (it would stand still).
template <awaitable Awaitable>
detail::sync_wait_result_t<Awaitable> sync_wait(Awaitable&& awaited, const runtime_options& options = {}) {
    detail::assert_no_worker();
    return run(detail::await_referred<Awaitable>(awaited), options);
}

/// The same for awaitables that can be made on a worker only, such as an operation: the function is called
/// there and returns the awaitable.
template <gives_awaitable Function>
    requires(!awaitable<Function>)
detail::sync_wait_result_t<std::invoke_result_t<Function>> sync_wait(Function&& function,
                                                                     const runtime_options& options = {}) {
    detail::assert_no_worker();
    return run(detail::await_called<Function>(function), options);
}

}  // namespace eddy
