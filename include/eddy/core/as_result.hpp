#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/foreign_awaitable.hpp>
#include <eddy/core/detail/suspension.hpp>

#include <concepts>
#include <coroutine>
#include <expected>
#include <functional>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

template <class T>
struct expected_for {
    using type = std::expected<T, std::error_code>;
};
template <class T>
struct expected_for<T&> {
    using type = std::expected<std::reference_wrapper<T>, std::error_code>;
};
// What may be moved from is.
template <class T>
struct expected_for<T&&> : expected_for<std::remove_cv_t<T>> {};

template <class Awaitable>
using native_awaiter_type =
    typename std::conditional_t<native_awaitable<Awaitable>, std::type_identity<awaiter_type<Awaitable>>,
                                std::type_identity<foreign_awaitable<Awaitable>>>::type;

/// What a function returns, or the code of the std::system_error that it throws.
template <class Function>
typename expected_for<std::invoke_result_t<Function>>::type caught_outcome(Function take) {
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
            take();
            return {};
        } else {
            return take();
        }
    } catch (const std::system_error& error) {
        return std::unexpected(error.code());
    }
}

}  // namespace detail

/// An awaiter that can return its outcome without throwing.
template <class Awaiter>
concept reports_outcome = requires(Awaiter& awaiter, std::coroutine_handle<> point) {
    { awaiter.await_ready() } -> std::convertible_to<bool>;
    awaiter.await_suspend(point);
    {
        awaiter.outcome()
    } -> std::convertible_to<typename detail::expected_for<decltype(awaiter.await_resume())>::type>;
};

/// What as_result() returns.
template <awaitable Awaitable>
class [[nodiscard]] result_awaiter {
    using held = detail::native_awaiter_type<Awaitable>;
    using awaiter = detail::kept_awaiter<held>;

public:
    explicit result_awaiter(Awaitable&& awaited)
        requires detail::native_awaitable<Awaitable>
        : awaiter_(detail::get_awaiter(std::forward<Awaitable>(awaited))) {}
    explicit result_awaiter(Awaitable&& awaited)
        requires(!detail::native_awaitable<Awaitable>)
        : awaiter_(std::forward<Awaitable>(awaited)) {}

    bool await_ready() { return awaiter_.await_ready(); }
    decltype(auto) await_suspend(detail::suspension point) { return awaiter_.await_suspend(point); }

    typename detail::expected_for<await_result_t<Awaitable>>::type await_resume() {
        if constexpr (reports_outcome<std::remove_reference_t<awaiter>>)
            return awaiter_.outcome();
        else
            return detail::caught_outcome([this]() -> decltype(auto) { return awaiter_.await_resume(); });
    }

private:
    awaiter awaiter_;
};

/// `co_await as_result(x)` returns std::expected<T, std::error_code> where `co_await x` returns a T or throws
/// std::system_error; a T& comes in a std::reference_wrapper, a T&& as a T. Operations then throw nothing at
/// all, and allocate nothing when they succeed, in either form; with tasks and everything else the exception
/// of the result is caught. Other exceptions pass through.
///
/// Dropping it drops what it awaits. An lvalue is referred to, and so is a temporary awaiter that cannot be
/// moved: that one must be awaited in the same expression.
template <awaitable Awaitable>
[[nodiscard]] result_awaiter<Awaitable> as_result(Awaitable&& awaited) {
    return result_awaiter<Awaitable>(std::forward<Awaitable>(awaited));
}

}  // namespace eddy
