#pragma once

#include <eddy/combine/detail/as_task.hpp>
#include <eddy/combine/detail/job_group.hpp>
#include <eddy/combine/race.hpp>
#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy {

/// An awaitable that can be tried without waiting: poll() returns an optional of the result of awaiting it,
/// and has done nothing if that is empty. For example an operation on a channel.
template <class T>
concept pollable = requires(std::remove_reference_t<T>& candidate) {
    { candidate.poll() } -> std::same_as<std::optional<await_result_t<T>>>;
};

namespace detail {

/// Where a fair choice begins: below `count`, at random.
[[nodiscard]] std::size_t random_place(std::size_t count) noexcept;

/// Polls those of `cases` that can be polled, each once, from `first` on and round.
template <class... Cases>
class case_poll {
public:
    using variant = std::variant<variant_member<awaited_value_t<Cases>>...>;

    static std::optional<variant> poll(std::tuple<Cases...>& cases, std::size_t first) {
        std::optional<variant> won;
        for (std::size_t tried = 0; tried < sizeof...(Cases) && !won; ++tried)
            poll_one(cases, (first + tried) % sizeof...(Cases), won, std::index_sequence_for<Cases...>());
        return won;
    }

private:
    template <std::size_t... Index>
    static void poll_one(std::tuple<Cases...>& cases, std::size_t wanted, std::optional<variant>& won,
                         std::index_sequence<Index...>) {
        ((Index == wanted ? poll_at<Index>(std::get<Index>(cases), won) : void()), ...);
    }
    template <std::size_t Index, class Case>
    static void poll_at(Case& requested, std::optional<variant>& won) {
        if constexpr (pollable<Case>)
            if (auto result = requested.poll())
                won.emplace(std::in_place_index<Index>, std::move(*result));
    }
};

}  // namespace detail

/// What select() returns.
template <class... Cases>
class [[nodiscard]] select_awaiter {
    using polled = detail::case_poll<Cases...>;

public:
    using value_type = typename polled::variant;

    select_awaiter(std::size_t first, Cases&&... cases)
        : cases_(std::forward<Cases>(cases)...), first_(first) {}
    /// Requires: nothing has been awaited yet.
    select_awaiter(select_awaiter&& other) noexcept(
        std::is_nothrow_move_constructible_v<std::tuple<Cases...>>)
        : cases_(std::move(other.cases_)), first_(other.first_) {}
    select_awaiter& operator=(select_awaiter&&) = delete;
    ~select_awaiter() = default;

    bool await_ready() {
        is_put_off_ = !detail::resume_loop::consume_budget();
        if (is_put_off_)
            return false;
        won_ = polled::poll(cases_, first_);
        return won_.has_value();
    }
    // When it is other tasks' turn, all of this is left to a task that begins after theirs: cases that are ready
    // would win in the order in which they were started.
    void await_suspend(detail::suspension point) {
        if (is_put_off_) {
            group_ = detail::job_group::make<value_type>(detail::job_group::decided_by::any_end);
            group_->add(detail::as_task(std::move(*this)));
            return group_->start(point);
        }
        group_ = detail::job_group::make<detail::awaited_value_t<Cases>...>(
            detail::job_group::decided_by::any_end);
        std::apply([this](Cases&... each) { (group_->add(detail::as_task(std::forward<Cases>(each))), ...); },
                   cases_);
        group_->start(point);
    }
    value_type await_resume() {
        if (won_)
            return *std::move(won_);
        if (is_put_off_)
            return group_->template result<value_type>(0).take();
        return detail::take_winner<detail::awaited_value_t<Cases>...>(*group_, group_->decided());
    }

private:
    std::tuple<Cases...> cases_;
    std::size_t first_;
    bool is_put_off_ = false;
    std::optional<value_type> won_;
    detail::job_group::owner group_;
};

/// `co_await select(work.recv(), results.send(value), sleep_for(1s))` is race(), made for operations on
/// channels: it returns the result of the one that ends first, as a variant whose index() says which it was.
///
/// - Those that can be polled (pollable) are polled before any wait, beginning with one chosen at random, so
///   that none is starved by others that are ready as often. If one is ready, nothing else has happened, and
///   nothing was allocated.
/// - Otherwise all are waited for, as by race(). The losers are dropped before anything else runs, and lose
///   nothing: an item that one has just been handed goes back to its channel. Whether a send that has lost
///   was sent is known to its operation, which the caller keeps by awaiting it as an lvalue (send_operation).
/// - Cancellation: dropping it drops them all.
/// - Cost when it waits: as race(), one allocation, and a coroutine for each that is no task.
template <awaitable... Cases>
    requires(sizeof...(Cases) > 0)
[[nodiscard]] select_awaiter<Cases...> select(Cases&&... cases) {
    return select_awaiter<Cases...>(detail::random_place(sizeof...(Cases)), std::forward<Cases>(cases)...);
}

/// The same, but of several that are ready at once the first wins: the order is one of precedence. Dropping
/// it drops them all.
template <awaitable... Cases>
    requires(sizeof...(Cases) > 0)
[[nodiscard]] select_awaiter<Cases...> select_in_order(Cases&&... cases) {
    return select_awaiter<Cases...>(0, std::forward<Cases>(cases)...);
}

/// What select() would return without a wait, or std::nullopt: then nothing has happened. On any thread if
/// the cases may be polled there.
template <awaitable... Cases>
    requires(sizeof...(Cases) > 0 && (pollable<Cases> && ...))
[[nodiscard]] auto select_now(Cases&&... cases) {
    std::tuple<Cases...> requested(std::forward<Cases>(cases)...);
    return detail::case_poll<Cases...>::poll(requested, detail::random_place(sizeof...(Cases)));
}

}  // namespace eddy
