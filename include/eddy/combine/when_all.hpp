#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/group_of.hpp>
#include <eddy/combine/detail/job_group.hpp>

#include <cstddef>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace eddy {

namespace detail {

template <class T>
value_or_monostate<T> take_value(job_group& group, std::size_t index) {
    if constexpr (std::is_void_v<T>) {
        group.result<T>(index).take();
        return {};
    } else {
        return group.result<T>(index).take();
    }
}

/// The common part of what awaits a group.
class group_awaiter {
public:
    explicit group_awaiter(job_group::owner group) noexcept : group_(std::move(group)) {}

    bool await_ready() const noexcept { return group_->size() == 0; }
    void await_suspend(suspension point) noexcept { group_->start(point); }

protected:
    [[nodiscard]] job_group& group() const noexcept { return *group_; }

private:
    job_group::owner group_;
};

}  // namespace detail

/// What when_all() of several awaitables returns.
template <class... T>
class [[nodiscard]] all_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    using value_type =
        std::conditional_t<(std::is_void_v<T> && ...), void, std::tuple<detail::value_or_monostate<T>...>>;

    value_type await_resume() { return take(std::index_sequence_for<T...>()); }

private:
    template <std::size_t... Index>
    value_type take(std::index_sequence<Index...>) {
        // Of several failures the first one counts, whatever its place.
        (throw_if_decided<T>(Index), ...);
        if constexpr (!std::is_void_v<value_type>)
            return value_type{detail::take_value<T>(group(), Index)...};
    }
    template <class Each>
    void throw_if_decided(std::size_t index) {
        if (group().decided() == index)
            static_cast<void>(detail::take_value<Each>(group(), index));
    }
};

/// What when_all() of a range returns.
template <class T>
class [[nodiscard]] all_of_range_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    using value_type =
        std::conditional_t<std::is_void_v<T>, void, std::vector<detail::value_or_monostate<T>>>;

    value_type await_resume() {
        if (const std::size_t failed = group().decided(); failed != detail::job_group::undecided)
            static_cast<void>(detail::take_value<T>(group(), failed));
        if constexpr (!std::is_void_v<T>) {
            value_type values;
            values.reserve(group().size());
            for (std::size_t index = 0; index < group().size(); ++index)
                values.push_back(group().template result<T>(index).take());
            return values;
        }
    }
};

/// `co_await when_all(a(), b())` runs tasks, or any other awaitables, at the same time on this worker and
/// returns their results as a tuple; nothing if all are void, a std::monostate for each that is void among
/// others.
///
/// - Errors: the first exception drops the others, before anything else runs, and is rethrown.
/// - Cancellation: dropping it drops them all. They have ended, or have been dropped, when it returns.
/// - Ownership: rvalues are moved in; lvalues (for example a handle) are awaited where they are.
/// - Cost: one allocation, of the jobs, from the frame cache; none of a task's own.
///
/// Throws std::bad_alloc. Requires: awaited by a task of a worker.
template <awaitable... Awaitables>
[[nodiscard]] auto when_all(Awaitables&&... awaited) {
    return all_awaiter<detail::awaited_value_t<Awaitables>...>(
        detail::group_of(detail::job_group::decided_by::failure, std::forward<Awaitables>(awaited)...));
}

/// The same for a range, whose elements are moved out. Returns a vector in the order of the range, or nothing
/// if they are void.
template <detail::range_of_awaitables Range>
[[nodiscard]] auto when_all(Range&& awaited) {
    return all_of_range_awaiter<detail::range_result_t<Range>>(
        detail::group_of_range(detail::job_group::decided_by::failure, awaited));
}

}  // namespace eddy
