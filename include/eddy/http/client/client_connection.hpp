#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/client/detail/wait_limits.hpp>
#include <eddy/http/codec/detail/chunked_decoder.hpp>
#include <eddy/http/codec/detail/received_bytes.hpp>
#include <eddy/http/codec/detail/response_parser.hpp>
#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/response_head.hpp>
#include <eddy/stream/any_stream.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// The default limits of a client for responses: those of a server for the head, and a
/// body of any size, since it is read in pieces.
[[nodiscard]] message_limits response_limits() noexcept;

/// One connection of a client at its lowest level: whole requests go out as bytes, answers come back in
/// parts, one exchange after the other. `client` does the rest; load generators and proxies start here.
///
///     client_connection connection(any_stream(co_await connect("localhost", 8080)));
///     co_await connection.write_all(as_bytes(request));           // made once, see request_head_writer
///     connection.begin(method::get);
///     const response_head head = co_await connection.read_head();
///     for (auto piece = co_await connection.read_body(); !piece.empty(); piece = co_await
///     connection.read_body())
///         ...
///     if (!connection.can_go_on()) ...                            // make another one
///
/// - Ownership: owns its stream. Neither moves nor copies.
/// - Pipelining: several requests may be written before the first response is read; begin() is then called
///   for each response in turn.
/// - Thread safety: none; it belongs to the worker of its stream. Reading and writing may be done by two
///   tasks.
/// - Cancellation: a dropped read_head() or read_body() loses nothing: the next call continues where it
///   stopped. Of a dropped write an unknown part may have been sent, so the connection can only be read from
///   then on.
/// - Errors: std::system_error with an http_error: malformed_response, head_too_large, body_too_large,
///   connection_closed (no byte of the response came), truncated, the time limits; or with the stream's
///   error. After any of them the connection cannot be used further.
/// - Cost: no allocation in steady state when the stream lends what has arrived and a response arrives in one
///   piece; what is left over before a wait is copied. Data that has already arrived is returned without a
///   coroutine.
class client_connection {
public:
    /// Takes over a stream that is connected.
    explicit client_connection(any_stream stream, const message_limits& limits = response_limits())
        : stream_(std::move(stream)), limits_(limits), parser_(limits_, method::get) {}
    client_connection(const client_connection&) = delete;
    client_connection& operator=(const client_connection&) = delete;
    ~client_connection() = default;

    /// Sends bytes of a request; see byte_sink.
    [[nodiscard]] auto write_all(std::span<const std::byte> bytes) noexcept {
        return stream_.write_all(bytes);
    }
    [[nodiscard]] auto write_all(std::span<const_buffer> buffers) noexcept {
        return stream_.write_all(buffers);
    }

    /// Sends some of the bytes, until `deadline` at most. Returns their number or the error.
    [[nodiscard]] auto write_until(std::span<const std::byte> bytes, time_point deadline) noexcept {
        return stream_.write_until(bytes, deadline);
    }

    /// Declares that the next response belongs to a request of this method.
    void begin(method requested) noexcept;
    /// How long reads wait from now on.
    void limit_waits(const wait_limits& waits) noexcept { waits_ = waits; }
    /// While a request is being sent by another task, the response need not begin.
    void set_sending(bool is_sending) noexcept { is_sending_ = is_sending; }

    /// The next head of the response, valid until anything else is read: an interim one (1xx but 101), after
    /// which this is called again, or the final one. Requires: begin(); the final head was not read yet.
    [[nodiscard]] ready_or_task<response_head> read_head();
    /// The next piece of the body, valid until anything else is read; an empty one at its end.
    /// Requires: the final head was read.
    [[nodiscard]] ready_or_task<std::span<const std::byte>> read_body();

    /// The bytes of the head that was read last, and the positions of its parts, so that the caller can keep
    /// a copy. Requires: nothing else was read since.
    [[nodiscard]] std::string_view head_bytes() const noexcept { return received_.bytes().substr(0, taken_); }
    /// Where the parts of the last head are.
    [[nodiscard]] const response_layout& head_layout() const noexcept { return parser_.layout(); }
    /// Releases buffers. Call it before the connection becomes idle. Requires: is_over().
    void rest() {
        drop_taken();
        received_.settle();
    }

    /// Whether a byte of the response has arrived.
    [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
    /// Whether the response has been returned to its last byte.
    [[nodiscard]] bool is_over() const noexcept { return state_ == state::over; }
    /// Whether is_over(), and the next request may follow on this connection.
    [[nodiscard]] bool can_go_on() const noexcept { return is_over() && keeps_alive_; }
    /// Whether more than the response has arrived.
    [[nodiscard]] bool has_surplus() const noexcept { return received_.bytes().size() > taken_; }
    /// Trailer fields in the order in which they came, known once the body has been read.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& trailers() const noexcept {
        return trailers_;
    }

    /// The stream below.
    [[nodiscard]] any_stream& stream() noexcept { return stream_; }
    /// What has arrived behind the head of a 101, or of a 2xx to CONNECT: the first bytes of the other
    /// protocol.
    [[nodiscard]] std::string_view surplus() const noexcept { return received_.bytes().substr(taken_); }
    /// Closes the stream.
    void close() {
        keeps_alive_ = false;
        stream_.close();
    }

private:
    enum class state : std::uint8_t { head, interim, body, over };

    [[nodiscard]] std::optional<response_head> try_head();
    [[nodiscard]] std::optional<std::span<const std::byte>> try_piece();
    [[nodiscard]] std::optional<std::span<const std::byte>> try_chunk();
    [[nodiscard]] task<response_head> receive_head();
    [[nodiscard]] task<std::span<const std::byte>> receive_piece();
    [[nodiscard]] task<bool> receive();
    [[nodiscard]] task<buffer_lease> await_arrival();
    [[noreturn]] void fail(http_error error);
    [[noreturn]] void fail(const message_error& error);
    void drop_taken() noexcept { received_.consume(std::exchange(taken_, 0)); }
    [[nodiscard]] std::span<const std::byte> take_raw(std::size_t size) noexcept;

    any_stream stream_;
    message_limits limits_;
    wait_limits waits_;
    detail::received_bytes received_;
    response_parser parser_;
    std::optional<chunked_decoder> decoder_;
    std::vector<std::pair<std::string, std::string>> trailers_;
    std::size_t taken_ = 0;  // of the received bytes: returned to the reader, which may still look at them
    std::uint64_t left_ = 0;
    std::uint64_t body_size_ = 0;
    body_kind kind_ = body_kind::none;
    method requested_ = method::get;
    state state_ = state::over;
    bool keeps_alive_ = true;
    bool has_begun_ = false;
    bool is_sending_ = false;
};

}  // namespace eddy::http
