#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/io/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// Why a WebSocket connection was closed (RFC 6455 section 7.4), named as in IANA's registry. Numbers from 3000 to
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

/// A message is a text, in UTF-8, or any bytes (RFC 6455 section 5.6).
enum class message_kind : std::uint8_t {
    /// UTF-8.
    text,
    /// Any bytes.
    binary,
};

/// A whole message that owns its payload. Moves and copies.
class websocket_message {
public:
    /// An empty message.
    websocket_message() noexcept = default;
    websocket_message(message_kind kind, std::string payload) noexcept
        : payload_(std::move(payload)), kind_(kind) {}

    /// Text or bytes.
    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    /// Whether it is text.
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    /// Its length, in bytes.
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    /// The message as text; that of a binary one is any bytes.
    [[nodiscard]] const std::string& text() const noexcept { return payload_; }
    /// The message as bytes, which it owns.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return as_bytes(payload_); }
    /// Moves the payload out.
    [[nodiscard]] std::string take() && noexcept { return std::move(payload_); }

private:
    std::string payload_;
    message_kind kind_ = message_kind::text;
};

/// A whole message where it has arrived. Valid until the next receive of any form on its websocket begins.
class websocket_message_view {
public:
    /// An empty message.
    websocket_message_view() noexcept = default;
    websocket_message_view(message_kind kind, std::span<const std::byte> payload) noexcept
        : payload_(payload), kind_(kind) {}

    /// Text or bytes.
    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    /// Whether it is text.
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    /// Its length, in bytes.
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    /// The message as text; valid as the view is.
    [[nodiscard]] std::string_view text() const noexcept { return as_text(payload_); }
    /// The message as bytes; valid as the view is.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return payload_; }

private:
    std::span<const std::byte> payload_;
    message_kind kind_ = message_kind::text;
};

/// A part of a message as it has arrived: of a frame, or of several; an empty one only at the end of a
/// message. Valid as a websocket_message_view is. The pieces of a text may end inside a character.
class websocket_piece {
public:
    /// An empty piece.
    websocket_piece() noexcept = default;
    websocket_piece(message_kind kind, std::span<const std::byte> payload, bool is_last) noexcept
        : payload_(payload), kind_(kind), is_last_(is_last) {}

    /// Text or bytes.
    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    /// Whether it is of a text.
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    /// Whether the message ends with it.
    [[nodiscard]] bool is_last() const noexcept { return is_last_; }
    /// Its length, in bytes.
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    /// The piece as text; valid as the piece is.
    [[nodiscard]] std::string_view text() const noexcept { return as_text(payload_); }
    /// The piece as bytes; valid as the piece is.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return payload_; }

private:
    std::span<const std::byte> payload_;
    message_kind kind_ = message_kind::text;
    bool is_last_ = false;
};

}  // namespace eddy::http
