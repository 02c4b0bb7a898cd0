#pragma once

#include <eddy/io/detail/owned_state.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/plain_descriptor.hpp>
#include <eddy/net/detail/awaited_accept.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace eddy {

/// How a tcp_listener is made. Setters chain.
class listen_options {
public:
    listen_options() noexcept = default;

    /// Several listeners, one a worker, may share the port; the system spreads connections (SO_REUSEPORT).
    listen_options& reuse_port(bool is_on) noexcept {
        reuse_port_ = is_on;
        return *this;
    }
    /// Connections that may wait to be accepted. 0, the default: the system's maximum.
    listen_options& backlog(int connections) noexcept {
        backlog_ = connections;
        return *this;
    }
    /// An IPv6 listener takes IPv6 only; on by default, so that it means the same everywhere.
    listen_options& ipv6_only(bool is_on) noexcept {
        ipv6_only_ = is_on;
        return *this;
    }

    /// Connections that may begin with data before they are established (TCP Fast Open, tcp(7)). 0: none.
    listen_options& fast_open_backlog(int connections) noexcept {
        fast_open_backlog_ = connections;
        return *this;
    }

    /// About how many bytes the system queues on a connection that cannot be sent yet (TCP_NOTSENT_LOWAT,
    /// tcp(7)); socket_stream::set_option() sets it for a single one. With few bytes, for example 16 KiB,
    /// slow peers hold less of the system's memory, and large responses leave in smaller steps, on the
    /// connection's own worker instead of the processor that handles acknowledgements: measure which of the
    /// two is better. 0, the default: as configured for the system (net.ipv4.tcp_notsent_lowat), mostly all
    /// that fits the send buffer.
    listen_options& unsent_bytes_max(std::uint32_t bytes) noexcept {
        unsent_bytes_max_ = bytes;
        return *this;
    }

    [[nodiscard]] bool reuse_port() const noexcept { return reuse_port_; }
    [[nodiscard]] int backlog() const noexcept { return backlog_; }
    [[nodiscard]] bool ipv6_only() const noexcept { return ipv6_only_; }
    [[nodiscard]] int fast_open_backlog() const noexcept { return fast_open_backlog_; }
    [[nodiscard]] std::uint32_t unsent_bytes_max() const noexcept { return unsent_bytes_max_; }

private:
    bool reuse_port_ = false;
    int backlog_ = 0;
    bool ipv6_only_ = true;
    int fast_open_backlog_ = 0;
    std::uint32_t unsent_bytes_max_ = 0;
};

/// Accepts TCP connections.
///
/// - Ownership: moves, does not copy. Destroying it closes it and the connections that were not accepted;
///   its port is free then. The runtime outlives it.
/// - Thread safety: none; it belongs to the worker on which it was made. One accept at a time. In every
///   build, a second one, one on another worker, using a listener that was moved from, and one that is open
///   when its runtime ends, end the program with a message.
/// - Errors: a connection that was reset before it was accepted is passed over. While descriptors or memory
///   are short accept() keeps waiting and tries again every 20 ms; shortages() counts that. An accept under
///   way when close() is called by another task ends with operation_canceled.
/// - Accepted connections have TCP_NODELAY on.
class tcp_listener {
public:
    /// Binds and listens. Throws std::system_error, whose message names the endpoint. Requires: the caller is
    /// on a worker.
    [[nodiscard]] static tcp_listener bind(const endpoint& at, const listen_options& options = {});

    /// Takes over a socket that listens already: what release() gave, on another worker say, or what the
    /// program was started with (sd_listen_fds(3)). Its options stay as they are, but for TCP_NODELAY.
    /// Throws std::system_error, and closes it: invalid_argument if it does not listen, and other errors if
    /// it is no socket of TCP's. Requires: the caller is on a worker.
    [[nodiscard]] static tcp_listener adopt(io::plain_descriptor listening);

    /// Waits for a connection. Dropped: one that has arrived stays for the next accept.
    [[nodiscard]] detail::awaited_accept<tcp_stream> accept() noexcept {
        return detail::awaited_accept<tcp_stream>(detail::owned_state(state_));
    }

    /// The same as a sequence: ends once the listener is closed, by close() called here or by another task
    /// while this waits, and otherwise throws what accept() throws.
    ///
    ///     while (auto client = co_await listener.next())
    ///         sessions.spawn(serve(std::move(*client)));
    ///
    /// Dropped: a connection that has arrived stays for the next accept.
    [[nodiscard]] detail::awaited_next_connection<tcp_stream> next() noexcept {
        return detail::awaited_next_connection<tcp_stream>(detail::owned_state(state_));
    }

    /// The endpoint that it is bound to, with the port that the system chose for 0.
    [[nodiscard]] endpoint local_endpoint() const;

    /// How often a connection could not be taken in because descriptors or memory were short. Only grows.
    [[nodiscard]] std::uint64_t shortages() const noexcept;

    /// `told` is called each time that shortages() grows, between tasks, for a program that can free some:
    /// the next try comes 20 ms later. An empty function unsets it. Requires: it does not throw, await, or
    /// use the listener.
    void on_shortage(std::function<void()> reported);

    /// Closes it: an accept of another task ends with operation_canceled.
    void close() noexcept;

    /// Releases the listening socket, with the connections that wait in it; this listener is then closed. The
    /// socket may move to any thread, and adopt() makes a listener of it on its worker. Requires: nothing was
    /// accepted here yet, nor awaited.
    [[nodiscard]] io::plain_descriptor release() noexcept;

private:
    explicit tcp_listener(detail::listener_state* state) noexcept : state_(state) {}

    std::unique_ptr<detail::listener_state, detail::listener_state_end> state_;
};

}  // namespace eddy
