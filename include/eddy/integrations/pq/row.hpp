#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/integrations/pq/converter.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace eddy::pq {

/// A column by its name, and the member that takes its value.
template <class Struct, class Member>
struct column_binding {
    /// The name of the column.
    std::string_view name;
    /// The member that gets its value.
    Member Struct::* member;
};

/// Binds a column to a member, for columns().
template <class Struct, class Member>
[[nodiscard]] constexpr column_binding<Struct, Member> column(std::string_view name,
                                                              Member Struct::* member) noexcept {
    return {name, member};
}

/// The columns of a structure.
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

struct pg_result;  // libpq's

namespace eddy::pq {

namespace detail {

[[noreturn]] void throw_wrong_type(const pg_result& answer, std::size_t row, std::size_t column,
                                   const char* wanted);
[[noreturn]] void throw_unexpected_null(const pg_result& answer, std::size_t column);

/// What stands between the elements of the arrays of a column.
[[nodiscard]] char array_delimiter_of(const pg_result& answer, std::size_t column) noexcept;

template <class T>
struct optional_traits {
    static constexpr bool is_optional = false;
    using value = T;
};
template <class T>
struct optional_traits<std::optional<T>> {
    static constexpr bool is_optional = true;
    using value = T;
};

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

}  // namespace detail

/// What a row can become: a std::tuple or std::pair with an element for each column, in order; a struct that
/// columns_of describes; or, of one column, its value. Values may be std::optional.
template <class T>
concept row_type = detail::is_tuple<T> || described_struct<T> ||
                   convertible_value<typename detail::optional_traits<T>::value>;

/// A row of a result, which must outlive it. A value, cheap to copy.
///
/// Errors, all of them pq::error: unexpected_null, wrong_type, wrong_columns.
class row {
public:
    /// A row of a result, which outlives it.
    row(const pg_result& answer, std::size_t number) noexcept : answer_(&answer), number_(number) {}

    /// How many columns it has.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Requires: there is such a column. The same for all below.
    [[nodiscard]] bool is_null(std::size_t column) const noexcept;
    /// The value as the server writes it; empty for NULL.
    [[nodiscard]] std::string_view text(std::size_t column) const noexcept;
    /// Where the column of that name is, the first if there are several; wrong_columns if there is none.
    [[nodiscard]] std::size_t index_of(std::string_view name) const;

    /// The value of a column. Throws if it is NULL and T cannot be, or if it does not fit.
    template <class T>
    [[nodiscard]] T get(std::size_t column) const {
        using traits = detail::optional_traits<T>;
        if (is_null(column)) {
            if constexpr (traits::is_optional)
                return std::nullopt;
            else
                detail::throw_unexpected_null(*answer_, column);
        }
        auto value = read<typename traits::value>(column);
        if (!value)
            detail::throw_wrong_type(*answer_, number_, column, converter<typename traits::value>::name);
        return std::move(*value);
    }
    template <class T>
    [[nodiscard]] T get(std::string_view name) const {
        return get<T>(index_of(name));
    }

    /// The row as a T.
    template <row_type T>
    [[nodiscard]] T as() const {
        return as<T>(places_of<T>(*this));
    }

private:
    template <row_type T>
    friend class row_reader;

    template <class T>
    [[nodiscard]] std::optional<T> read(std::size_t column) const {
        if constexpr (requires { converter<T>::from_text(text(column), ','); })
            return converter<T>::from_text(text(column), detail::array_delimiter_of(*answer_, column));
        else
            return converter<T>::from_text(text(column));
    }
    /// The positions of the parts of a T in rows like this one.
    template <class T>
    [[nodiscard]] static auto places_of(const row& like) {
        if constexpr (detail::is_tuple<T>) {
            like.require_size(std::tuple_size_v<T>);
            return std::array<std::size_t, 0>();
        } else if constexpr (described_struct<T>) {
            return std::apply(
                [&](const auto&... bound) {
                    return std::array<std::size_t, sizeof...(bound)>{like.index_of(bound.name)...};
                },
                columns_of<T>);
        } else {
            like.require_size(1);
            return std::array<std::size_t, 0>();
        }
    }
    template <class T, std::size_t Count>
    [[nodiscard]] T as(const std::array<std::size_t, Count>& places) const {
        if constexpr (detail::is_tuple<T>)
            return as_tuple<T>(std::make_index_sequence<std::tuple_size_v<T>>());
        else if constexpr (described_struct<T>)
            return as_struct<T>(places, std::make_index_sequence<Count>());
        else
            return get<T>(0);
    }
    template <class T, std::size_t... Index>
    [[nodiscard]] T as_tuple(std::index_sequence<Index...>) const {
        return T{get<std::tuple_element_t<Index, T>>(Index)...};
    }
    template <class T, std::size_t Count, std::size_t... Index>
    [[nodiscard]] T as_struct(const std::array<std::size_t, Count>& places,
                              std::index_sequence<Index...>) const {
        T made{};
        (set_member(made, std::get<Index>(columns_of<T>), places[Index]), ...);
        return made;
    }
    template <class T, class Member>
    void set_member(T& made, const column_binding<T, Member>& bound, std::size_t column) const {
        made.*bound.member = get<Member>(column);
    }
    void require_size(std::size_t wanted) const;

    const pg_result* answer_;
    std::size_t number_;
};

/// Turns many rows with the same columns into T, whose columns it looks for once.
template <row_type T>
class row_reader {
public:
    /// For rows with the columns of this one.
    explicit row_reader(const row& like) : places_(row::places_of<T>(like)) {}
    /// The row as a T.
    [[nodiscard]] T read(const row& from) const { return from.as<T>(places_); }

private:
    decltype(row::places_of<T>(std::declval<const row&>())) places_;
};

}  // namespace eddy::pq
