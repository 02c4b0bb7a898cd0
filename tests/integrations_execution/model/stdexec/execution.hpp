#pragma once

// A small model of the part of [exec] that eddy/integrations/execution.hpp uses, in the place and with the names of stdexec:
// concepts, completion functions, queries, stop tokens. A sender has get_completion_signatures() as the standard words it.

#include "integrations_execution/model/stop_token.hpp"

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>

namespace stdexec {

struct receiver_t {};
struct operation_state_t {};
struct scheduler_t {};
struct sender_t {};

struct empty_env {};

// [exec.get.env]
struct get_env_t {
    template <class T>
    [[nodiscard]] decltype(auto) operator()(const T& of) const noexcept {
        if constexpr (requires { of.get_env(); }) {
            static_assert(noexcept(of.get_env()));
            return of.get_env();
        } else {
            return empty_env();
        }
    }
};
inline constexpr get_env_t get_env{};
template <class T>
using env_of_t = decltype(get_env(std::declval<T>()));

// [exec.get.stop.token]
struct get_stop_token_t {
    template <class Env>
    [[nodiscard]] auto operator()(const Env& env) const noexcept {
        if constexpr (requires { env.query(*this); }) {
            static_assert(noexcept(env.query(*this)));
            return env.query(*this);
        } else {
            return never_stop_token();
        }
    }
};
inline constexpr get_stop_token_t get_stop_token{};
template <class Env>
using stop_token_of_t = std::remove_cvref_t<decltype(get_stop_token(std::declval<Env>()))>;

// [exec.get.scheduler]
struct get_scheduler_t {
    template <class Env>
    [[nodiscard]] auto operator()(const Env& env) const noexcept {
        static_assert(noexcept(env.query(*this)));
        return env.query(*this);
    }
};
inline constexpr get_scheduler_t get_scheduler{};

// [exec.get.compl.sched]
template <class Completion>
struct get_completion_scheduler_t {
    template <class Env>
    [[nodiscard]] auto operator()(const Env& env) const noexcept {
        static_assert(noexcept(env.query(*this)));
        return env.query(*this);
    }
};
template <class Completion>
inline constexpr get_completion_scheduler_t<Completion> get_completion_scheduler{};

// [exec.recv]
template <class T>
concept receiver =
    std::derived_from<typename std::remove_cvref_t<T>::receiver_concept, receiver_t> &&
    std::move_constructible<std::remove_cvref_t<T>> && std::constructible_from<std::remove_cvref_t<T>, T>;

struct set_value_t {
    template <class Receiver, class... Values>
        requires(!std::is_lvalue_reference_v<Receiver> && !std::is_const_v<Receiver>)
    void operator()(Receiver&& to, Values&&... values) const noexcept {
        static_assert(noexcept(std::move(to).set_value(std::forward<Values>(values)...)));
        std::move(to).set_value(std::forward<Values>(values)...);
    }
};
struct set_error_t {
    template <class Receiver, class Error>
        requires(!std::is_lvalue_reference_v<Receiver> && !std::is_const_v<Receiver>)
    void operator()(Receiver&& to, Error&& error) const noexcept {
        static_assert(noexcept(std::move(to).set_error(std::forward<Error>(error))));
        std::move(to).set_error(std::forward<Error>(error));
    }
};
struct set_stopped_t {
    template <class Receiver>
        requires(!std::is_lvalue_reference_v<Receiver> && !std::is_const_v<Receiver>)
    void operator()(Receiver&& to) const noexcept {
        static_assert(noexcept(std::move(to).set_stopped()));
        std::move(to).set_stopped();
    }
};
inline constexpr set_value_t set_value{};
inline constexpr set_error_t set_error{};
inline constexpr set_stopped_t set_stopped{};

// [exec.opstate]
struct start_t {
    template <class Operation>
    void operator()(Operation& operation) const noexcept {
        static_assert(noexcept(operation.start()));
        operation.start();
    }
};
inline constexpr start_t start{};
template <class T>
concept operation_state = std::derived_from<typename T::operation_state_concept, operation_state_t> &&
                          std::is_object_v<T> && std::destructible<T> && requires(T& state) { start(state); };

// [exec.snd]
template <class T>
concept sender =
    std::derived_from<typename std::remove_cvref_t<T>::sender_concept, sender_t> &&
    std::move_constructible<std::remove_cvref_t<T>> && std::constructible_from<std::remove_cvref_t<T>, T>;

template <class... Signatures>
struct completion_signatures {};
template <class Sender, class... Env>
using completion_signatures_of_t =
    decltype(std::remove_cvref_t<Sender>::template get_completion_signatures<Sender, Env...>());

namespace model {

template <class... T>
struct list {};

// The values of each set_value_t(...) among the signatures.
template <template <class...> class Tuple, class Found, class... Signatures>
struct values_in;
template <template <class...> class Tuple, class... Found>
struct values_in<Tuple, list<Found...>> {
    using type = list<Found...>;
};
template <template <class...> class Tuple, class... Found, class... Values, class... Rest>
struct values_in<Tuple, list<Found...>, set_value_t(Values...), Rest...>
    : values_in<Tuple, list<Found..., Tuple<Values...>>, Rest...> {};
template <template <class...> class Tuple, class... Found, class Other, class... Rest>
struct values_in<Tuple, list<Found...>, Other, Rest...> : values_in<Tuple, list<Found...>, Rest...> {};

template <class Signatures, template <class...> class Tuple, template <class...> class Variant>
struct value_types;
template <class... Signatures, template <class...> class Tuple, template <class...> class Variant>
struct value_types<completion_signatures<Signatures...>, Tuple, Variant> {
    template <class List>
    struct applied;
    template <class... Ways>
    struct applied<list<Ways...>> {
        using type = Variant<Ways...>;
    };
    using type = typename applied<typename values_in<Tuple, list<>, Signatures...>::type>::type;
};

}  // namespace model

template <class Sender, class Env, template <class...> class Tuple, template <class...> class Variant>
using value_types_of_t =
    typename model::value_types<completion_signatures_of_t<Sender, Env>, Tuple, Variant>::type;

// [exec.connect]
struct connect_t {
    template <sender Sender, receiver Receiver>
    [[nodiscard]] auto operator()(Sender&& from, Receiver&& to) const {
        static_assert(
            operation_state<decltype(std::forward<Sender>(from).connect(std::forward<Receiver>(to)))>);
        return std::forward<Sender>(from).connect(std::forward<Receiver>(to));
    }
};
inline constexpr connect_t connect{};
template <class Sender, class Receiver>
using connect_result_t = decltype(connect(std::declval<Sender>(), std::declval<Receiver>()));

// [exec.sched]
struct schedule_t {
    template <class Scheduler>
    [[nodiscard]] auto operator()(Scheduler&& on) const {
        return std::forward<Scheduler>(on).schedule();
    }
};
inline constexpr schedule_t schedule{};
template <class T>
concept scheduler = std::derived_from<typename std::remove_cvref_t<T>::scheduler_concept, scheduler_t> &&
                    std::equality_comparable<std::remove_cvref_t<T>> &&
                    std::copyable<std::remove_cvref_t<T>> && requires(T&& on) {
                        { schedule(std::forward<T>(on)) } -> sender;
                        {
                            get_completion_scheduler<set_value_t>(get_env(schedule(std::forward<T>(on))))
                        } -> std::same_as<std::remove_cvref_t<T>>;
                    };

}  // namespace stdexec
