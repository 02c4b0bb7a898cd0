#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/socket_stream.hpp>

#include <cstddef>
#include <optional>

namespace eddy {

/// How a connection is made. Setters chain.
class connect_options {
public:
    connect_options() noexcept = default;

    /// The endpoint from which it is made, of the same family; port 0: a free one. The system's choice by
    /// default.
    connect_options& from(const endpoint& own) noexcept {
        own_ = own;
        return *this;
    }
    /// Where the system knows from earlier connections that the peer supports it, connecting does not wait,
    /// and the first write is sent with the SYN (TCP Fast Open, tcp(7)); an error of connecting is then
    /// reported by that write. The peer may see that write twice. Requires: the first operation on the
    /// connection is a write of at least a byte.
    connect_options& fast_open(bool is_on) noexcept {
        fast_open_ = is_on;
        return *this;
    }

    [[nodiscard]] const std::optional<endpoint>& from() const noexcept { return own_; }
    [[nodiscard]] bool fast_open() const noexcept { return fast_open_; }

private:
    std::optional<endpoint> own_;
    bool fast_open_ = false;
};

/// A TCP connection: a socket_stream, which says how it is read, written and closed.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety and errors: as socket_stream.
/// - Options: TCP_NODELAY is on.
class tcp_stream : public socket_stream {
public:
    /// Takes over a connected socket. Requires: the caller is on a worker.
    explicit tcp_stream(int descriptor) : socket_stream(descriptor) {}

    /// Connects. Throws std::system_error. Dropped: the descriptor is closed, and with it a connection that
    /// had come about.
    [[nodiscard]] static task<tcp_stream> connect(endpoint to, connect_options options = {});

    /// Lets write_all() send bytes that it owns without a copy if they are more than this, where the backend
    /// can (io_uring; epoll copies). The system keeps them until the peer has acknowledged them. Off by
    /// default: over the loopback the bytes are copied all the same, so that it only costs; over a network
    /// card it pays from some ten kilobytes on: measure.
    void set_zero_copy_above(std::size_t bytes) noexcept { state().zero_copy_above = bytes; }

    /// Throws std::system_error, for a connection that has ended too.
    [[nodiscard]] endpoint local_endpoint() const;
    /// The endpoint of the peer. Throws std::system_error.
    [[nodiscard]] endpoint remote_endpoint() const;
};

}  // namespace eddy
