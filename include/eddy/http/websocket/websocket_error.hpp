#pragma once

#include <eddy/http/websocket/close_code.hpp>

#include <system_error>

namespace eddy::http {

/// What ends a WebSocket connection before its time, beside the errors of the stream below it.
enum class websocket_error {
    protocol_violated = 1,  ///< the peer broke a rule of RFC 6455 or 7692; it was told 1002
    invalid_text,           ///< a text that is not UTF-8; the peer was told 1007
    message_too_big,        ///< a message beyond the limit; the peer was told 1009
    connection_lost,        ///< the stream ended without the peer's close frame
    peer_is_silent,         ///< the peer left a ping unanswered, or took nothing, for too long
    closed,                 ///< sent after close(), or after the peer has closed
    message_unfinished,     ///< a message was given up half-way; the peer was told 1011
    handshake_refused,      ///< the server does not speak WebSocket here, or not as it was asked to
};

[[nodiscard]] const std::error_category& websocket_category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(websocket_error error) noexcept {
    return {static_cast<int>(error), websocket_category()};
}

/// What the peer is told when this is found.
[[nodiscard]] websocket_close_code close_code_for(websocket_error error) noexcept;

}  // namespace eddy::http

template <>
struct std::is_error_code_enum<eddy::http::websocket_error> : std::true_type {};
