#include "rpc/wire_metadata.hpp"

#include "http/message/base64.hpp"
#include "http/message/escapes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace eddy::rpc {

bool is_of_the_protocol(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 17> reserved_names = {
        "connection",        "content-length", "content-type",      "expect",      "grpc-accept-encoding",
        "grpc-encoding",     "grpc-message",   "grpc-message-type", "grpc-status", "grpc-status-details-bin",
        "grpc-timeout",      "host",           "keep-alive",        "te",          "trailer",
        "transfer-encoding", "upgrade"};
    return std::ranges::binary_search(reserved_names, name);
}

std::string wire_value(std::string_view name, std::string_view value) {
    return is_binary(name) ? encode_binary(value) : std::string(value);
}

void add_field(metadata& to, std::string_view name, std::string_view value) {
    if (is_of_the_protocol(name))
        return;
    if (!is_binary(name)) {
        to.add_received(name, std::string(value));
        return;
    }
    // Several may have been joined on their way.
    for (;;) {
        const std::size_t comma = value.find(',');
        if (auto bytes = decode_binary(value.substr(0, comma)))
            to.add_received(name, std::move(*bytes));
        if (comma == std::string_view::npos)
            return;
        value.remove_prefix(comma + 1);
    }
}

std::string encode_message(std::string_view message) {
    std::string text;
    text.reserve(message.size());
    for (const char each : message) {
        if (each >= 0x20 && each <= 0x7e && each != '%')
            text += each;
        else
            http::append_escape(text, each);
    }
    return text;
}

std::string decode_message(std::string_view text) {
    std::string message;
    message.reserve(text.size());
    while (!text.empty()) {
        const bool is_escape = text.front() == '%' && http::begins_with_escape(text);
        message += is_escape ? http::escaped_byte(text) : text.front();
        text.remove_prefix(is_escape ? http::escape_size : 1);
    }
    return message;
}

std::optional<std::string> decode_binary(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return http::base64_decode(text);
}

std::string encode_binary(std::string_view bytes) {
    std::string text = http::base64_encode(bytes);
    while (text.ends_with('='))
        text.pop_back();
    return text;
}

}  // namespace eddy::rpc
