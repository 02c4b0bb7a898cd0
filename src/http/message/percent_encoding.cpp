#include "http/message/characters.hpp"

#include <eddy/http/message/percent_encoding.hpp>

namespace eddy::http {
namespace {

constexpr bool is_unreserved(char byte) noexcept {
    const char lower = to_lower(byte);
    return is_digit(byte) || (lower >= 'a' && lower <= 'z') || byte == '-' || byte == '.' || byte == '_' ||
           byte == '~';
}

constexpr bool is_never_in_a_url(char byte) noexcept {
    return byte <= ' ' || byte == '\x7f' || std::string_view("\"<>\\^`{|}").contains(byte) ||
           static_cast<unsigned char>(byte) >= 0x80;
}

void append_escape(std::string& out, char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(byte);
    out.push_back('%');
    out.push_back(digits[value >> 4]);
    out.push_back(digits[value & 15]);
}

template <class Keeps>
std::string encode(std::string_view text, Keeps keeps) {
    std::string out;
    out.reserve(text.size());
    for (const char byte : text) {
        if (keeps(byte)) {
            out.push_back(byte);
        } else {
            append_escape(out, byte);
        }
    }
    return out;
}

}  // namespace

std::string percent_encode(std::string_view text) {
    return encode(text, is_unreserved);
}

std::string percent_encode_invalid(std::string_view url) {
    return encode(url, [](char byte) { return !is_never_in_a_url(byte); });
}

std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            out.push_back(text[at]);
            continue;
        }
        if (text.size() - at < 3 || !all_are(text.substr(at + 1, 2), character::hex)) {
            return std::nullopt;
        }
        out.push_back(static_cast<char>(hex_value(text[at + 1]) << 4 | hex_value(text[at + 2])));
        at += 2;
    }
    return out;
}

}  // namespace eddy::http
