#pragma once

#include <eddy/detail/build.hpp>

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace eddy::http {

/// How a value is read from a text that a client has sent. Specialise it for types of your own:
/// `static std::optional<T> parse(std::string_view)`, nothing for a text that is none.
template <class T>
struct text_value;

/// Numbers: the whole text, in decimal, without white space or "+".
template <class T>
    requires((std::integral<T> || std::floating_point<T>) && !std::same_as<T, bool> && !std::same_as<T, char>)
struct text_value<T> {
    [[nodiscard]] static std::optional<T> parse(std::string_view text) noexcept {
        T value{};
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size())
            return std::nullopt;
        return value;
    }
};

template <>
struct text_value<bool> {
    [[nodiscard]] static std::optional<bool> parse(std::string_view text) noexcept {
        if (text == "true" || text == "1")
            return true;
        if (text == "false" || text == "0")
            return false;
        return std::nullopt;
    }
};

template <>
struct text_value<std::string> {
    [[nodiscard]] static std::optional<std::string> parse(std::string_view text) { return std::string(text); }
};

/// A view of the text, where that stays.
template <>
struct text_value<std::string_view> {
    [[nodiscard]] static std::optional<std::string_view> parse(std::string_view text) noexcept {
        return text;
    }
};

/// A name that is known when the program is compiled, as an argument of a template.
template <std::size_t Size>
struct literal_name {
    /// Of a string literal, at compile time.
    consteval literal_name(const char (&text)[Size]) noexcept {
        for (std::size_t index = 0; index < Size; ++index)
            characters[index] = text[index];
    }
    /// The text.
    [[nodiscard]] constexpr std::string_view view() const noexcept { return {characters, Size - 1}; }
    /// Its characters, with the end's zero.
    char characters[Size]{};
};

}  // namespace eddy::http
