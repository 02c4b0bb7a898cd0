#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/extract.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/response.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy::http {

namespace detail {

template <class T>
struct signature : signature<decltype(&T::operator())> {};
template <class Result, class... Arguments>
struct signature<Result (*)(Arguments...)> {
    using result = Result;
    using arguments = std::tuple<Arguments...>;
};
template <class Result, class... Arguments>
struct signature<Result (*)(Arguments...) noexcept> : signature<Result (*)(Arguments...)> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...)> : signature<Result (*)(Arguments...)> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) const> : signature<Result (*)(Arguments...)> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) noexcept> : signature<Result (*)(Arguments...)> {};
template <class Class, class Result, class... Arguments>
struct signature<Result (Class::*)(Arguments...) const noexcept> : signature<Result (*)(Arguments...)> {};

template <class T>
struct awaited_type {
    using type = T;
    static constexpr bool is_awaited = false;
};
template <class T>
struct awaited_type<task<T>> {
    using type = T;
    static constexpr bool is_awaited = true;
};
template <class T>
struct awaited_type<ready_or_task<T>> : awaited_type<task<T>> {};

template <class Argument>
concept exchange_argument = std::same_as<Argument, exchange&>;

/// Whether a parameter is taken from the body, which has to be waited for.
template <class Argument>
constexpr bool is_read_from_body() {
    if constexpr (exchange_argument<Argument>)
        return false;
    else
        return awaited_type<decltype(extractor<std::remove_cvref_t<Argument>>::from(
            std::declval<exchange&>()))>::is_awaited;
}

template <class Argument>
decltype(auto) extract_now(exchange& ex) {
    if constexpr (exchange_argument<Argument>)
        return static_cast<exchange&>(ex);
    else
        return extractor<std::remove_cvref_t<Argument>>::from(ex);
}

template <class Argument>
struct extracted {
    std::optional<std::remove_cvref_t<Argument>> value;
    task<> read(exchange& ex) {
        using kind = extractor<std::remove_cvref_t<Argument>>;
        if constexpr (is_read_from_body<Argument>()) {
            auto read = co_await kind::from(ex);
            value.emplace(std::move(read));
        } else {
            value.emplace(kind::from(ex));
        }
        co_return;
    }
    std::remove_cvref_t<Argument>&& take(exchange&) noexcept { return std::move(*value); }
};
template <exchange_argument Argument>
struct extracted<Argument> {
    task<> read(exchange&) { co_return; }
    exchange& take(exchange& ex) noexcept { return ex; }
};

/// Awaits a response and answers with it.
template <class Result>
task<> answer_later(exchange& ex, Result awaited) {
    response answered = co_await std::move(awaited);
    co_await response::send(ex, std::move(answered));
}

template <class Function, class Arguments>
class callable_handler;

template <class Function, class... Arguments>
class callable_handler<Function, std::tuple<Arguments...>> final : public request_handler {
    using result = typename signature<Function>::result;
    using awaited = awaited_type<result>;
    static constexpr bool waits_for_body = (is_read_from_body<Arguments>() || ...);

    static_assert(std::is_void_v<typename awaited::type> ||
                      std::is_convertible_v<typename awaited::type, response>,
                  "a handler gives nothing or a response, or a task with one of them");
    static_assert(!awaited::is_awaited ||
                      ((exchange_argument<Arguments> || !std::is_reference_v<Arguments>) && ...),
                  "a handler that is a coroutine takes what it extracts by value: a reference would dangle");

public:
    explicit callable_handler(Function function) : function_(std::move(function)) {}

    [[nodiscard]] ready_or_task<> handle(exchange& ex) override {
        if constexpr (waits_for_body)
            return read_and_call(ex);
        else
            return settle(ex, [&]() -> result { return function_(extract_now<Arguments>(ex)...); });
    }

private:
    /// Calls, and answers with what comes of it.
    template <class Call>
    static ready_or_task<> settle(exchange& ex, Call call) {
        if constexpr (std::is_void_v<result>) {
            call();
            return {};
        } else if constexpr (std::is_void_v<typename awaited::type>) {
            return call();
        } else if constexpr (awaited::is_awaited) {
            return answer_later(ex, call());
        } else {
            return response::send(ex, call());
        }
    }

    task<> read_and_call(exchange& ex) {
        std::tuple<extracted<Arguments>...> all;
        co_await read_all(ex, all, std::index_sequence_for<Arguments...>());
        ready_or_task<> rest = call_with(ex, all, std::index_sequence_for<Arguments...>());
        co_await std::move(rest);
    }
    template <class Tuple, std::size_t... Index>
    static task<> read_all(exchange& ex, Tuple& all, std::index_sequence<Index...>) {
        (co_await std::get<Index>(all).read(ex), ...);
    }
    template <class Tuple, std::size_t... Index>
    ready_or_task<> call_with(exchange& ex, Tuple& all, std::index_sequence<Index...>) {
        return settle(ex, [&]() -> result { return function_(std::get<Index>(all).take(ex)...); });
    }

    Function function_;
};

}  // namespace detail

/// Makes a handler of a callable with one signature. Its parameters are `exchange&`, or kinds of extract.hpp,
/// in any order. It returns
///
/// - nothing, a task<> or a ready_or_task<>, and has answered by way of the exchange;
/// - a response, a task<response> or a ready_or_task<response>.
///
/// A coroutine takes what it extracts by value. Its captures live as long as the handler, so a lambda with
/// captures may be a coroutine.
template <class Function>
[[nodiscard]] std::unique_ptr<request_handler> make_route_handler(Function function) {
    using arguments = typename detail::signature<Function>::arguments;
    return std::make_unique<detail::callable_handler<Function, arguments>>(std::move(function));
}

}  // namespace eddy::http
