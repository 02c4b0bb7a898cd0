#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/job_group.hpp>

#include <ranges>
#include <utility>

namespace eddy::detail {

/// A group of what may be awaited, which was not started yet. Throws std::bad_alloc.
template <class... Awaitables>
[[nodiscard]] job_group::owner group_of(job_group::decided_by decision, Awaitables&&... awaited) {
    auto group = job_group::make<awaited_value_t<Awaitables>...>(decision);
    (group->add(as_task(std::forward<Awaitables>(awaited))), ...);
    return group;
}

/// The same of a range, whose elements are moved out.
template <range_of_awaitables Range>
[[nodiscard]] job_group::owner group_of_range(job_group::decided_by decision, Range&& awaited) {
    auto group = job_group::make_range<range_result_t<Range>>(std::ranges::size(awaited), decision);
    for (auto&& each : awaited)
        group->add(as_task(std::move(each)));
    return group;
}

}  // namespace eddy::detail
