#include "http/message/escapes.hpp"

#include <eddy/http/message/percent_encoding.hpp>

namespace eddy::http {
namespace {

constexpr bool is_never_in_a_url(char byte) noexcept {
    return byte <= ' ' || byte == '\x7f' || std::string_view("\"<>\\^`{|}").contains(byte) ||
           static_cast<unsigned char>(byte) >= 0x80;
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
        const auto escape = text.substr(at);
        if (!begins_with_escape(escape)) {
            return std::nullopt;
        }
        out.push_back(escaped_byte(escape));
        at += escape_size - 1;
    }
    return out;
}

}  // namespace eddy::http
