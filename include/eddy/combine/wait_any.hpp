#pragma once

#include <eddy/combine/detail/wait_any_awaiter.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/detail/assert.hpp>

#include <array>
#include <cstddef>
#include <ranges>
#include <utility>
#include <vector>

namespace eddy {

/// `co_await wait_any(first, second)` waits until one of the tasks has ended and returns its index, the
/// lowest if there are several. No task is cancelled, and no result is taken: await the handle for that.
///
/// - Cancellation: dropping it leaves the tasks running.
/// - Ownership: the handles stay where they are and own their tasks; no other task awaits them meanwhile.
/// - Cost: no allocation.
template <class... T>
    requires(sizeof...(T) > 0)
[[nodiscard]] auto wait_any(handle<T>&... handles) noexcept {
    return detail::wait_any_awaiter<std::array<detail::job*, sizeof...(T)>>(
        {&detail::handle_access::job_of(handles)...});
}

/// The same for a range of handles. Allocates. Throws std::bad_alloc. Requires: the range is not empty.
template <std::ranges::forward_range Range>
[[nodiscard]] auto wait_any(Range& handles) {
    std::vector<detail::job*> jobs;
    for (const auto& each : handles)
        jobs.push_back(&detail::handle_access::job_of(each));
    EDDY_CHECK(!jobs.empty(), "there is something to wait for");
    return detail::wait_any_awaiter<std::vector<detail::job*>>(std::move(jobs));
}

}  // namespace eddy
