#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/tls/detail/tls_connection.hpp>
#include <eddy/tls/detail/tls_read.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_session_info.hpp>
#include <eddy/tls/tls_target.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy {

template <byte_stream Stream>
class tls_stream;

/// Waits for a client's handshake on a stream that has been accepted, and returns the TLS stream. Requires:
/// the context is a server's.
///
/// - Ownership: the stream is moved in. After an error, and if the task is dropped, it is closed; before that
///   an error of TLS is reported to the peer by an alert.
/// - Errors: std::system_error with tls_error, whose what() has the details; timed_out beyond the context's
///   handshake_time_max(); the errors of the stream.
/// - Cost: until the first bytes come nothing is allocated but this task.
template <byte_stream Stream>
[[nodiscard]] task<tls_stream<Stream>> tls_accept(Stream stream, tls_context context);

/// Makes the handshake of a client with the target, on a stream that is connected with it. Requires: the
/// context is a client's. For the rest as tls_accept(); certificate_refused means that the server may be an
/// impostor. Throws std::invalid_argument for a target without a name whose certificate is verified.
/// Dropped: as tls_accept().
template <byte_stream Stream>
[[nodiscard]] task<tls_stream<Stream>> tls_connect(Stream stream, tls_context context, tls_target target);

/// A TLS connection (RFC 8446, RFC 5246) over a stream: a byte_stream and a leasing_source itself.
///
/// - Ownership: owns the stream below; moves, does not copy. It outlives the operations on it. Destroying it
///   closes the stream without notice; shutdown() announces the end, so that the peer can distinguish it from
///   a cut.
/// - Thread safety: none; it belongs to the worker that uses it. One read and one write (or shutdown) at a
///   time, from two tasks.
/// - The end: read() returns 0 only after the peer's close_notify. If the stream below ends without that,
///   read() throws tls_error::truncated, after all bytes that had arrived, and so does each later one: data
///   without an end of its own may have been cut off. Either direction may be used after the end of the other,
///   also after such a one, since the two are independent (RFC 8446 section 6.1): the response to a peer that
///   has ended its sending half without notice is sent.
/// - Cancellation: a dropped read loses no byte, the next read returns them. Of a dropped write an unknown
///   number of bytes from the front is taken: what was encrypted is sent before anything else by the next
///   write or shutdown, and never if there is none. So the peer sees no gap, and the connection stays usable.
///   If the stream below does not know how much its write had sent, all that follows fails with
///   stream_error::write_was_dropped.
/// - Errors: those of the stream below; std::system_error with tls_error. After any other error of TLS
///   everything fails with it.
/// - Cost: an idle connection holds no buffers; `read_leased()` takes memory only once there is something to
///   read. A read that finds nothing decrypted and each write cost one coroutine frame. What is written by
///   one call, up to 64 KiB, leaves in one write, in records as large as possible; the first ones of a
///   connection, and after a second without writing, fit into packets. There is no kTLS; everything is
///   encrypted here.
/// - Not spoken: renegotiation, compression, early data (0-RTT).
template <byte_stream Stream>
class tls_stream {
public:
    tls_stream(tls_stream&&) noexcept = default;
    tls_stream& operator=(tls_stream&&) noexcept = default;
    ~tls_stream() = default;

    /// What the handshake has come to. Valid as long as the stream.
    [[nodiscard]] const tls_session_info& info() const noexcept { return connection_->info(); }
    /// The stream below. Reading or writing there breaks the connection.
    [[nodiscard]] Stream& below() noexcept { return connection_->below(); }

    /// See byte_source. Requires: `out` stays until then.
    [[nodiscard]] auto read(std::span<std::byte> out) noexcept {
        return detail::tls_read<connection>(*connection_, out);
    }
    /// See leasing_source. The lease has memory of its own and may be kept.
    [[nodiscard]] auto read_leased() noexcept { return detail::tls_leased_read<connection>(*connection_); }

    /// The same, until a deadline. Returns std::expected: timed_out after the deadline, and no byte is lost.
    [[nodiscard]] auto read_leased_until(time_point deadline) noexcept {
        return detail::tls_leased_read_until<connection>(*connection_, deadline);
    }

    /// See byte_sink; all bytes are taken. Requires: what is written stays until then.
    [[nodiscard]] task<std::size_t> write(std::span<const std::byte> bytes) { return write_all(bytes); }
    [[nodiscard]] task<std::size_t> write(std::span<const_buffer> buffers) { return write_all(buffers); }
    /// Writes all of the bytes, as write() does.
    [[nodiscard]] task<std::size_t> write_all(std::span<const std::byte> bytes) {
        return connection_->write(bytes);
    }
    [[nodiscard]] task<std::size_t> write_all(std::span<const_buffer> buffers) {
        return connection_->write(buffers);
    }

    /// Writes some of the bytes, 64 KiB and a record at the most. Returns their number in a std::expected;
    /// timed_out where the stream below takes nothing until the deadline. As after a dropped write, the next
    /// one then sends what was encrypted.
    [[nodiscard]] auto write_until(std::span<const std::byte> bytes, time_point deadline) {
        return connection_->write_until(bytes, deadline);
    }
    [[nodiscard]] auto write_until(std::span<const_buffer> buffers, time_point deadline) {
        return connection_->write_until(buffers, deadline);
    }

    /// Takes some of the bytes of several buffers, in order, without waiting, where the stream below can
    /// (socket_stream::try_write()): 64 KiB and a record at the most. Returns their number. What the stream below does
    /// not take of them is sent beside, in front of all that follows. 0 is inconclusive: await the next write.
    /// Requires: no write is under way.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) noexcept
        requires requires(Stream& stream) { stream.try_write(buffers); }
    {
        return connection_->try_write(buffers);
    }

    /// Sends what is left to send and a close_notify, and ends the sending half of the stream below. What the
    /// peer sends can still be read.
    [[nodiscard]] task<> shutdown() { return connection_->shutdown(); }
    /// Closes the stream below at once. The peer sees a cut unless shutdown() was called before.
    void close() { connection_->below().close(); }
    /// The same with a reset, where the stream below has one.
    void abort()
        requires requires(Stream& stream) { stream.abort(); }
    {
        connection_->below().abort();
    }
    /// Those of the stream below.
    [[nodiscard]] auto local_endpoint() const
        requires requires(const Stream& stream) { stream.local_endpoint(); }
    {
        return connection_->below().local_endpoint();
    }
    /// The endpoint of the peer, as the stream below has it.
    [[nodiscard]] auto remote_endpoint() const
        requires requires(const Stream& stream) { stream.remote_endpoint(); }
    {
        return connection_->below().remote_endpoint();
    }

private:
    using connection = detail::tls_connection<Stream>;
    friend task<tls_stream> tls_accept<Stream>(Stream stream, tls_context context);
    friend task<tls_stream> tls_connect<Stream>(Stream stream, tls_context context, tls_target target);

    explicit tls_stream(std::unique_ptr<connection> made) noexcept : connection_(std::move(made)) {}

    std::unique_ptr<connection> connection_;
};

template <byte_stream Stream>
task<tls_stream<Stream>> tls_accept(Stream stream, tls_context context) {
    auto made = std::make_unique<detail::tls_connection<Stream>>(std::move(stream));
    co_await detail::within_handshake_time(made->accept(context), context);
    co_return tls_stream<Stream>(std::move(made));
}

template <byte_stream Stream>
task<tls_stream<Stream>> tls_connect(Stream stream, tls_context context, tls_target target) {
    auto made = std::make_unique<detail::tls_connection<Stream>>(std::move(stream));
    co_await detail::within_handshake_time(made->connect(context, std::move(target)), context);
    co_return tls_stream<Stream>(std::move(made));
}

}  // namespace eddy
