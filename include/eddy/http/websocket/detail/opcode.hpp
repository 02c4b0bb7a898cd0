#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>

namespace eddy::http {

/// What a frame holds (RFC 6455 section 5.2). All other values are reserved and refused.
enum class websocket_opcode : std::uint8_t {
    continuation = 0x0,
    text = 0x1,
    binary = 0x2,
    close = 0x8,
    ping = 0x9,
    pong = 0xa,
};

/// Whether frames of this kind manage the connection, instead of carrying a message (section 5.5).
[[nodiscard]] constexpr bool is_control(websocket_opcode code) noexcept {
    return static_cast<std::uint8_t>(code) >= 0x8;
}

/// Whether the four bits are an opcode that RFC 6455 defines.
[[nodiscard]] constexpr bool is_opcode(std::uint8_t bits) noexcept {
    return bits <= 0x2 || (bits >= 0x8 && bits <= 0xa);
}

}  // namespace eddy::http
