#pragma once

#include <eddy/integrations/pq/array.hpp>
#include <eddy/integrations/pq/converter.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/row.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

/// The text format of COPY (PostgreSQL's manual, COPY, "Text Format"): columns separated by tabs, rows ended
/// by newlines, \N for NULL, a backslash before what is special.
namespace eddy::pq::detail {

/// Appends the columns of one row.
class copy_row_writer {
public:
    explicit copy_row_writer(std::string& out) noexcept : out_(out) {}

    template <class T>
    void add(const T& value) {
        std::string text;
        converter<T>::to_text(value, text);
        add_text(text);
    }
    template <class T>
    void add(const std::optional<T>& value) {
        if (value)
            add(*value);
        else
            add(std::nullopt);
    }
    void add(std::nullopt_t);
    void add(std::string_view text) { add_text(text); }
    void add(const std::string& text) { add_text(text); }
    void add(const char* text) { add_text(text); }
    void end() { out_ += '\n'; }

private:
    void add_text(std::string_view text);

    std::string& out_;
    bool is_first_ = true;
};

/// Reads the columns of one row, with or without its newline.
class copy_row_reader {
public:
    explicit copy_row_reader(std::string_view row) noexcept;

    /// Whether there is another column; it is in text() then, or is_null().
    [[nodiscard]] bool next();
    [[nodiscard]] bool is_null() const noexcept { return is_null_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

private:
    void append_escaped(char escaped);

    std::string_view left_;
    std::string text_;
    bool is_null_ = false;
    bool has_ended_ = false;
};

[[noreturn]] void throw_copied_columns(std::size_t wanted);
[[noreturn]] void throw_copied_null(std::size_t column);
[[noreturn]] void throw_copied_type(std::size_t column, const char* wanted);

template <class T>
[[nodiscard]] T read_copied_value(copy_row_reader& row, std::size_t column, std::size_t wanted) {
    using traits = optional_traits<T>;
    if (!row.next())
        throw_copied_columns(wanted);
    if (row.is_null()) {
        if constexpr (traits::is_optional)
            return std::nullopt;
        else
            throw_copied_null(column);
    }
    auto value = converter<typename traits::value>::from_text(row.text());
    if (!value)
        throw_copied_type(column, converter<typename traits::value>::name);
    return std::move(*value);
}

template <class Tuple, std::size_t... Index>
[[nodiscard]] Tuple read_copied_columns(copy_row_reader& row, std::index_sequence<Index...>) {
    // In braces, since that is what settles the order.
    return Tuple{read_copied_value<std::tuple_element_t<Index, Tuple>>(row, Index, sizeof...(Index))...};
}

template <class Tuple>
[[nodiscard]] Tuple read_copied_row(std::string_view text) {
    constexpr std::size_t count = std::tuple_size_v<Tuple>;
    copy_row_reader row(text);
    Tuple values = read_copied_columns<Tuple>(row, std::make_index_sequence<count>());
    if (row.next())
        throw_copied_columns(count);
    return values;
}

}  // namespace eddy::pq::detail
