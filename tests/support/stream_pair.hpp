#pragma once

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <utility>

namespace eddy::test {

/// Both ends of a connection.
class stream_pair {
public:
    stream_pair(tcp_stream accepted, tcp_stream connected) noexcept
        : server(std::move(accepted)), client(std::move(connected)) {}
    stream_pair(stream_pair&&) noexcept = default;
    stream_pair& operator=(stream_pair&&) noexcept = default;
    ~stream_pair() = default;

    tcp_stream server;
    tcp_stream client;
};

/// Two streams of this worker that are connected with each other. Made one after the other, the system's
/// backlog holding the first, so that nobody waits for one that could not be made.
inline task<stream_pair> connected_streams() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    tcp_stream connected = co_await tcp_stream::connect(listener.local_endpoint());
    tcp_stream accepted = co_await listener.accept();
    co_return stream_pair(std::move(accepted), std::move(connected));
}

}  // namespace eddy::test
