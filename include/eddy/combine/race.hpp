#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/group_of.hpp>
#include <eddy/combine/detail/job_group.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/detail/assert.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy {

/// The winner among the elements of a range: its index, and the result unless it is void.
template <class T>
class race_winner {
public:
    /// Made by race().
    race_winner(std::size_t place, T result) : index(place), value(std::forward<T>(result)) {}

    /// Its index in the range.
    std::size_t index;
    /// What it returned.
    T value;
};
template <>
class race_winner<void> {
public:
    explicit race_winner(std::size_t place) noexcept : index(place) {}

    std::size_t index;
};

namespace detail {

/// What a variant holds for a T.
template <class T>
using variant_member =
    std::conditional_t<std::is_reference_v<T>, std::reference_wrapper<std::remove_reference_t<T>>,
                       value_or_monostate<T>>;

template <std::size_t Index, class T, class Variant>
Variant take_member(job_group& group) {
    if constexpr (std::is_void_v<T>) {
        group.result<T>(Index).take();
        return Variant(std::in_place_index<Index>);
    } else {
        return Variant(std::in_place_index<Index>, group.result<T>(Index).take());
    }
}

/// The result of the winner as a variant of all, or its exception.
template <class... T>
std::variant<variant_member<T>...> take_winner(job_group& group, std::size_t winner) {
    using variant = std::variant<variant_member<T>...>;
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        static constexpr std::array<variant (*)(job_group&), sizeof...(T)> takers{
            &take_member<Index, T, variant>...};
        return takers[winner](group);
    }(std::index_sequence_for<T...>());
}

template <class T>
race_winner<T> take_winner_of_range(job_group& group, std::size_t winner) {
    if constexpr (std::is_void_v<T>) {
        group.result<T>(winner).take();
        return race_winner<void>(winner);
    } else {
        return race_winner<T>(winner, group.result<T>(winner).take());
    }
}

}  // namespace detail

/// What race() of several awaitables returns.
template <class... T>
class [[nodiscard]] race_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    using value_type = std::variant<detail::variant_member<T>...>;
    value_type await_resume() { return detail::take_winner<T...>(group(), group().decided()); }
};

/// What race() of a range returns.
template <class T>
class [[nodiscard]] race_of_range_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    race_winner<T> await_resume() { return detail::take_winner_of_range<T>(group(), group().decided()); }
};

/// `co_await race(a(), b())` runs tasks, or any other awaitables, at the same time on this worker until the
/// first has ended, drops the others and returns the first one's result: a variant whose index() says which
/// it was, with std::monostate for void and std::reference_wrapper for a reference. If it ended with an
/// exception, that is rethrown.
///
/// - The others are dropped before anything else runs, so what one of them has received in the same turn
///   (bytes read, a connection accepted) is kept for the next operation, as with any dropped one.
/// - Cancellation: dropping it drops them all. They have ended, or have been dropped, when it returns.
/// - Ownership and cost: as when_all().
template <awaitable... Awaitables>
    requires(sizeof...(Awaitables) > 0)
[[nodiscard]] auto race(Awaitables&&... awaited) {
    return race_awaiter<detail::awaited_value_t<Awaitables>...>(
        detail::group_of(detail::job_group::decided_by::any_end, std::forward<Awaitables>(awaited)...));
}

/// The same for a range, whose elements are moved out. Returns the winner's index in it and its result.
/// Requires: the range is not empty.
template <detail::range_of_awaitables Range>
[[nodiscard]] auto race(Range&& awaited) {
    EDDY_CHECK(std::ranges::size(awaited) != 0, "a race has at least one participant");
    return race_of_range_awaiter<detail::range_result_t<Range>>(
        detail::group_of_range(detail::job_group::decided_by::any_end, awaited));
}

}  // namespace eddy
