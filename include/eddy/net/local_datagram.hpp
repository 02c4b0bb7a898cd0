#pragma once

#include <eddy/net/detail/socket_file.hpp>
#include <eddy/net/message_socket.hpp>

#include <span>

namespace eddy {

/// A local socket for datagrams (AF_UNIX, SOCK_DGRAM): none is lost and they stay in order; a sender waits
/// while the receiver's queue is full. See message_socket.
class local_datagram : public message_socket {
public:
    /// Takes over a socket. Requires: the caller is on a worker.
    explicit local_datagram(int descriptor) : message_socket(descriptor) {}

    /// A socket with an address; unnamed: a free abstract one. An existing socket file without a listening
    /// process is removed. `mode` are the file's permission bits, -1: what the umask leaves. The file is
    /// removed when the socket is destroyed, if it is still this socket's. Throws std::system_error, whose
    /// message names the endpoint. Touches the file system. Requires: the caller is on a worker.
    [[nodiscard]] static local_datagram bind(const eddy::local_endpoint& at, int mode = -1);
    /// A socket without an address, with a peer. Throws std::system_error.
    [[nodiscard]] static local_datagram connected_to(const eddy::local_endpoint& peer);

    /// Sets the peer, to which send() sends and from which alone anything is received. Throws
    /// std::system_error.
    void connect(const eddy::local_endpoint& peer);

    /// Sends a datagram to an address. Returns its size. While its queue is full tries again every 1 to 50
    /// ms, as the system does not report when that ends: connect the socket to a peer where that matters.
    /// Dropped: it was not sent. Requires: `bytes` stays until then.
    [[nodiscard]] task<std::size_t> send_to(std::span<const std::byte> bytes, eddy::local_endpoint to);

private:
    detail::socket_file file_;
};

}  // namespace eddy
