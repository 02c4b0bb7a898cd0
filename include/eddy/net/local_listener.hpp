#pragma once

#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/net/detail/awaited_accept.hpp>
#include <eddy/net/detail/socket_file.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/message_socket.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>

namespace eddy {

/// How a local listener is made. Setters chain.
class local_listen_options {
public:
    local_listen_options() noexcept = default;

    /// Permission bits of the socket's file, which connecting needs to write to: 0600 for the user alone,
    /// 0666 for all. -1, the default: what the umask leaves.
    local_listen_options& mode(int bits) noexcept {
        mode_ = bits;
        return *this;
    }
    /// Connections that may wait to be accepted. 0, the default: the system's maximum.
    local_listen_options& backlog(int connections) noexcept {
        backlog_ = connections;
        return *this;
    }

    [[nodiscard]] int mode() const noexcept { return mode_; }
    [[nodiscard]] int backlog() const noexcept { return backlog_; }

private:
    int mode_ = -1;
    int backlog_ = 0;
};

namespace detail {

/// What listeners for every kind of local connection have in common.
class local_listening {
public:
    local_listening(io::socket_kind kind, const local_endpoint& at, const local_listen_options& options);

    [[nodiscard]] listener_state& state() const noexcept { return detail::owned_state(state_); }
    [[nodiscard]] local_endpoint bound_to() const;
    [[nodiscard]] std::uint64_t shortages() const noexcept;
    void close() noexcept;

private:
    socket_file file_;
    std::unique_ptr<listener_state, listener_state_end> state_;
};

}  // namespace detail

/// Accepts connections to an address on this machine. `Connection`: local_stream or local_packets.
///
/// - Ownership: moves, does not copy. Destroying it closes it and the connections that were not accepted, and
///   removes its file if that is still its own.
/// - Thread safety: none; it belongs to the worker on which it was made. One accept at a time.
/// - Errors: as tcp_listener.
template <class Connection>
class basic_local_listener {
public:
    /// Binds and listens; unnamed: at a free abstract name. An existing socket file without a listening
    /// process (it has ended without removing it) is removed; that is checked by connecting to it. Of two
    /// processes that do so at the same moment one may lose its file to the other. Throws std::system_error,
    /// whose message names the endpoint. Touches the file system. Requires: the caller is on a worker.
    [[nodiscard]] static basic_local_listener bind(const eddy::local_endpoint& at,
                                                   const local_listen_options& options = {}) {
        return basic_local_listener(at, options);
    }

    /// Waits for a connection. Dropped: one that has arrived stays for the next accept.
    [[nodiscard]] detail::awaited_accept<Connection> accept() noexcept {
        return detail::awaited_accept<Connection>(listening_.state());
    }
    /// The same as a sequence, as of tcp_listener: ends once the listener is closed. Dropped: a connection
    /// that has arrived stays for the next accept.
    [[nodiscard]] detail::awaited_next_connection<Connection> next() noexcept {
        return detail::awaited_next_connection<Connection>(listening_.state());
    }

    /// The address that it is bound to, also when that was chosen by the system.
    [[nodiscard]] eddy::local_endpoint local_endpoint() const { return listening_.bound_to(); }

    /// As of tcp_listener.
    [[nodiscard]] std::uint64_t shortages() const noexcept { return listening_.shortages(); }

    /// Closes it: an accept of another task ends with operation_canceled.
    void close() noexcept { listening_.close(); }

private:
    static constexpr io::socket_kind kind =
        std::is_same_v<Connection, local_packets> ? io::socket_kind::packets : io::socket_kind::stream;

    basic_local_listener(const eddy::local_endpoint& at, const local_listen_options& options)
        : listening_(kind, at, options) {}

    detail::local_listening listening_;
};

/// Accepts streams of local sockets.
using local_listener = basic_local_listener<local_stream>;
/// Accepts connections that keep messages apart.
using local_packet_listener = basic_local_listener<local_packets>;

}  // namespace eddy
