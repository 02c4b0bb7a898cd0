#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/foreign_awaitable.hpp>
#include <eddy/core/suspension.hpp>

#include <concepts>
#include <coroutine>
#include <expected>
#include <functional>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

/// An awaiter that can give its outcome without throwing.
template <class Awaiter>
concept reports_outcome = requires(Awaiter& awaiter, std::coroutine_handle<> point) {
    { awaiter.await_ready() } -> std::convertible_to<bool>;
    awaiter.await_suspend(point);
    {
        awaiter.outcome()
    } -> std::convertible_to<std::expected<decltype(awaiter.await_resume()), std::error_code>>;
};

namespace detail {

template <class Awaitable>
using native_awaiter_type =
    typename std::conditional_t<native_awaitable<Awaitable>, std::type_identity<awaiter_type<Awaitable>>,
                                std::type_identity<foreign_awaitable<Awaitable>>>::type;

template <class T>
struct expected_for {
    using type = std::expected<T, std::error_code>;
};
template <class T>
struct expected_for<T&> {
    using type = std::expected<std::reference_wrapper<T>, std::error_code>;
};
template <class T>
struct expected_for<T&&> : expected_for<T> {};

}  // namespace detail

/// What as_result() gives.
template <awaitable Awaitable>
class [[nodiscard]] result_awaiter {
    using held = detail::native_awaiter_type<Awaitable>;
    // An awaiter that is its own awaitable comes as a reference to a temporary, and is moved in.
    using awaiter = std::conditional_t<std::is_rvalue_reference_v<held>, std::remove_cvref_t<held>, held>;

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
        if constexpr (reports_outcome<std::remove_reference_t<awaiter>>) {
            return awaiter_.outcome();
        } else {
            try {
                if constexpr (std::is_void_v<await_result_t<Awaitable>>) {
                    awaiter_.await_resume();
                    return {};
                } else {
                    return awaiter_.await_resume();
                }
            } catch (const std::system_error& error) {
                return std::unexpected(error.code());
            }
        }
    }

private:
    awaiter awaiter_;
};

/// `co_await as_result(x)` gives std::expected<T, std::error_code> where `co_await x` gives a T or throws
/// std::system_error; a reference comes in a std::reference_wrapper. Operations throw nothing at all then,
/// and neither form of theirs allocates when they succeed; of tasks and everything else the exception is
/// caught. Other exceptions come through.
///
/// Dropping it drops what it awaits.
template <awaitable Awaitable>
[[nodiscard]] result_awaiter<Awaitable> as_result(Awaitable&& awaited) {
    return result_awaiter<Awaitable>(std::forward<Awaitable>(awaited));
}

}  // namespace eddy
