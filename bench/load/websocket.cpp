#include "load/websocket.hpp"

#include <cstdint>
#include <random>

namespace bench {
namespace {

constexpr std::size_t header_size_max = 8192;

// The key of RFC 6455 section 1.3 and the answer to it.
constexpr std::string_view key = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr std::string_view answer_to_key = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

// RFC 6455 section 5.2: a whole binary message in one frame.
std::string frame_head(std::size_t size, bool is_masked) {
    const auto mask_bit = static_cast<unsigned>(is_masked ? 0x80 : 0);
    unsigned length_bytes = 0;
    std::string head(1, static_cast<char>(0x82));
    if (size < 126)
        head += static_cast<char>(mask_bit | size);
    else
        length_bytes = size < 65536 ? 2 : 8;
    if (length_bytes > 0)
        head += static_cast<char>(mask_bit | (length_bytes == 2 ? 126u : 127u));
    for (unsigned left = length_bytes; left > 0; --left)
        head += static_cast<char>(std::uint64_t{size} >> ((left - 1) * 8));
    return head;
}

std::string random_bytes(std::minstd_rand& random, std::size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random() >> 8);
    return bytes;
}

std::string masked(std::string text, const std::string& mask) {
    for (std::size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>(text[i] ^ mask[i % 4]);
    return text;
}

}  // namespace

websocket_protocol::websocket_protocol(const std::string& path, std::size_t message_size)
    : request_(
          "GET " + path +
          " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: " +
          std::string(key) + "\r\nSec-WebSocket-Version: 13\r\n\r\n") {
    std::minstd_rand random(1);
    for (variant& v : variants_) {
        const std::string message = random_bytes(random, message_size), mask = random_bytes(random, 4);
        v.sent = frame_head(message_size, true) + mask + masked(message, mask);
        v.expected = frame_head(message_size, false) + message;
    }
}

void websocket_protocol::connected(connection& c) {
    c.is_upgraded = false;
    c.partial.clear();
}

std::string_view websocket_protocol::next_request(connection& c) {
    ++c.sequence;
    c.received = 0;
    return c.is_upgraded ? std::string_view(variant_of(c).sent) : std::string_view(request_);
}

std::string_view websocket_protocol::reply(connection& c) {
    return variant_of(c).sent;
}

verdict websocket_protocol::consume(connection& c, std::string_view bytes) {
    if (!c.is_upgraded)
        return open(c, bytes);
    return take_expected(c, variant_of(c).expected, bytes);
}

verdict websocket_protocol::open(connection& c, std::string_view bytes) {
    c.partial += bytes;
    const std::size_t end = c.partial.find("\r\n\r\n");
    if (end == c.partial.npos)
        return c.partial.size() < header_size_max ? verdict::incomplete : verdict::wrong;
    if (!c.partial.starts_with("HTTP/1.1 101 ") || c.partial.find(answer_to_key) == c.partial.npos ||
        end + 4 != c.partial.size())
        return verdict::wrong;
    c.is_upgraded = true;
    return verdict::replies;
}

}  // namespace bench
