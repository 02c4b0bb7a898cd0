#pragma once

#include <eddy/combine/detail/group_of.hpp>
#include <eddy/combine/when_all.hpp>

#include <cstddef>
#include <exception>
#include <expected>
#include <functional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace eddy {

/// How a task ended: its result, or the exception that left it. A reference comes in a
/// std::reference_wrapper.
template <class T>
using settled = std::expected<
    std::conditional_t<std::is_reference_v<T>, std::reference_wrapper<std::remove_reference_t<T>>, T>,
    std::exception_ptr>;

namespace detail {

template <class T>
settled<T> take_settled(job_group& group, std::size_t index) {
    result_slot<T>& result = group.result<T>(index);
    if (result.has_error())
        return std::unexpected(result.error());
    if constexpr (std::is_void_v<T>)
        return {};
    else
        return result.take();
}

}  // namespace detail

/// What when_all_settled() of several awaitables returns.
template <class... T>
class [[nodiscard]] settled_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    std::tuple<settled<T>...> await_resume() { return take(std::index_sequence_for<T...>()); }

private:
    template <std::size_t... Index>
    std::tuple<settled<T>...> take(std::index_sequence<Index...>) {
        return std::tuple<settled<T>...>{detail::take_settled<T>(group(), Index)...};
    }
};

/// What when_all_settled() of a range returns.
template <class T>
class [[nodiscard]] settled_range_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    std::vector<settled<T>> await_resume() {
        std::vector<settled<T>> outcomes;
        outcomes.reserve(group().size());
        for (std::size_t index = 0; index < group().size(); ++index)
            outcomes.push_back(detail::take_settled<T>(group(), index));
        return outcomes;
    }
};

/// As when_all(), but waits for the end of each, however it ends, and returns all outcomes.
template <awaitable... Awaitables>
[[nodiscard]] auto when_all_settled(Awaitables&&... awaited) {
    return settled_awaiter<detail::awaited_value_t<Awaitables>...>(
        detail::group_of(detail::job_group::decided_by::nothing, std::forward<Awaitables>(awaited)...));
}

/// The same for a range, whose elements are moved out.
template <detail::range_of_awaitables Range>
[[nodiscard]] auto when_all_settled(Range&& awaited) {
    return settled_range_awaiter<detail::range_result_t<Range>>(
        detail::group_of_range(detail::job_group::decided_by::nothing, awaited));
}

}  // namespace eddy
