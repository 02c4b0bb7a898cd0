#pragma once

#include <eddy/net/local_datagram.hpp>
#include <eddy/net/local_packets.hpp>
#include <eddy/net/local_stream.hpp>

#include <utility>

namespace eddy {

/// Two local sockets of this worker that are connected with each other. Throw std::system_error. Require: the
/// caller is on a worker.
[[nodiscard]] std::pair<local_stream, local_stream> socket_pair();
[[nodiscard]] std::pair<local_datagram, local_datagram> datagram_pair();
[[nodiscard]] std::pair<local_packets, local_packets> packet_pair();

}  // namespace eddy
