#pragma once

#include <eddy/io/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::http {

/// A message is a text, in UTF-8, or any bytes (RFC 6455 section 5.6).
enum class message_kind : std::uint8_t { text, binary };

/// A whole message that owns its payload. Moves and copies.
class websocket_message {
public:
    websocket_message() noexcept = default;
    websocket_message(message_kind kind, std::string payload) noexcept
        : payload_(std::move(payload)), kind_(kind) {}

    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    [[nodiscard]] const std::string& text() const noexcept { return payload_; }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return as_bytes(payload_); }
    /// Gives the payload away.
    [[nodiscard]] std::string take() && noexcept { return std::move(payload_); }

private:
    std::string payload_;
    message_kind kind_ = message_kind::text;
};

/// A whole message where it has arrived. Valid until the next receive of any form on its websocket begins.
class websocket_message_view {
public:
    websocket_message_view() noexcept = default;
    websocket_message_view(message_kind kind, std::span<const std::byte> payload) noexcept
        : payload_(payload), kind_(kind) {}

    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    [[nodiscard]] std::string_view text() const noexcept { return as_text(payload_); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return payload_; }

private:
    std::span<const std::byte> payload_;
    message_kind kind_ = message_kind::text;
};

/// A part of a message as it has arrived: of a frame, or of several; an empty one only at the end of a
/// message. Valid as a websocket_message_view is. The pieces of a text may end inside a character.
class websocket_piece {
public:
    websocket_piece() noexcept = default;
    websocket_piece(message_kind kind, std::span<const std::byte> payload, bool is_last) noexcept
        : payload_(payload), kind_(kind), is_last_(is_last) {}

    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == message_kind::text; }
    /// Whether the message ends with it.
    [[nodiscard]] bool is_last() const noexcept { return is_last_; }
    [[nodiscard]] std::size_t size() const noexcept { return payload_.size(); }
    [[nodiscard]] std::string_view text() const noexcept { return as_text(payload_); }
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return payload_; }

private:
    std::span<const std::byte> payload_;
    message_kind kind_ = message_kind::text;
    bool is_last_ = false;
};

}  // namespace eddy::http
