#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/core/prompt_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/chunked_decoder.hpp>
#include <eddy/http/http_error.hpp>
#include <eddy/http/limits.hpp>
#include <eddy/http/method.hpp>
#include <eddy/http/received_bytes.hpp>
#include <eddy/http/response_head.hpp>
#include <eddy/http/response_parser.hpp>
#include <eddy/http/wait_limits.hpp>
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

/// The limits that a client takes answers with unless told otherwise: those of a server for the head, and a
/// body of any size, since it is read in pieces.
[[nodiscard]] message_limits answer_limits() noexcept;

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
/// - Pipelining: several requests may be written before the first answer is read; begin() is then called for
///   each answer in turn.
/// - Thread safety: none; it belongs to the worker of its stream. Reading and writing may be done by two
/// tasks.
/// - Cancellation: a dropped read_head() or read_body() has lost nothing: the next call goes on where it
///   stopped. Of a dropped write an unknown part may have been sent, so that the connection is good for
///   nothing but reading.
/// - Errors: std::system_error with an http_error: malformed_answer, head_too_large, body_too_large,
///   connection_closed (no byte of the answer came), truncated, the time limits; or with the stream's error.
///   After any of them the connection cannot go on.
/// - Cost: no allocation in steady state when the stream lends what has arrived and an answer arrives in one
///   piece; what is left over when one has to wait is copied. What has arrived already is given without a
///   coroutine.
class client_connection {
public:
    explicit client_connection(any_stream stream, const message_limits& limits = answer_limits())
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

    /// Sends some of the bytes, until a time at the most; gives their number or the error.
    [[nodiscard]] auto write_until(std::span<const std::byte> bytes, time_point deadline) noexcept {
        return stream_.write_until(bytes, deadline);
    }

    /// The answer that is read next belongs to a request of this method.
    void begin(method asked) noexcept;
    /// How long reads wait from now on.
    void limit_waits(const wait_limits& waits) noexcept { waits_ = waits; }
    /// While a request is being sent by another task, the answer need not begin.
    void set_sending(bool is_sending) noexcept { is_sending_ = is_sending; }

    /// The next head of the answer, valid until anything else is read: an interim one (1xx but 101), after
    /// which this is called again, or the final one. Requires: begin(); the final head was not read yet.
    [[nodiscard]] prompt_task<response_head> read_head();
    /// The next piece of the body, valid until anything else is read; an empty one at its end.
    /// Requires: the final head was read.
    [[nodiscard]] prompt_task<std::span<const std::byte>> read_body();

    /// The bytes of the head that was read last, and where everything stands in them, for who keeps a copy.
    /// Requires: nothing else was read since.
    [[nodiscard]] std::string_view head_bytes() const noexcept { return received_.bytes().substr(0, taken_); }
    [[nodiscard]] const response_layout& head_layout() const noexcept { return parser_.layout(); }
    /// To be called before a connection is left alone: lets go of buffers. Requires: is_over().
    void rest() {
        drop_taken();
        received_.settle();
    }

    /// Whether a byte of the answer has come.
    [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
    /// Whether the answer has been given to its last byte.
    [[nodiscard]] bool is_over() const noexcept { return state_ == state::over; }
    /// Whether it is, and the next request may follow on this connection.
    [[nodiscard]] bool can_go_on() const noexcept { return is_over() && keeps_alive_; }
    /// Whether more has come than the answer.
    [[nodiscard]] bool has_surplus() const noexcept { return received_.bytes().size() > taken_; }
    /// Trailer fields in the order in which they came, known once the body has been read.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& trailers() const noexcept {
        return trailers_;
    }

    [[nodiscard]] any_stream& stream() noexcept { return stream_; }
    /// What has come behind the head of a 101, or of a 2xx to CONNECT: the first bytes of the other protocol.
    [[nodiscard]] std::string_view surplus() const noexcept { return received_.bytes().substr(taken_); }
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
    std::size_t taken_ = 0;  // of what was received: given to the reader, who may still look at it
    std::uint64_t left_ = 0;
    std::uint64_t body_size_ = 0;
    body_kind kind_ = body_kind::none;
    method asked_ = method::get;
    state state_ = state::over;
    bool keeps_alive_ = true;
    bool has_begun_ = false;
    bool is_sending_ = false;
};

}  // namespace eddy::http
