#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/task.hpp>

#include <concepts>
#include <ranges>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy::detail {

/// What a task has as the result of awaiting an Awaitable.
template <class Awaitable>
using awaited_value_t =
    std::conditional_t<std::is_rvalue_reference_v<await_result_t<Awaitable>>,
                       std::remove_cvref_t<await_result_t<Awaitable>>, await_result_t<Awaitable>>;

// An rvalue is moved into the coroutine, an lvalue referred to.
template <class Awaitable, class T>
task<T> await_in_task(Awaitable awaited) {
    co_return co_await static_cast<Awaitable&&>(awaited);
}

template <class T>
inline constexpr bool is_task = false;
template <class T>
inline constexpr bool is_task<task<T>> = true;

/// The awaitable if it is a task, else a task that awaits it.
template <class Awaitable>
task<awaited_value_t<Awaitable>> as_task(Awaitable&& awaited) {
    if constexpr (is_task<Awaitable>)
        return std::forward<Awaitable>(awaited);
    else
        return await_in_task<Awaitable, awaited_value_t<Awaitable>>(std::forward<Awaitable>(awaited));
}

/// A range of what may be awaited once it is moved out.
template <class Range>
concept range_of_awaitables =
    std::ranges::sized_range<Range> && awaitable<std::remove_cvref_t<std::ranges::range_value_t<Range>>>;

template <class Range>
using range_result_t = awaited_value_t<std::ranges::range_value_t<Range>>;

/// What stands for a T among others: a void has no values, a variant no references.
template <class T>
using value_or_monostate = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

}  // namespace eddy::detail
