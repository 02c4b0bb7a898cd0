#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/codec/detail/chunked_decoder.hpp>
#include <eddy/http/message/detail/body_framing.hpp>
#include <eddy/http/message/field_list.hpp>
#include <eddy/io/buffer_pool.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace eddy::http {

class exchange_stream;

/// The body of a request (RFC 9112 section 6), read as it arrives: a leasing_source. What is not read stays
/// with the client, beyond what the system's buffers hold.
///
/// - 100 Continue is sent by the first read that finds nothing, if the client waits for it (RFC 9110 section
///   10.1.1) and no response has begun.
/// - Errors: request_error: 400 for one that is malformed or ends early, 413 for one that is too large, 408
///   for one that comes too slowly (server_options::body_timeout() and its neighbours). The connection ends
///   after the response then. std::system_error for a connection that has failed.
/// - Cancellation: a dropped read() or read_leased() loses no byte; what a dropped read_all() had gathered is
///   lost.
/// - Thread safety: none. One read at a time. It lives until the handler has ended.
class request_body {
public:
    /// For the stream. `arrived`: what came behind the head, and stays until the handler has ended.
    request_body(exchange_stream& stream, body_framing framing, std::string_view arrived,
                 bool awaits_continue);
    request_body(const request_body&) = delete;
    request_body& operator=(const request_body&) = delete;

    /// Waits for bytes and puts at least one into `out`. Returns their number, 0 at the end. Requires: `out`
    /// is not empty and stays until then.
    [[nodiscard]] ready_or_task<std::size_t> read(std::span<std::byte> out);
    /// The same where the bytes have arrived; an empty lease at the end. Copies them only where they share a
    /// buffer with something else: chunks' sizes, the next request.
    [[nodiscard]] task<buffer_lease> read_leased();
    /// Reads to the end. 413 for more than so many bytes, before anything is read if the size is known.
    [[nodiscard]] task<std::string> read_all(std::size_t bytes_max);

    /// Its size, if the client has announced it; 0 for a request without a body.
    [[nodiscard]] std::optional<std::uint64_t> size() const noexcept;
    /// Lowers the limit of message_limits for this body. Beyond it reads fail with 413.
    void limit(std::uint64_t bytes_max) noexcept { bytes_max_ = bytes_max; }

    /// For a body that lasts as long as a conversation: no limits of size and time but limit() apply.
    void lift_limits() noexcept { is_unlimited_ = true; }

    /// Bytes returned so far.
    [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
    /// Whether all of it has been read.
    [[nodiscard]] bool is_at_end() const noexcept { return is_at_end_; }
    /// The trailer fields that came behind a chunked body (RFC 9112 section 7.1.2). Empty before the end.
    [[nodiscard]] const field_list& trailers() const noexcept { return trailers_; }

    // -- for the stream --

    /// Reads and throws away the rest, within the limits of a body. False if it is beyond them.
    [[nodiscard]] task<bool> discard();
    /// Whether the connection cannot be used after it.
    [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }
    /// Whether the client may still wait for 100 Continue.
    [[nodiscard]] bool awaits_continue() const noexcept { return awaits_continue_; }
    /// Bytes of a known size that were not read.
    [[nodiscard]] std::uint64_t bytes_left() const noexcept { return left_; }
    /// A response has begun: it is too late for 100 Continue.
    void note_response() noexcept { awaits_continue_ = false; }
    /// What has arrived behind its end, and whether that still lies behind the head.
    [[nodiscard]] std::string_view behind() const noexcept { return waiting(); }
    /// Whether bytes of it stand right behind the head, in the connection's buffer.
    [[nodiscard]] bool is_behind_the_head() const noexcept { return !front_.empty() && joined_.empty(); }

private:
    [[nodiscard]] std::string_view waiting() const noexcept;
    void consume(std::size_t count) noexcept;
    [[nodiscard]] bool find_piece();
    [[nodiscard]] bool find_in_chunks();
    [[nodiscard]] bool find_in_stream();
    [[nodiscard]] std::uint64_t stream_bytes_max() const noexcept;
    [[nodiscard]] std::size_t take(std::span<std::byte> out) noexcept;
    [[nodiscard]] bool is_next_all_of_the_lease() const noexcept;
    [[nodiscard]] buffer_lease take_lease();
    [[nodiscard]] task<std::size_t> read_slowly(std::span<std::byte> out);
    [[nodiscard]] task<void> receive();
    void receive_into(std::string& all);
    [[nodiscard]] time_point deadline(time_point now) const noexcept;
    [[noreturn]] void fail(const message_error& error);

    exchange_stream& stream_;
    body_framing framing_;
    std::string_view front_;  // bytes that came before those of lease_
    buffer_lease lease_;
    std::string joined_;  // where front_ lies if it is no longer where the head is
    std::string_view piece_;
    chunked_decoder decoder_;
    field_list trailers_;
    message_error error_;
    std::uint64_t left_ = 0;
    std::uint64_t bytes_read_ = 0;
    std::uint64_t bytes_received_ = 0;
    std::uint64_t bytes_max_ = std::numeric_limits<std::uint64_t>::max();
    duration waited_{};
    bool is_unlimited_ = false;
    bool awaits_continue_ = false;
    bool ends_with_stream_ = false;  // the protocol frames bodies
    bool has_stream_ended_ = false;
    bool is_at_end_ = false;
    bool has_failed_ = false;
};

}  // namespace eddy::http
