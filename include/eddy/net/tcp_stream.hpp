#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/socket_stream.hpp>

namespace eddy {

/// A TCP connection: a socket_stream, which says how it is read, written and closed.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety and errors: as socket_stream.
/// - Options: TCP_NODELAY is on.
class tcp_stream : public socket_stream {
public:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit tcp_stream(int descriptor) : socket_stream(descriptor) {}

    /// Connects. Dropped: the descriptor is closed, and with it a connection that had come about.
    [[nodiscard]] static task<tcp_stream> connect(endpoint to);

    /// Throws std::system_error, for a connection that has ended too.
    [[nodiscard]] endpoint local_endpoint() const;
    [[nodiscard]] endpoint remote_endpoint() const;
};

}  // namespace eddy
