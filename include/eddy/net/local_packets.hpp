#pragma once

#include <eddy/net/message_socket.hpp>

namespace eddy {

/// A connection between local sockets that keeps messages apart (AF_UNIX, SOCK_SEQPACKET). See
/// message_socket; a receive that gives 0 bytes is the end, so send no empty messages.
class local_packets : public message_socket {
public:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit local_packets(int descriptor) : message_socket(descriptor) {}

    /// Connects. While the listener's backlog is full tries again every 1 to 50 ms. Dropped: the descriptor
    /// is closed.
    [[nodiscard]] static task<local_packets> connect(eddy::local_endpoint to);

    /// Where its peer is; unnamed if that was not bound. Throws std::system_error.
    [[nodiscard]] eddy::local_endpoint remote_endpoint() const;
    /// Who connected, or listened, at the other end at that time. Throws std::system_error.
    [[nodiscard]] peer_credentials credentials() const;
};

}  // namespace eddy
