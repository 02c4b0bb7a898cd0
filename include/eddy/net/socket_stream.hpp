#pragma once

#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/detail/awaited_operation.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/io/detail/result.hpp>
#include <eddy/io/owned_bytes.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/detail/owned_write.hpp>
#include <eddy/net/detail/stream_state.hpp>
#include <eddy/stream/detail/descriptor_read.hpp>
#include <eddy/stream/detail/descriptor_write.hpp>
#include <eddy/stream/detail/splice_end.hpp>

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace eddy {

namespace detail {

/// Awaits a lease of what has arrived.
class leased_read : public outcome_awaiter<leased_read> {
public:
    explicit leased_read(stream_state& state) noexcept : state_(state) {}
    leased_read(leased_read&& other) noexcept : state_(other.state_) {}
    leased_read& operator=(leased_read&&) = delete;
    ~leased_read() {
        if (is_waiting_)
            state_.forget_reader();
    }

    bool await_ready() noexcept {
        return state_.has_answer() || (state_.receive_at_once() && consume_budget());
    }
    void await_suspend(detail::suspension point) noexcept {
        resume_loop& loop = resume_loop::current();
        job& waiter = loop.suspend(point);
        if (state_.has_answer())  // and it is other tasks' turn
            return loop.make_ready_later(waiter);
        is_waiting_ = true;
        state_.wait_for_answer(waiter);
    }
    std::expected<buffer_lease, std::error_code> outcome() noexcept {
        is_waiting_ = false;
        if (state_.has_bytes()) [[likely]]
            return state_.take_lease();
        if (const std::int32_t result = state_.answer_without_bytes(); result < 0)
            return std::unexpected(io::error_of(result));
        return buffer_lease();
    }
    [[nodiscard]] static const char* what() noexcept { return "read"; }
    [[nodiscard]] bool is_pending() const noexcept { return state_.has_reader(); }
    void interrupt() noexcept { state_.forget_reader(); }

private:
    [[nodiscard]] static bool consume_budget() noexcept;

    stream_state& state_;
    bool is_waiting_ = false;
};

extern template class descriptor_read<stream_state>;

/// Awaits the end of sending, or receiving.
class awaited_shutdown : public io::awaited_operation<io::operation>,
                         public outcome_awaiter<awaited_shutdown> {
public:
    using awaited_operation::awaited_operation;
    bool await_ready() noexcept {
        io::speculation always;
        return descriptor >= 0 && try_at_once(always) && consume_budget();
    }
    std::expected<void, std::error_code> outcome() noexcept { return io::expected_done(result()); }
    [[nodiscard]] static const char* what() noexcept { return "shutdown"; }
};

}  // namespace detail

/// Which half of a connection.
enum class direction : std::uint8_t {
    /// What comes from the peer.
    receiving = 0,
    /// What goes to the peer.
    sending = 1,
    /// Both.
    both = 2,
};

/// A connection that carries a stream of bytes: the common part of tcp_stream and local_stream.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it, and the
///   runtime outlives it.
/// - Thread safety: none; it belongs to the worker on which it was made. One read and one write at a time, by
///   the same or different tasks. In every build, using it on another worker, using one that was moved from,
///   two reads or writes at once, and one that is open when its runtime ends, end the program with a message.
/// - Errors: operations throw std::system_error, or return it through as_result(). A peer that has gone shows
///   as connection_reset or broken_pipe; no signal is raised. Operations under way when close() is called by
///   another task end with operation_canceled.
class socket_stream : public detail::state_owner<detail::stream_state, detail::stream_state_end> {
public:
    /// Waits for bytes and returns them in a buffer of the worker; an empty lease at the end of the stream. A
    /// connection that waits here holds no buffer. Dropped: nothing is lost, the next read returns the bytes.
    [[nodiscard]] detail::leased_read read_leased() noexcept { return detail::leased_read(here()); }

    /// Puts back what read_leased() returned last, so that the caller can inspect it and leave it to another
    /// reader: the next read returns it again. Requires: nothing was read since.
    void put_back(buffer_lease read) noexcept { here().put_back(std::move(read)); }

    /// Waits for bytes and puts at least one into `out`. Returns their number, 0 at the end of the stream. A
    /// read into an empty span returns 0 at once and takes nothing. Dropped: what had arrived is returned by
    /// the next read. Requires: `out` stays until then.
    [[nodiscard]] detail::descriptor_read<detail::stream_state> read(std::span<std::byte> out) noexcept {
        return {here(), out};
    }

    /// Puts what has arrived into `out` without waiting. Returns the number of bytes. 0 is inconclusive: the
    /// next read shows whether there is nothing yet, or the end, or an error. Use it after read_leased() has
    /// returned the first of a large amount, to get the rest without another copy; the stream adapts to that.
    /// Requires: no read is under way.
    [[nodiscard]] std::size_t try_read(std::span<std::byte> out) noexcept { return here().try_read(out); }

    /// Sends some of the bytes. Returns their number. Dropped: an unknown number, from the front, may have
    /// been sent. Requires: `bytes` stays until then.
    [[nodiscard]] detail::socket_write write(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes.data(), bytes.size(), false};
    }
    /// Sends some of the bytes of several buffers, in order. Returns their number. Dropped: as write().
    /// Requires: the array and what it refers to stay until then.
    [[nodiscard]] detail::vectored_socket_write write(std::span<const_buffer> buffers) noexcept {
        return {here(), buffers.data(), buffers.size(), false};
    }
    /// Sends all the bytes. Returns their number. Dropped: as write().
    [[nodiscard]] detail::socket_write write_all(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes.data(), bytes.size(), true};
    }
    /// Sends all bytes of several buffers, in order. Returns their number. Dropped: as write(). Requires: the
    /// array and what it refers to stay until then; the array may be changed.
    [[nodiscard]] detail::vectored_socket_write write_all(std::span<const_buffer> buffers) noexcept {
        return {here(), buffers.data(), buffers.size(), true};
    }

    /// Sends what the system takes of several buffers, in order, without waiting. Returns the number of
    /// bytes. 0 is inconclusive: the next write shows whether the connection is still full, or an error. Use it to
    /// avoid keeping a copy of a large amount until it is sent. Requires: no write is under way.
    [[nodiscard]] std::size_t try_write(std::span<const const_buffer> buffers) noexcept {
        return here().try_write(buffers);
    }

    /// Sends all the bytes, which it owns from now on. Returns their number. Dropped: as write(). Throws
    /// std::bad_alloc.
    [[nodiscard]] detail::awaited_owned_write write_all(owned_bytes bytes) {
        detail::stream_state& to = here();
        return {to, std::move(bytes), to.zero_copy_above};
    }

    /// Ends one half of the connection: the peer sees the end of the stream once it has read what was sent.
    /// Dropped: it has happened or not.
    [[nodiscard]] detail::awaited_shutdown shutdown(direction half = direction::sending) noexcept;

    /// Releases the connection's descriptor, for example for a stream on another worker, which takes over
    /// `descriptor.release()`; this stream is then closed. A descriptor that is not taken over is closed. It
    /// may move to any thread meanwhile. Requires: nothing waits on the stream, and nothing was read by
    /// lease.
    [[nodiscard]] io::plain_descriptor release() noexcept { return io::plain_descriptor(state().release()); }

    /// For copy() (stream/detail/splice_end.hpp): none while bytes have arrived or come into buffers.
    [[nodiscard]] std::optional<detail::splice_end> splice_source() const noexcept {
        if (state().has_answer() || state().is_receiving())
            return std::nullopt;
        return state().source_end();
    }
    [[nodiscard]] std::optional<detail::splice_end> splice_sink() const noexcept {
        if (!is_open())
            return std::nullopt;
        return state().sink_end();
    }

    /// Closes the connection. What other tasks wait for on it ends with operation_canceled.
    void close() noexcept { state().close(); }
    /// The same with a reset: the peer does not take it for an end in good order, and what it was not sent
    /// yet is dropped.
    void abort() noexcept;

    /// Socket options (socket(7), tcp(7), ip(7)); throws std::system_error: invalid_argument for linger_s
    /// above 0 too, which would make close(), and with it the worker, wait for the peer. To hear of bytes
    /// that do not arrive set user_timeout_ms, and read to the end after shutdown().
    void set_option(io::socket_option option, int value);
    /// The value of an option of the socket. Throws std::system_error.
    [[nodiscard]] int get_option(io::socket_option option) const;

protected:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit socket_stream(int descriptor);
    socket_stream(socket_stream&&) noexcept = default;
    socket_stream& operator=(socket_stream&&) noexcept = default;
    ~socket_stream() = default;
};

}  // namespace eddy
