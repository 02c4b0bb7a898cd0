#pragma once

#include <eddy/combine/as_task.hpp>
#include <eddy/combine/job_group.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace eddy {

/// Who won among equals: the place in the range, and the result unless it is void.
template <class T>
class race_winner {
public:
    race_winner(std::size_t place, T result) : index(place), value(std::forward<T>(result)) {}

    std::size_t index;
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

}  // namespace eddy
