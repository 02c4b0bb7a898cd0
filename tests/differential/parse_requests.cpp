// Parses requests, one after the other, from standard input, each with its size in front (4 bytes, big
// endian), and writes a line of JSON for each: what eddy makes of its first request.

#include <eddy/http/codec/detail/chunked_decoder.hpp>
#include <eddy/http/codec/detail/request_parser.hpp>

#include <array>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace {

using namespace eddy::http;

// JSON is UTF-8: bytes stand for the characters of the same number, as in Latin-1.
std::string as_latin1(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (value < 0x80) {
            text += byte;
        } else {
            text += static_cast<char>(0xc0 | value >> 6);
            text += static_cast<char>(0x80 | (value & 0x3f));
        }
    }
    return text;
}

nlohmann::json refusal(const message_error& error) {
    return {{"outcome", "refused"}, {"status", to_number(error.status())}, {"reason", error.reason()}};
}

// Adds body and end, or gives another outcome.
nlohmann::json with_body(nlohmann::json parsed, const request_head& head, std::string_view rest,
                         std::size_t head_size, const message_limits& limits) {
    std::string body;
    std::size_t used = 0;
    if (head.framing().kind() == body_kind::length) {
        used = head.framing().length();
        if (used > rest.size())
            return {{"outcome", "incomplete"}};
        body = rest.substr(0, used);
    } else if (head.framing().kind() == body_kind::chunked) {
        chunked_decoder decoder(limits);
        for (bool is_over = false; !is_over;) {
            const chunk_result piece = decoder.decode(rest.substr(used));
            if (piece.event() == chunk_event::error)
                return refusal(piece.error());
            used += piece.consumed();
            if (piece.event() == chunk_event::need_more)
                return {{"outcome", "incomplete"}};
            if (piece.event() == chunk_event::data)
                body += piece.data();
            is_over = piece.event() == chunk_event::complete;
        }
    }
    parsed["body"] = as_latin1(body);
    parsed["end"] = head_size + used;
    return parsed;
}

nlohmann::json parse(std::string_view bytes) {
    const message_limits limits;
    request_parser parser(limits);
    const parse_result result = parser.parse(bytes);
    if (result.state() == parse_state::need_more)
        return {{"outcome", "incomplete"}};
    if (result.state() == parse_state::error)
        return refusal(result.error());
    const request_head head = parser.head(bytes);
    nlohmann::json fields = nlohmann::json::array();
    for (std::size_t i = 0; i < head.header_count(); ++i)
        fields.push_back({as_latin1(head.header(i).name()), as_latin1(head.header(i).value())});
    const nlohmann::json parsed = {{"outcome", "taken"},
                                   {"method", head.method_name()},
                                   {"target", as_latin1(head.target())},
                                   {"version", head.minor_version()},
                                   {"fields", fields}};
    return with_body(parsed, head, bytes.substr(result.head_size()), result.head_size(), limits);
}

}  // namespace

int main() {
    std::array<unsigned char, 4> prefix{};
    while (std::cin.read(reinterpret_cast<char*>(prefix.data()), prefix.size())) {
        std::uint32_t size = 0;
        for (const unsigned char byte : prefix)
            size = size << 8 | byte;
        std::string bytes(size, '\0');
        if (!std::cin.read(bytes.data(), size))
            return 1;
        std::cout << parse(bytes).dump() << '\n';
    }
}
