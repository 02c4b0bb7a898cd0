#pragma once

#include <eddy/combine/detail/group_of.hpp>
#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>

#include <cstddef>
#include <exception>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace eddy {

/// What race_ok() throws when none has succeeded.
class all_failed : public std::exception {
public:
    /// Made by race_ok(), with an exception for each task.
    explicit all_failed(std::vector<std::exception_ptr> errors);

    /// The failures, in the order of the awaitables.
    [[nodiscard]] const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }
    /// All their messages.
    [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
    std::vector<std::exception_ptr> errors_;
    std::string text_;
};

namespace detail {

template <class... T>
[[noreturn]] void throw_all_failed(job_group& group) {
    std::vector<std::exception_ptr> errors;
    errors.reserve(sizeof...(T));
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        (errors.push_back(group.result<T>(Index).error()), ...);
    }(std::index_sequence_for<T...>());
    throw all_failed(std::move(errors));
}

}  // namespace detail

/// What race_ok() of several awaitables returns.
template <class... T>
class [[nodiscard]] race_ok_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    std::variant<detail::variant_member<T>...> await_resume() {
        if (group().decided() == detail::job_group::undecided)
            detail::throw_all_failed<T...>(group());
        return detail::take_winner<T...>(group(), group().decided());
    }
};

/// What race_ok() of a range returns.
template <class T>
class [[nodiscard]] race_ok_of_range_awaiter : public detail::group_awaiter {
public:
    using group_awaiter::group_awaiter;
    race_winner<T> await_resume() {
        if (group().decided() != detail::job_group::undecided)
            return detail::take_winner_of_range<T>(group(), group().decided());
        std::vector<std::exception_ptr> errors;
        errors.reserve(group().size());
        for (std::size_t index = 0; index < group().size(); ++index)
            errors.push_back(group().template result<T>(index).error());
        throw all_failed(std::move(errors));
    }
};

/// As race(), but only a success wins: the first is returned, and the others are dropped. If all fail, all
/// failures are thrown together, as all_failed.
template <awaitable... Awaitables>
    requires(sizeof...(Awaitables) > 0)
[[nodiscard]] auto race_ok(Awaitables&&... awaited) {
    return race_ok_awaiter<detail::awaited_value_t<Awaitables>...>(
        detail::group_of(detail::job_group::decided_by::success, std::forward<Awaitables>(awaited)...));
}

/// The same for a range, whose elements are moved out. Returns the winner's index in it and its result. Of an
/// empty range all have failed.
template <detail::range_of_awaitables Range>
[[nodiscard]] auto race_ok(Range&& awaited) {
    return race_ok_of_range_awaiter<detail::range_result_t<Range>>(
        detail::group_of_range(detail::job_group::decided_by::success, awaited));
}

}  // namespace eddy
