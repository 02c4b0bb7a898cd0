#pragma once

#include <eddy/core/awaitable.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class Sequence>
using next_result_t = await_result_t<decltype(std::declval<Sequence&>().next())>;

}  // namespace detail

/// Values that come one by one and may have to be waited for: `co_await sequence.next()` returns a
/// std::optional, which is empty at the end.
///
///     while (auto value = co_await sequence.next())
///         use(*value);
template <class Sequence>
concept async_sequence = requires(Sequence& sequence) {
    { sequence.next() } -> awaitable;
} && detail::is_optional<std::remove_cvref_t<detail::next_result_t<Sequence>>>;

/// What the optional holds.
template <async_sequence Sequence>
using async_element_t = typename std::remove_cvref_t<detail::next_result_t<Sequence>>::value_type;

}  // namespace eddy
