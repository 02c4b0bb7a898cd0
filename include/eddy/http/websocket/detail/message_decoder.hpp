#pragma once

#include <eddy/http/websocket/detail/deflate_parameters.hpp>
#include <eddy/http/websocket/detail/frame_header.hpp>
#include <eddy/http/websocket/detail/role.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/http/websocket/utf8_validator.hpp>
#include <eddy/http/websocket/websocket.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

class message_inflater;

enum class decoded_event : std::uint8_t {
    need_more,  ///< all bytes are consumed; there is no event
    piece,      ///< payload(), kind(), is_first(), is_last()
    ping,       ///< payload()
    pong,       ///< payload()
    close,      ///< code(), payload() is the reason
    error,      ///< error(), reason(): nothing more can be decoded
};

/// What message_decoder::decode() has found.
class decoded_bytes {
public:
    decoded_bytes(decoded_event event, std::size_t consumed, std::span<const std::byte> payload = {}) noexcept
        : payload_(payload), consumed_(consumed), event_(event) {}
    [[nodiscard]] static decoded_bytes piece(std::size_t consumed, const websocket_piece& found,
                                             bool is_first, bool is_gathered) noexcept {
        decoded_bytes result(decoded_event::piece, consumed, found.bytes());
        result.kind_ = found.kind();
        result.is_last_ = found.is_last();
        result.is_first_ = is_first;
        result.is_gathered_ = is_gathered;
        return result;
    }
    [[nodiscard]] static decoded_bytes closing(std::size_t consumed, websocket_close_code code,
                                               std::span<const std::byte> reason) noexcept {
        decoded_bytes result(decoded_event::close, consumed, reason);
        result.code_ = code;
        return result;
    }
    [[nodiscard]] static decoded_bytes wrong(std::size_t consumed, websocket_error error,
                                             std::string_view reason) noexcept {
        decoded_bytes result(decoded_event::error, consumed);
        result.error_ = error;
        result.reason_ = reason;
        return result;
    }

    [[nodiscard]] decoded_event event() const noexcept { return event_; }
    /// Bytes from the front that are done with: the next call begins behind them.
    [[nodiscard]] std::size_t consumed() const noexcept { return consumed_; }
    /// Lies in the bytes that were passed, in the decoder, or, if is_gathered(), at the end of `gathered`.
    [[nodiscard]] std::span<const std::byte> payload() const noexcept { return payload_; }
    [[nodiscard]] message_kind kind() const noexcept { return kind_; }
    /// Whether a message begins with this piece, and whether it ends with it.
    [[nodiscard]] bool is_first() const noexcept { return is_first_; }
    [[nodiscard]] bool is_last() const noexcept { return is_last_; }
    [[nodiscard]] bool is_gathered() const noexcept { return is_gathered_; }
    [[nodiscard]] websocket_close_code code() const noexcept { return code_; }
    [[nodiscard]] websocket_error error() const noexcept { return error_; }
    /// A string literal.
    [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

private:
    std::span<const std::byte> payload_;
    std::size_t consumed_;
    std::string_view reason_;
    websocket_close_code code_ = websocket_close_code::none;
    websocket_error error_ = websocket_error::protocol_violated;
    decoded_event event_;
    message_kind kind_ = message_kind::text;
    bool is_first_ = false;
    bool is_last_ = false;
    bool is_gathered_ = false;
};

/// Turns the bytes of a WebSocket stream into pieces of messages and control frames: RFC 6455 sections 5 and
/// 8.1 and RFC 7692 section 6.2. Bytes in, events out, no I/O: what has arrived is unmasked where it lies.
///
///     for (;;) {
///         const decoded_bytes found = decoder.decode(bytes, gathered);
///         bytes = bytes.subspan(found.consumed());
///         if (found.event() == decoded_event::need_more) break;
///         ...
///     }
///
/// However the bytes are cut, the messages and the error are the same.
///
/// - Ownership: neither copies nor moves. Thread safety: none.
/// - Limits: a frame's length is compared with the limit before anything is done for it, and inflating stops
///   there, so a small message cannot become a large one.
/// - Cost: a small message in one piece is unmasked and checked where it lies; nothing is allocated but what
///   inflating needs, when the first compressed message comes. Throws std::bad_alloc there.
class message_decoder {
public:
    /// `deflate`: what both ends have agreed on, if they have.
    message_decoder(websocket_role receiver, std::uint64_t message_bytes_max,
                    const std::optional<deflate_parameters>& deflate);
    message_decoder(const message_decoder&) = delete;
    message_decoder& operator=(const message_decoder&) = delete;
    ~message_decoder();

    /// Advances to the next event. `bytes` begins behind what was consumed before and is modified. What is
    /// inflated is put behind what is in `gathered`, up to 16 KiB at a time; so is, if the caller
    /// `gathers_pieces`, each piece of a message that does not come in one.
    [[nodiscard]] decoded_bytes decode(std::span<std::byte> bytes, std::string& gathered,
                                       bool gathers_pieces = false);

private:
    using byte_span = std::span<std::byte>;

    [[nodiscard]] std::optional<decoded_bytes> read_header(byte_span bytes, std::size_t& consumed);
    [[nodiscard]] std::optional<decoded_bytes> begin_frame(std::size_t consumed);
    [[nodiscard]] std::optional<decoded_bytes> begin_data_frame(std::size_t consumed);
    [[nodiscard]] decoded_bytes read_control(byte_span bytes, std::size_t consumed);
    [[nodiscard]] decoded_bytes end_control(std::span<const std::byte> payload, std::size_t consumed);
    [[nodiscard]] decoded_bytes read_close(std::span<const std::byte> payload, std::size_t consumed);
    [[nodiscard]] std::optional<decoded_bytes> read_data(byte_span bytes, std::size_t& consumed,
                                                         std::string* gathered);
    [[nodiscard]] std::span<const std::byte> gather(std::span<const std::byte> piece, std::uint64_t phase,
                                                    std::string& gathered) const;
    [[nodiscard]] std::optional<decoded_bytes> read_compressed(byte_span bytes, std::size_t& consumed,
                                                               std::string& gathered);
    [[nodiscard]] decoded_bytes give_piece(std::span<const std::byte> payload, std::size_t consumed,
                                           bool is_last, bool is_gathered);
    [[nodiscard]] decoded_bytes fail(std::size_t consumed, websocket_error error,
                                     std::string_view reason) noexcept;
    [[nodiscard]] decoded_bytes fail_text(std::size_t consumed) noexcept;
    [[nodiscard]] bool is_control_frame() const noexcept { return is_control(frame_.opcode()); }
    void unmask(byte_span bytes, std::uint64_t phase) const noexcept;

    std::uint64_t message_bytes_max_;
    std::optional<deflate_parameters> deflate_;
    std::unique_ptr<message_inflater> inflater_;  // made for the first compressed message
    websocket_frame_header frame_;
    std::uint64_t frame_left_ = 0;     // bytes of the frame's payload that were not consumed
    std::uint64_t message_bytes_ = 0;  // as they were sent, or inflated
    std::uint64_t wire_bytes_ = 0;     // of a compressed message, as they were sent
    std::size_t uncovered_ = 0;        // bytes at the front that are unmasked and were not consumed
    utf8_validator text_;
    websocket_role receiver_;
    message_kind kind_ = message_kind::text;
    bool is_in_frame_ = false;
    bool is_in_message_ = false;
    bool is_compressed_ = false;
    bool is_first_ = false;    // no piece of the message was returned
    bool is_at_tail_ = false;  // all that was sent of a compressed message has been inflated
    bool has_more_ = false;    // inflating stopped for want of room
    bool has_failed_ = false;
    std::uint8_t kept_bytes_ = 0;  // of a header, or of a control frame's payload
    std::array<std::byte, 125> kept_{};
};

}  // namespace eddy::http
