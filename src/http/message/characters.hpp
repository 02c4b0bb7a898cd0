#pragma once

#include <eddy/http/message/detail/field_characters.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace eddy::http {

// What a byte may be part of. One table, a bit a class.
enum class character : std::uint8_t {
    token = 1,       // tchar, RFC 9110 section 5.6.2
    target = 2,      // what may stand somewhere in a URI without "#", RFC 3986 section 2
    host = 4,        // reg-name, RFC 3986: unreserved, "%", sub-delims
    hex = 8,         // 0-9 a-f A-F
    field = 16,      // field-content and white space: all but control characters
    entity_tag = 32  // etagc, RFC 9110 section 8.8.3
};

inline constexpr std::array<std::uint8_t, 256> character_table = [] {
    std::array<std::uint8_t, 256> table{};
    auto add = [&table](unsigned byte, character kind) {
        table[byte] = static_cast<std::uint8_t>(table[byte] | static_cast<std::uint8_t>(kind));
    };
    auto add_all = [&add](std::string_view bytes, character kind) {
        for (char byte : bytes) {
            add(static_cast<unsigned char>(byte), kind);
        }
    };
    constexpr std::string_view letters_and_digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    add_all(letters_and_digits, character::host);
    add_all("-._~%!$&'()*+,;=", character::host);
    add_all("0123456789abcdefABCDEF", character::hex);
    // With "[" and "]", which RFC 3986 has in addresses only: browsers send them bare in queries.
    add_all(letters_and_digits, character::target);
    add_all("-._~%!$&'()*+,;=:@/?[]", character::target);
    for (unsigned byte = 0x21; byte < 0x7f; ++byte) {
        if (byte != '"') {
            add(byte, character::entity_tag);
        }
    }
    for (unsigned byte = 0x80; byte < 0x100; ++byte) {
        add(byte, character::entity_tag);
    }
    for (unsigned byte = 0; byte < 0x100; ++byte) {
        if (detail::is_token_character(static_cast<char>(byte))) {
            add(byte, character::token);
        }
        if (detail::is_value_character(static_cast<char>(byte))) {
            add(byte, character::field);
        }
    }
    return table;
}();

[[nodiscard]] constexpr bool is(char byte, character kind) noexcept {
    return (character_table[static_cast<unsigned char>(byte)] & static_cast<std::uint8_t>(kind)) != 0;
}

[[nodiscard]] constexpr bool all_are(std::string_view text, character kind) noexcept {
    // No branch for each byte: texts are short, and nearly always all right.
    auto common = static_cast<std::uint8_t>(kind);
    for (const char byte : text)
        common &= character_table[static_cast<unsigned char>(byte)];
    return common != 0;
}

[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
    return byte >= '0' && byte <= '9';
}

// Requires: is(byte, character::hex).
[[nodiscard]] constexpr unsigned hex_value(char byte) noexcept {
    return is_digit(byte) ? static_cast<unsigned>(byte - '0')
                          : static_cast<unsigned>((byte | 0x20) - 'a') + 10;
}

[[nodiscard]] constexpr char to_lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
}

[[nodiscard]] constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (to_lower(a[i]) != to_lower(b[i])) {
            return false;
        }
    }
    return true;
}

// OWS of RFC 9110 section 5.6.3.
[[nodiscard]] constexpr bool is_white_space(char byte) noexcept {
    return byte == ' ' || byte == '\t';
}

[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && is_white_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_white_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

// Takes the next element off a comma-separated list that has no quoted strings. May be empty.
[[nodiscard]] constexpr std::string_view take_element(std::string_view& list) noexcept {
    const auto comma = list.find(',');
    const auto element = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    return trim(element);
}

}  // namespace eddy::http
