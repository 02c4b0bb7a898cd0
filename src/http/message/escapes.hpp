#pragma once

#include "http/message/characters.hpp"

#include <cstddef>
#include <string>
#include <string_view>

// Escapes of RFC 3986 section 2.1: "%" and two hexadecimal digits.
namespace eddy::http {

inline constexpr std::size_t escape_size = 3;

/// Whether the escape at the front is whole. Requires: a "%" is there.
[[nodiscard]] constexpr bool begins_with_escape(std::string_view text) noexcept {
    return text.size() >= escape_size && all_are(text.substr(1, 2), character::hex);
}

/// The byte that the escape at the front stands for. Requires: begins_with_escape().
[[nodiscard]] constexpr char escaped_byte(std::string_view text) noexcept {
    return static_cast<char>(hex_value(text[1]) << 4 | hex_value(text[2]));
}

/// What never needs an escape (RFC 3986 section 2.3).
[[nodiscard]] constexpr bool is_unreserved(char byte) noexcept {
    const char lower = to_lower(byte);
    return is_digit(byte) || (lower >= 'a' && lower <= 'z') || byte == '-' || byte == '.' || byte == '_' ||
           byte == '~';
}

inline void append_escape(std::string& out, char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(byte);
    out += {'%', digits[value >> 4], digits[value & 15]};
}

}  // namespace eddy::http
