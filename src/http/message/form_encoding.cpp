#include "http/message/characters.hpp"

#include <eddy/http/message/detail/form_encoding.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

bool is_unreserved(char byte) noexcept {
    const auto lower = static_cast<char>(byte | 0x20);
    return (lower >= 'a' && lower <= 'z') || is_digit(byte) || byte == '-' || byte == '.' || byte == '_' ||
           byte == '~';
}

void append_escaped(std::string& out, char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(byte);
    out += {'%', digits[value >> 4], digits[value & 15]};
}

}  // namespace

bool append_form_decoded(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find_first_of("%+"), text.size());
        out.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty())
            break;
        if (text.front() == '+') {
            out += ' ';
            text.remove_prefix(1);
            continue;
        }
        if (text.size() < 3 || !all_are(text.substr(1, 2), character::hex))
            return false;
        out += static_cast<char>(hex_value(text[1]) << 4 | hex_value(text[2]));
        text.remove_prefix(3);
    }
    return true;
}

void append_form_encoded(std::string& out, std::string_view text) {
    for (const char byte : text) {
        if (byte == ' ')
            out += '+';
        else if (is_unreserved(byte))
            out += byte;
        else
            append_escaped(out, byte);
    }
}

}  // namespace eddy::http
