#pragma once

#include <eddy/integrations/pq/types.hpp>

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace eddy::pq {

/// How a C++ type is written for the server and read from its results, both as text. A specialisation makes
/// your own type a parameter and a column:
///
///     static constexpr const char* name = "a colour";         // for messages
///     static void to_text(const colour& value, std::string& out);          // appends
///     static std::optional<colour> from_text(std::string_view text);       // empty: that is none
///
/// Here: bool, integers, floating point, std::string (text, uuid, everything else as the server writes it),
/// numeric, box, timestamp and std::chrono::sys_days (in all years that the server supports); bytea; in
/// array.hpp std::vector for arrays; in json.hpp nlohmann::json. std::optional stands for what may be NULL
/// and needs no converter.
template <class T>
struct converter;

/// What has a converter.
template <class T>
concept convertible_value = requires(const T& value, std::string& out, std::string_view text) {
    converter<T>::to_text(value, out);
    { converter<T>::from_text(text) } -> std::same_as<std::optional<T>>;
    { converter<T>::name } -> std::convertible_to<const char*>;
};

template <>
struct converter<bool> {
    static constexpr const char* name = "a boolean";
    static void to_text(bool value, std::string& out) { out += value ? 't' : 'f'; }
    static std::optional<bool> from_text(std::string_view text) noexcept {
        if (text == "t" || text == "true")
            return true;
        if (text == "f" || text == "false")
            return false;
        return std::nullopt;
    }
};

namespace detail {

/// Characters are text, or not meant.
template <class T>
concept number = (std::integral<T> || std::floating_point<T>) && !std::same_as<T, bool> &&
                 !std::same_as<T, char> && !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                 !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

}  // namespace detail

/// A number that does not fit, or a fraction where T is an integer, is none.
template <detail::number T>
struct converter<T> {
    static constexpr const char* name =
        std::integral<T> ? "an integer of that size" : "a floating-point number";
    static void to_text(T value, std::string& out) {
        std::array<char, 64> digits;
        const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        out.append(digits.data(), written.ptr);
    }
    static std::optional<T> from_text(std::string_view text) noexcept {
        T value{};
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size())
            return std::nullopt;
        return value;
    }
};

template <>
struct converter<std::string> {
    static constexpr const char* name = "text";
    static void to_text(std::string_view value, std::string& out) { out += value; }
    static std::optional<std::string> from_text(std::string_view text) { return std::string(text); }
};

template <>
struct converter<numeric> {
    static constexpr const char* name = "a number";
    static void to_text(const numeric& value, std::string& out) { out += value.to_string(); }
    static std::optional<numeric> from_text(std::string_view text);
};

template <>
struct converter<box> {
    static constexpr const char* name = "a box";
    static constexpr char array_delimiter = ';';
    static void to_text(const box& value, std::string& out);
    static std::optional<box> from_text(std::string_view text);
};

/// to_text() throws std::out_of_range for a date outside PostgreSQL's range.
template <>
struct converter<timestamp> {
    static constexpr const char* name = "a time with its time zone";
    static void to_text(timestamp value, std::string& out);
    /// With its offset from UTC ("2026-01-31 12:00:00.25+02"), as DateStyle ISO has it.
    static std::optional<timestamp> from_text(std::string_view text);
};

template <>
struct converter<std::chrono::sys_days> {
    static constexpr const char* name = "a date";
    static void to_text(std::chrono::sys_days value, std::string& out);
    static std::optional<std::chrono::sys_days> from_text(std::string_view text);
};

template <>
struct converter<bytea> {
    static constexpr const char* name = "bytes";
    static void to_text(const bytea& value, std::string& out);
    /// In both forms of bytea_output.
    static std::optional<bytea> from_text(std::string_view text);
};

}  // namespace eddy::pq
