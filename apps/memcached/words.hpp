#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

namespace eddy::apps::memcached {

/// Takes the next word off a text whose words are separated by spaces; empty if there is none.
inline std::string_view take_word(std::string_view& text) noexcept {
    std::size_t begin = 0;
    while (begin < text.size() && text[begin] == ' ')
        ++begin;
    std::size_t end = begin;
    while (end < text.size() && text[end] != ' ')
        ++end;
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

/// The last word of a text; empty if there is none.
inline std::string_view last_word(std::string_view text) noexcept {
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const std::size_t space = text.rfind(' ');
    return space == std::string_view::npos ? text : text.substr(space + 1);
}

/// The number that a text is, in decimal digits; none if it is something else or too large.
template <std::integral Number>
[[nodiscard]] std::optional<Number> number_of(std::string_view text) noexcept {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

}  // namespace eddy::apps::memcached
