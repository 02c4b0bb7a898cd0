#pragma once

#include <eddy/base/assert.hpp>
#include <eddy/combine/group_of.hpp>
#include <eddy/combine/race_winner.hpp>
#include <eddy/combine/when_all.hpp>

#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy {

/// What race() of several awaitables gives.
template <class... T>
class [[nodiscard]] race_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    using value_type = std::variant<detail::variant_member<T>...>;
    value_type await_resume() { return detail::take_winner<T...>(group(), group().decided()); }
};

/// What race() of a range gives.
template <class T>
class [[nodiscard]] race_of_range_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    race_winner<T> await_resume() { return detail::take_winner_of_range<T>(group(), group().decided()); }
};

/// `co_await race(a(), b())` runs tasks, or whatever else can be awaited, at the same time on this worker
/// until the first has ended, drops the others and gives the first one's result: a variant whose index() says
/// which it was, with std::monostate for void and std::reference_wrapper for a reference. If it ended with an
/// exception, that is rethrown.
///
/// - The others are dropped before anything else runs, so what one of them has won in the same turn (bytes
///   read, a connection accepted) is kept for the next who asks, as it is of any dropped operation.
/// - Cancellation: dropping it drops them all. They have ended, or have been dropped, when it returns.
/// - Ownership and cost: as when_all().
template <awaitable... Awaitables>
    requires(sizeof...(Awaitables) > 0)
[[nodiscard]] auto race(Awaitables&&... awaited) {
    return race_awaiter<detail::awaited_value_t<Awaitables>...>(
        detail::group_of(detail::job_group::decided_by::any_end, std::forward<Awaitables>(awaited)...));
}

/// The same for a range, whose elements are moved out; gives the winner's place in it and its result.
/// Requires: the range is not empty.
template <detail::range_of_awaitables Range>
[[nodiscard]] auto race(Range&& awaited) {
    EDDY_ASSERT(std::ranges::size(awaited) != 0, "a race has somebody who takes part");
    return race_of_range_awaiter<detail::range_result_t<Range>>(
        detail::group_of_range(detail::job_group::decided_by::any_end, awaited));
}

}  // namespace eddy
