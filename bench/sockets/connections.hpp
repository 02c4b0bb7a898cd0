#pragma once

#include "sockets/works.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

// All of them throw std::system_error. Descriptors are in blocking mode.

// The two ends of a connection: TCP over loopback with TCP_NODELAY, or local sockets.
std::pair<int, int> connected_pair(transport over);
std::vector<std::pair<int, int>> connected_pairs(transport over, std::size_t count);
// Two UDP sockets on loopback, each with the other as its peer.
std::pair<int, int> datagram_pair();
// The reading and the writing end.
std::pair<int, int> pipe_pair();

// A TCP listener at a free port of loopback, whose connections have TCP_NODELAY.
struct listening {
    int descriptor;
    std::uint16_t port;
};
listening listen_on_loopback();
// A TCP socket as the connecting ends of churn have it: TCP_NODELAY, and reset when it is closed.
int churn_socket(int type_flags);
// Requires: a socket of churn_socket(). Gives what connect(2) gives.
int connect_to_loopback(int socket, std::uint16_t port);

}  // namespace bench
