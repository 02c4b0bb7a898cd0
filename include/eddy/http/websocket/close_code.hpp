#pragma once

#include <cstdint>

namespace eddy::http {

/// Why a WebSocket connection was closed (RFC 6455 section 7.4 and IANA's registry). Numbers from 3000 to
/// 3999 are registered by libraries, those from 4000 to 4999 are the program's own; any may be cast to this
/// type.
enum class websocket_close_code : std::uint16_t {
    normal = 1000,
    going_away = 1001,
    protocol_error = 1002,
    unsupported_data = 1003,
    /// Never sent: the peer's close frame had no code.
    none = 1005,
    /// Never sent: the connection has ended without a close frame.
    abnormal = 1006,
    invalid_payload = 1007,
    policy_violation = 1008,
    message_too_big = 1009,
    missing_extension = 1010,
    internal_error = 1011,
    service_restart = 1012,
    try_again_later = 1013,
    bad_gateway = 1014,
};

[[nodiscard]] constexpr std::uint16_t to_number(websocket_close_code code) noexcept {
    return static_cast<std::uint16_t>(code);
}

/// Whether a close frame may say this: 1000 to 1003, 1007 to 1014, 3000 to 4999 (section 7.4.2).
[[nodiscard]] constexpr bool may_be_sent(websocket_close_code code) noexcept {
    const std::uint16_t number = to_number(code);
    if (number < 1000 || number > 4999)
        return false;
    if (number >= 3000)
        return true;
    return number <= 1003 || (number >= 1007 && number <= 1014);
}

}  // namespace eddy::http
