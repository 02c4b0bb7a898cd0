#pragma once

#include <eddy/core/async_generator.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/detail/transfer.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/websocket/detail/role.hpp>
#include <eddy/http/websocket/detail/websocket_operation.hpp>
#include <eddy/http/websocket/handshake.hpp>
#include <eddy/http/websocket/message.hpp>
#include <eddy/http/websocket/message_writer.hpp>
#include <eddy/http/websocket/options.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

namespace eddy::http {

/// What ends a WebSocket connection before its time, beside the errors of the stream below it.
enum class websocket_error {
    protocol_violated = 1,  ///< the peer broke a rule of RFC 6455 or 7692; 1002 was sent
    invalid_text,           ///< a text that is not UTF-8; 1007 was sent
    message_too_big,        ///< a message beyond the limit; 1009 was sent
    connection_lost,        ///< the stream ended without the peer's close frame
    peer_is_silent,         ///< the peer left a ping unanswered, or took nothing, for too long
    closed,                 ///< sent after close(), or after the peer has closed
    message_unfinished,     ///< a message was abandoned half-way; 1011 was sent
    handshake_refused,      ///< the server does not speak WebSocket here, or not as requested
};

/// The category of these errors.
[[nodiscard]] const std::error_category& websocket_category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(websocket_error error) noexcept {
    return {static_cast<int>(error), websocket_category()};
}

/// The close code that is sent for this error.
[[nodiscard]] websocket_close_code close_code_for(websocket_error error) noexcept;

}  // namespace eddy::http

template <>
struct std::is_error_code_enum<eddy::http::websocket_error> : std::true_type {};

namespace eddy::http {

/// One end of a WebSocket connection (RFC 6455), with permessage-deflate (RFC 7692) if it was agreed on.
///
///     while (auto message = co_await socket.receive())
///         co_await socket.send(*std::move(message));
///
/// Pings are answered, and pings are sent, while a task receives: a program that only sends should have a
/// task that receives as well, which is also how it learns of the end.
///
/// - Ownership: owns the stream; moves, does not copy. It outlives the operations on it. Destroying it cuts
///   the connection: what flush() or close() has not seen out may not arrive.
/// - Thread safety: none; it belongs to the worker on which it was made. One task receives, while any number
///   send; each message goes out whole, and senders come in the order in which they began.
/// - Cancellation: a dropped receive loses nothing, however much of a message has come. A dropped send has
///   taken the message over as a whole, and it will be sent, or not at all: it never cuts a frame. See
///   close() and websocket_message_writer for theirs.
/// - Back-pressure: send() returns once the message is in the send buffer; while more than
///   options.send_buffer_bytes() wait there, it waits for the peer. Messages that are sent in one turn leave
///   in one write. Nothing is read while no task receives.
/// - Errors: std::system_error with websocket_error, or with the error of the stream. A violation of the
///   protocol by the peer ends the connection with the code that RFC 6455 has for it, and the receive with an
///   error once the close frame has been sent. A connection closed in good order is no error: receives return
///   nothing.
/// - Cost: a small message that arrives in one piece costs no allocation with receive_view(), and the message
///   itself with receive(). Sending one costs a copy into the send buffer. While nothing is sent or received
///   there are no buffers, about 1 KiB in all.
class websocket {
public:
    /// Takes over a stream on which the handshake is done. `arrived`: what has been read behind it. Requires:
    /// the caller is on a worker. Throws std::bad_alloc.
    websocket(any_stream stream, websocket_role role, const websocket_options& options = {},
              const websocket_agreement& agreed = {}, buffer_lease arrived = {});
    websocket(websocket&&) noexcept;
    /// Requires: no operation is under way on either.
    websocket& operator=(websocket&&) noexcept;
    ~websocket();

    /// Waits for the next whole message, which gathers up to options.message_bytes_max(); nothing once the
    /// connection is closed. One receive of any form at a time.
    [[nodiscard]] websocket_receive<websocket_message> receive() noexcept { return {*state_}; }
    /// The same where it has arrived, without a copy if it came in one piece. Valid until the next receive of
    /// any form begins.
    [[nodiscard]] websocket_receive<websocket_message_view> receive_view() noexcept { return {*state_}; }
    /// The next part of a message as soon as it is there, of messages that are not to be gathered. After a
    /// piece that is not the last, receive() returns the rest of that message.
    [[nodiscard]] websocket_receive<websocket_piece> receive_piece() noexcept { return {*state_}; }
    /// All messages up to the end. Ends with an error where receive() does. Requires: the websocket stays
    /// where it is while the generator lives.
    [[nodiscard]] async_generator<websocket_message> messages();

    /// Waits for room and takes a text over. Throws std::invalid_argument if it is not UTF-8. Requires: it
    /// stays until then. Errors: closed after either end has closed; the same for all that follow.
    [[nodiscard]] websocket_send send_text(std::string_view text) noexcept {
        return {*state_, message_kind::text, as_bytes(text)};
    }
    /// Sends bytes as one message, as send() does.
    [[nodiscard]] websocket_send send_binary(std::span<const std::byte> bytes) noexcept {
        return {*state_, message_kind::binary, bytes};
    }
    [[nodiscard]] websocket_send send(const websocket_message_view& message) noexcept {
        return {*state_, message.kind(), message.bytes()};
    }
    /// The same for a message that is moved in, without a copy if it is large.
    [[nodiscard]] websocket_send send(websocket_message message) noexcept {
        return {*state_, std::move(message)};
    }
    /// Begins a message that is sent in pieces, each a frame. Other senders wait until it is finished.
    [[nodiscard]] task<websocket_message_writer> begin_message(message_kind kind);
    /// Sends a ping with up to 125 bytes; the peer's answer counts as a sign of life. Does not wait. Throws
    /// std::invalid_argument if it is longer.
    void ping(std::span<const std::byte> payload = {});
    /// Waits until all that was sent has been written to the stream. Dropped: it is written all the same.
    [[nodiscard]] task<> flush();

    /// Closes the connection: sends what waits and a close frame, then waits for the peer's, for
    /// options.close_timeout() in all. Messages that arrive meanwhile go to the receiving task, or are
    /// discarded. Does nothing if it is closed already. Throws std::invalid_argument for a code that must not
    /// be sent (1000 to 1003, 1007 to 1014 and 3000 to 4999 may be) and for a reason that is not UTF-8 or
    /// longer than 123 bytes. Dropped: the close frame is sent nevertheless, and a later close() or receive
    /// continues.
    [[nodiscard]] task<> close(websocket_close_code code = websocket_close_code::normal,
                               std::string_view reason = {});

    /// Whether neither end has closed and nothing has failed.
    [[nodiscard]] bool is_open() const noexcept;
    /// What the peer's close frame said: `none` if it had no code, `abnormal` if there has been no frame.
    [[nodiscard]] websocket_close_code close_code() const noexcept;
    /// Why the peer closed, as it said; empty before that.
    [[nodiscard]] std::string_view close_reason() const noexcept;

    /// Client or server.
    [[nodiscard]] websocket_role role() const noexcept;
    /// What the handshake has agreed on.
    [[nodiscard]] const websocket_agreement& agreement() const noexcept;
    /// Bytes that wait to be written.
    [[nodiscard]] std::size_t unsent_bytes() const noexcept;

private:
    std::unique_ptr<websocket_state> state_;
};

}  // namespace eddy::http
