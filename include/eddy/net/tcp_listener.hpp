#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/net/awaited_accept.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstdint>
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

    [[nodiscard]] bool reuse_port() const noexcept { return reuse_port_; }
    [[nodiscard]] int backlog() const noexcept { return backlog_; }
    [[nodiscard]] bool ipv6_only() const noexcept { return ipv6_only_; }
    [[nodiscard]] int fast_open_backlog() const noexcept { return fast_open_backlog_; }

private:
    bool reuse_port_ = false;
    int backlog_ = 0;
    bool ipv6_only_ = true;
    int fast_open_backlog_ = 0;
};

/// Takes in TCP connections.
///
/// - Ownership: moves, does not copy. Destroying it closes it and the connections that nobody has accepted.
/// - Thread safety: none; it belongs to the worker on which it was made. One accept at a time.
/// - Errors: a connection that was reset before it was accepted is passed over. While descriptors or memory
///   are short accept() goes on waiting and tries again every 20 ms; shortages() tells. An accept under way
///   when close() is called by another task ends with operation_canceled.
/// - Accepted connections have TCP_NODELAY on.
class tcp_listener {
public:
    /// Binds and listens. Throws std::system_error, whose message names the endpoint. Requires: the caller is
    /// on a worker.
    [[nodiscard]] static tcp_listener bind(const endpoint& at, const listen_options& options = {});

    /// Waits for a connection. Dropped: one that has arrived stays for the next accept.
    [[nodiscard]] detail::awaited_accept<tcp_stream> accept() noexcept {
        return detail::awaited_accept<tcp_stream>(*state_);
    }

    /// The same as a sequence: gives nothing once the listener is closed, by close() called here or by
    /// another task while this waits, and throws whatever else accept() throws.
    ///
    ///     while (auto client = co_await listener.next())
    ///         sessions.spawn(serve(std::move(*client)));
    [[nodiscard]] detail::awaited_next_connection<tcp_stream> next() noexcept {
        return detail::awaited_next_connection<tcp_stream>(*state_);
    }

    /// Where it listens; tells the port when 0 was asked for.
    [[nodiscard]] endpoint local_endpoint() const;

    /// How often a connection could not be taken in because descriptors or memory were short. Only grows.
    [[nodiscard]] std::uint64_t shortages() const noexcept;

    void close() noexcept;

private:
    explicit tcp_listener(detail::listener_state* state) noexcept : state_(state) {}

    std::unique_ptr<detail::listener_state, detail::listener_state_end> state_;
};

}  // namespace eddy
