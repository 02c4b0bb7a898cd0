#pragma once

#include <eddy/detail/build.hpp>

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

/// What an await_suspend may return.
template <class T>
concept suspend_result =
    std::is_void_v<T> || std::same_as<T, bool> || std::convertible_to<T, std::coroutine_handle<>>;

}  // namespace detail

/// The functions that the language requires of an awaiter.
template <class T>
concept awaiter = requires(T& candidate, std::coroutine_handle<> point) {
    { candidate.await_ready() } -> std::convertible_to<bool>;
    { candidate.await_suspend(point) } -> detail::suspend_result;
    candidate.await_resume();
};

namespace detail {

template <class T>
concept has_member_co_await = requires(T&& candidate) { std::forward<T>(candidate).operator co_await(); };
template <class T>
concept has_free_co_await = requires(T&& candidate) { operator co_await(std::forward<T>(candidate)); };

/// What the compiler makes of the operand of a co_await: the operand itself, or what its operator returns.
template <class T>
decltype(auto) get_awaiter(T&& awaited) {
    if constexpr (has_member_co_await<T>)
        return std::forward<T>(awaited).operator co_await();
    else if constexpr (has_free_co_await<T>)
        return operator co_await(std::forward<T>(awaited));
    else
        return std::forward<T>(awaited);
}

template <class T>
using awaiter_type = decltype(get_awaiter(std::declval<T>()));

}  // namespace detail

/// What `co_await` takes in a task: an awaiter, or a type with an operator co_await that returns one; of this
/// library or of another. `awaitable<T&>`: whether an lvalue may be awaited.
template <class T>
concept awaitable = awaiter<std::remove_reference_t<detail::awaiter_type<T>>>;

/// The result of `co_await` for a T.
template <awaitable T>
using await_result_t = decltype(std::declval<detail::awaiter_type<T>&>().await_resume());

/// An awaitable whose result is a Result.
template <class T, class Result>
concept awaitable_of = awaitable<T> && std::convertible_to<await_result_t<T>, Result>;

}  // namespace eddy
