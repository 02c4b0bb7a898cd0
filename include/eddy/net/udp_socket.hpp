#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_state.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/datagram_batch.hpp>
#include <eddy/net/detail/datagram_state.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eddy {

/// How a udp_socket is made. Setters chain.
class udp_options {
public:
    udp_options() noexcept = default;

    /// Several sockets may have the port, for multicast.
    udp_options& reuse_address(bool is_on) noexcept {
        reuse_address_ = is_on;
        return *this;
    }
    /// Several sockets, one a worker, share the port; the system spreads senders (SO_REUSEPORT).
    udp_options& reuse_port(bool is_on) noexcept {
        reuse_port_ = is_on;
        return *this;
    }
    /// An IPv6 socket takes IPv6 only; on by default, so that it means the same everywhere.
    udp_options& ipv6_only(bool is_on) noexcept {
        ipv6_only_ = is_on;
        return *this;
    }

    [[nodiscard]] bool reuse_address() const noexcept { return reuse_address_; }
    [[nodiscard]] bool reuse_port() const noexcept { return reuse_port_; }
    [[nodiscard]] bool ipv6_only() const noexcept { return ipv6_only_; }

private:
    bool reuse_address_ = false;
    bool reuse_port_ = false;
    bool ipv6_only_ = true;
};

/// A UDP socket.
///
/// - Ownership: moves, does not copy. Destroying it closes it; it outlives the operations on it.
/// - Thread safety: none; it belongs to the worker on which it was made. One receive at a time (of any form)
///   and any number of sends, by the same or different tasks. In every build, an operation on another worker, a
///   second receive, using one that was moved from, and one that is open when its runtime ends, end the
///   program with a message.
/// - Errors: operations throw std::system_error, or return it through as_result(). A connected socket learns
///   from the network that its peer's port is closed: the next operation then ends with connection_refused,
///   once. Operations under way when close() is called by another task end with operation_canceled.
/// - Datagrams that the network or a full receive buffer drops are dropped: UDP promises nothing.
class udp_socket : public detail::state_owner<detail::datagram_state> {
public:
    /// A datagram and its sender.
    using received = received_from<endpoint>;

    /// A socket at an endpoint; port 0: a free one. Throws std::system_error, whose message names the
    /// endpoint. Requires: the caller is on a worker.
    [[nodiscard]] static udp_socket bind(const endpoint& at, const udp_options& options = {});
    /// A socket at a free port, with a peer. As bind().
    [[nodiscard]] static udp_socket connected_to(const endpoint& peer);

    /// Sets the peer, to which send() sends and from which alone anything is received; it may be set again.
    /// Does not wait. Throws std::system_error.
    void connect(const endpoint& peer);

    /// Waits for a datagram and puts it into `out`; reports its sender and whether it was longer. A datagram
    /// may be empty. Dropped: one that had arrived is returned by the next receive (or, if there is no memory
    /// to keep it, not_enough_memory). Requires: `out` stays until then.
    [[nodiscard]] detail::awaited_datagram<endpoint> receive_from(std::span<std::byte> out) noexcept {
        return {here(), out};
    }
    /// The same, for a socket with a peer; returns only the number of bytes.
    [[nodiscard]] detail::awaited_datagram_size<endpoint> receive(std::span<std::byte> out) noexcept {
        return {here(), out};
    }
    /// Waits for a datagram, then takes as many as are there and fit in one system call. Returns their
    /// number. Dropped: nothing was taken. Requires: the batch stays until then.
    [[nodiscard]] task<std::size_t> receive_batch(datagram_batch& batch);

    /// Sends one datagram to an endpoint, or to the peer. Returns its size. A datagram that is too long is
    /// refused (message_size). Dropped: it was sent or not. Requires: `bytes` stays until then.
    [[nodiscard]] detail::awaited_datagram_send send_to(std::span<const std::byte> bytes,
                                                        const endpoint& to) noexcept {
        return {here(), bytes, to};
    }
    /// Sends a datagram to the connected peer. Dropped: it was sent or not.
    [[nodiscard]] detail::awaited_datagram_send send(std::span<const std::byte> bytes) noexcept {
        return {here(), bytes};
    }
    /// Sends datagrams with one system call for up to 64 of them. An error ends it, after which an unknown
    /// number from the front has been sent. Dropped: as with an error. Requires: `sent` and what it refers to
    /// stay until then.
    [[nodiscard]] task<> send_batch(std::span<const outgoing_datagram> sent);
    /// Cuts the bytes into datagrams of `segment_bytes`, the last of which may be shorter, which the system
    /// (or the network card) does where it can (GSO). Dropped and errors: as send_batch(). Requires:
    /// segment_bytes > 0, and `bytes` stay until then.
    [[nodiscard]] task<> send_segments(std::span<const std::byte> bytes, std::uint16_t segment_bytes,
                                       endpoint to);
    /// Lets the system join datagrams of one sender (GRO): see segment_bytes of what is received.
    /// Throws std::system_error where the system cannot.
    void receive_segments(bool is_on);

    /// Joins or leaves a multicast group on an interface, by its index; 0: the one that the system chooses.
    /// Having joined one, it hears no group that it has not joined itself, as it would otherwise those of
    /// other sockets at its port. Throws std::system_error. Requires: the group is of the socket's family.
    void join(const endpoint& group, unsigned interface = 0);
    /// Leaves a group that it joined. Throws std::system_error.
    void leave(const endpoint& group, unsigned interface = 0);
    /// The same for what one source sends to the group (source-specific multicast, RFC 4607); a group may be
    /// joined for several sources. The port of the source does not matter. Requires: both are of the socket's
    /// family.
    void join_source(const endpoint& group, const endpoint& source, unsigned interface = 0);
    /// Leaves a group that it joined for one source. Throws std::system_error.
    void leave_source(const endpoint& group, const endpoint& source, unsigned interface = 0);

    /// Closes the socket. What other tasks wait for on it ends with operation_canceled.
    void close() noexcept { state().close(); }

    /// Throws std::system_error.
    [[nodiscard]] endpoint local_endpoint() const;
    /// The connected peer. Throws std::system_error.
    [[nodiscard]] endpoint remote_endpoint() const;

    /// Socket options (socket(7), udp(7), ip(7), ipv6(7)): broadcast, hops_max, multicast_hops_max,
    /// multicast_loopback, multicast_interface, buffer sizes. Throws std::system_error.
    void set_option(io::socket_option option, int value);
    /// The value of an option of the socket. Throws std::system_error.
    [[nodiscard]] int get_option(io::socket_option option) const;

private:
    explicit udp_socket(std::unique_ptr<detail::datagram_state> state) noexcept
        : state_owner(std::move(state)) {}
};

/// The index of an interface by its name, for join(), multicast_interface and scopes. Throws
/// std::system_error (no_such_device). Requires: the caller is on a worker.
[[nodiscard]] unsigned interface_index(const char* name);

}  // namespace eddy
