#pragma once

#include <eddy/detail/build.hpp>

#include <string_view>

namespace eddy::http::detail {

/// Whether the byte may be part of a field's name: tchar, RFC 9110 section 5.6.2.
[[nodiscard]] constexpr bool is_token_character(char byte) noexcept {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").contains(byte);
}

/// Whether it may be part of a field's value, white space included: all but control characters, RFC 9110 section 5.5.
[[nodiscard]] constexpr bool is_value_character(char byte) noexcept {
    const auto code = static_cast<unsigned char>(byte);
    return byte == '\t' || (code >= 0x20 && code != 0x7f);
}

// By loops, as the algorithms of ranges take the compiler 20 ms in each source that includes this.

/// Whether it is the name of a field: a token.
[[nodiscard]] constexpr bool is_field_name(std::string_view text) noexcept {
    for (const char byte : text)
        if (!is_token_character(byte))
            return false;
    return !text.empty();
}

/// Whether it may be the value of a field.
[[nodiscard]] constexpr bool is_field_value(std::string_view text) noexcept {
    for (const char byte : text)
        if (!is_value_character(byte))
            return false;
    return true;
}

}  // namespace eddy::http::detail
