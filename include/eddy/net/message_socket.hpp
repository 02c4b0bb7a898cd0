#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/net/detail/datagram_state.hpp>
#include <eddy/net/passed_descriptors.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace eddy {

/// A local socket that sends and receives messages: the common part of local_datagram and local_packets.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety: none; it belongs to the worker on which it was made. One receive at a time (of any form)
///   and any number of sends, by the same or different tasks. In every build, an operation on another worker, a
///   second receive, using one that was moved from, and one that is open when its runtime ends, end the
///   program with a message.
/// - Errors: operations throw std::system_error, or return it through as_result(). Operations under way when
///   close() is called by another task end with operation_canceled.
class message_socket : public detail::state_owner<detail::datagram_state> {
public:
    /// A datagram and its sender.
    using received = received_from<eddy::local_endpoint>;

    /// Waits for a message and puts it into `out`; reports its sender and whether it was longer. A size
    /// of 0 is an empty message, or the end of a connection. Descriptors that come with it are closed.
    /// Dropped: one that had arrived is returned by the next receive (or, if there is no memory to keep it,
    /// not_enough_memory). Requires: `out` stays until then.
    [[nodiscard]] detail::awaited_datagram<eddy::local_endpoint> receive_from(
        std::span<std::byte> out) noexcept {
        return {here(), out};
    }
    /// The same; returns only the number of bytes. Dropped: as receive_from().
    [[nodiscard]] detail::awaited_datagram_size<eddy::local_endpoint> receive(
        std::span<std::byte> out) noexcept {
        return {here(), out};
    }
    /// Waits for a message and takes what came beside its bytes too. Dropped: nothing was taken. Requires:
    /// `out` stays until then.
    [[nodiscard]] task<received_message> receive_message(std::span<std::byte> out);

    /// Sends a message to the peer. Returns its size. Waits while the peer's queue is full. A message that is
    /// too long is refused (message_size). Dropped: it was sent or not. Requires: `bytes` stays until then.
    [[nodiscard]] detail::awaited_datagram_send send(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes};
    }
    /// The same with descriptors, which stay the sender's too and may be closed once this has ended.
    /// Requires: at most passed_descriptors::count_max of them, which stay until then. Dropped: it was sent
    /// or not.
    [[nodiscard]] task<std::size_t> send_message(std::span<const std::byte> bytes,
                                                 std::span<const int> descriptors);

    /// Closes the socket. What other tasks wait for on it ends with operation_canceled.
    void close() noexcept { state().close(); }

    /// Its own address, unnamed if it has none. Throws std::system_error.
    [[nodiscard]] eddy::local_endpoint local_endpoint() const;

    /// Socket options (socket(7), unix(7)): pass_credentials, buffer sizes. Throws std::system_error.
    void set_option(io::socket_option option, int value);

protected:
    /// Takes over a socket. Requires: the caller is on a worker.
    explicit message_socket(int descriptor);
    message_socket(message_socket&&) noexcept = default;
    message_socket& operator=(message_socket&&) noexcept = default;
    ~message_socket() = default;
};

/// A connection between local sockets that keeps messages apart (AF_UNIX, SOCK_SEQPACKET). See
/// message_socket; a receive of 0 bytes is the end, so send no empty messages.
class local_packets : public message_socket {
public:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit local_packets(int descriptor) : message_socket(descriptor) {}

    /// Connects. While the listener's backlog is full tries again every 1 to 50 ms. Dropped: the descriptor
    /// is closed.
    [[nodiscard]] static task<local_packets> connect(eddy::local_endpoint to);

    /// Where its peer is; unnamed if that was not bound. Throws std::system_error.
    [[nodiscard]] eddy::local_endpoint remote_endpoint() const;
    /// The process that connected, or listened, at the other end at that time. Throws std::system_error.
    [[nodiscard]] peer_credentials credentials() const;
};

}  // namespace eddy
