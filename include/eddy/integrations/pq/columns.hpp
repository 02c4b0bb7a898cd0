#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace eddy::pq {

/// A column by its name, and the member that takes its value.
template <class Struct, class Member>
struct column_binding {
    std::string_view name;
    Member Struct::* member;
};

template <class Struct, class Member>
[[nodiscard]] constexpr column_binding<Struct, Member> column(std::string_view name,
                                                              Member Struct::* member) noexcept {
    return {name, member};
}

template <class... Bindings>
[[nodiscard]] constexpr std::tuple<Bindings...> columns(Bindings... bindings) noexcept {
    return std::tuple<Bindings...>(bindings...);
}

/// Describes how a row becomes a struct of yours, which is made by its default constructor:
///
///     template <>
///     inline constexpr auto eddy::pq::columns_of<user> =
///         eddy::pq::columns(eddy::pq::column("id", &user::id), eddy::pq::column("name", &user::name));
///
/// Columns are found by name, so their order in the answer is free and others may be among them.
template <class Struct>
inline constexpr auto columns_of = nullptr;

/// What has such a description.
template <class T>
concept described_struct = std::default_initializable<T> &&
                           !std::same_as<std::remove_cvref_t<decltype(columns_of<T>)>, std::nullptr_t>;

}  // namespace eddy::pq
