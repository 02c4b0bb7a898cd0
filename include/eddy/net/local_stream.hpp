#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/net/message_socket.hpp>
#include <eddy/net/passed_descriptors.hpp>
#include <eddy/net/socket_stream.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace eddy {

/// A connection between local sockets (AF_UNIX): a socket_stream, which says how it is read, written and
/// closed.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety and errors: as socket_stream.
class local_stream : public socket_stream {
public:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit local_stream(int descriptor) : socket_stream(descriptor) {}

    /// Connects. While the listener's backlog is full tries again every 1 to 50 ms, as no system reports when
    /// that ends. Dropped: the descriptor is closed.
    [[nodiscard]] static task<local_stream> connect(eddy::local_endpoint to);

    /// Sends some of the bytes with descriptors, which go with the first of them. They stay open here and may
    /// be closed once this has ended. Returns the number of bytes. Dropped: nothing was sent. Requires: at
    /// least one byte, at most passed_descriptors::count_max descriptors, which stay until then.
    [[nodiscard]] task<std::size_t> send_message(std::span<const std::byte> bytes,
                                                 std::span<const int> descriptors);
    /// Waits for bytes and takes what came beside them too; a size of 0 is the end. Bytes with descriptors
    /// are not put together with bytes that have others. Dropped: nothing was taken. Requires: the stream is
    /// not read by lease, since a lease (as any other read) drops the descriptors; `out` stays until then.
    [[nodiscard]] task<received_message> receive_message(std::span<std::byte> out);

    /// Unnamed if it was not bound, as the end that connects is not. Throws std::system_error.
    [[nodiscard]] eddy::local_endpoint local_endpoint() const;
    /// The endpoint of the peer. Throws std::system_error.
    [[nodiscard]] eddy::local_endpoint remote_endpoint() const;
    /// The process that connected, or listened, at the other end at that time. Throws std::system_error.
    [[nodiscard]] peer_credentials credentials() const;
};

/// Two local sockets of this worker that are connected with each other. Throw std::system_error. Require: the
/// caller is on a worker.
[[nodiscard]] std::pair<local_stream, local_stream> socket_pair();
/// Two sockets for datagrams that are connected with each other. Throws std::system_error.
[[nodiscard]] std::pair<local_datagram, local_datagram> datagram_pair();
/// Two ends of a connection that keeps messages apart. Throws std::system_error.
[[nodiscard]] std::pair<local_packets, local_packets> packet_pair();

}  // namespace eddy
