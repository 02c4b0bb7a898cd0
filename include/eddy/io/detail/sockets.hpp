#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/io/message.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace eddy::io {

enum class socket_option : std::uint8_t {
    no_delay,
    keep_alive,
    reuse_address,
    reuse_port,
    ipv6_only,
    receive_buffer_bytes,
    send_buffer_bytes,
    user_timeout_ms,
    unsent_bytes_max,  ///< of TCP: what writes may add to what cannot be sent yet; 0: as configured
    linger_s,  ///< what close does with bytes that were not sent yet; -1: sends them, 0: drops them (a reset)

    keep_alive_idle_s,      ///< how long a connection is silent before it is probed
    keep_alive_interval_s,  ///< between two probes
    keep_alive_probes,      ///< unanswered ones that end it
    fast_open_backlog,      ///< a listener's: connections that begin with data
    bind_address_no_port,   ///< binding to port 0 leaves the choice of a port to connecting
    fast_open_connect,      ///< the first write goes with the connection's beginning
    broadcast,
    hops_max,  ///< of unicast, for the socket's family
    multicast_hops_max,
    multicast_loopback,
    multicast_interface,  ///< by index, 0: the system's choice
    receive_segments,     ///< UDP: datagrams of one sender may be put together (GRO)
    pass_credentials,     ///< local: messages come with their sender's credentials
};

/// What goes over a socket.
enum class socket_kind : std::uint8_t {
    stream,
    datagram,
    packets,  ///< messages over a connection, in order (SOCK_SEQPACKET)
};

/// Which file it is, whatever it is called.
struct file_identity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    friend bool operator==(const file_identity&, const file_identity&) noexcept = default;
};

/// The result of send_file() when it would have to wait for the device.
inline constexpr std::int64_t not_in_memory = std::numeric_limits<std::int64_t>::min();

/// The calls on sockets that never wait. Results as of operations: errors are negative error numbers. Sockets
/// that are opened here are made for the worker's backend, and closed by it.
///
/// Thread safety: belongs to the worker's thread.
class sockets {
public:
    sockets() = default;
    sockets(const sockets&) = delete;
    sockets& operator=(const sockets&) = delete;

    /// A stream socket.
    [[nodiscard]] virtual int open_socket(endpoint::family family) noexcept = 0;
    [[nodiscard]] virtual int bind(int descriptor, const endpoint& to) noexcept = 0;
    /// Listens with a backlog; 0 is the system's maximum.
    [[nodiscard]] virtual int listen(int descriptor, int backlog) noexcept = 0;
    /// Makes a stream socket that listens already, and was made elsewhere, one of this worker's; EINVAL if
    /// it does not listen.
    [[nodiscard]] virtual int adopt_listening(int descriptor) noexcept = 0;
    [[nodiscard]] virtual int set_option(int descriptor, socket_option option, int value) noexcept = 0;
    [[nodiscard]] virtual int get_option(int descriptor, socket_option option, int& value) noexcept = 0;
    [[nodiscard]] virtual int local_endpoint(int descriptor, endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int remote_endpoint(int descriptor, endpoint& out) noexcept = 0;

    // -- the same, for sockets that are not TCP's --

    [[nodiscard]] virtual int open_datagram_socket(endpoint::family family) noexcept = 0;
    [[nodiscard]] virtual int open_local_socket(socket_kind kind) noexcept = 0;
    [[nodiscard]] virtual int open_local_pair(socket_kind kind, int& first, int& second) noexcept = 0;
    /// Sets the peer of a datagram socket.
    [[nodiscard]] virtual int connect_datagrams(int descriptor, const endpoint& to) noexcept = 0;
    /// Connects a local socket. EAGAIN: the listener's backlog is full, or the datagram peer is another's.
    [[nodiscard]] virtual int connect_local(int descriptor, const eddy::local_endpoint& to) noexcept = 0;
    /// With permission bits for the socket's file, or -1 for those that the umask leaves.
    [[nodiscard]] virtual int bind_local(int descriptor, const eddy::local_endpoint& to,
                                         int mode) noexcept = 0;
    [[nodiscard]] virtual int local_name(int descriptor, eddy::local_endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int remote_name(int descriptor, eddy::local_endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int credentials_of_peer(int descriptor, peer_credentials& out) noexcept = 0;
    /// Which file a path names; ENOTSOCK if it is no socket's.
    [[nodiscard]] virtual int identify_socket_file(const char* path, file_identity& out) noexcept = 0;
    /// Whether a socket of this network namespace is bound to the file, listening or not: 1 or 0, or an error
    /// where the system does not report it.
    [[nodiscard]] virtual int is_socket_bound(const eddy::local_endpoint& at,
                                              const file_identity& which) noexcept = 0;
    /// Removes it if it is still that file.
    [[nodiscard]] virtual int remove_socket_file(const char* path, const file_identity& which) noexcept = 0;
    /// Joins (or leaves) a multicast group, of one source if it is not null, on an interface, by index; 0:
    /// the system's choice. Having joined one, a socket hears no group that it has not joined itself.
    [[nodiscard]] virtual int set_membership(int descriptor, const endpoint& group, const endpoint* source,
                                             unsigned interface, bool is_member) noexcept = 0;
    /// The index of an interface; ENODEV.
    [[nodiscard]] virtual int interface_index(const char* name) noexcept = 0;
    /// Sends (receives) as many of the messages as can be without waiting: their number, or EAGAIN if there
    /// is none. An error after the first message is left to the next call. At most 64 at once.
    [[nodiscard]] virtual int send_messages(int descriptor, std::span<message> sent) noexcept = 0;
    [[nodiscard]] virtual int receive_messages(int descriptor, std::span<message> received) noexcept = 0;

    // -- files over connections --

    /// Sends bytes in memory, and behind them bytes of a file, which stay in the kernel, over a connection.
    /// Returns how many it has sent in all, some at least, or an error as a negative number: -EAGAIN if the
    /// connection takes none, -EINVAL where the system does not move bytes between these descriptors,
    /// not_in_memory. 0: `first` is empty and the file ends before `offset`.
    ///
    /// - Never waits for the connection, whatever mode its descriptor is in; nor, with rare exceptions, for
    ///   the device: it checks in several places that the file's pages are cached; pages that are evicted
    ///   just then are read again. Raises no signal.
    /// - Cost: for 1 MiB ten system calls, of which one does the work.
    ///
    /// Requires: `size` is not 0. The connection is used by the calling thread only, and is not in the middle
    /// of another write.
    [[nodiscard]] virtual std::int64_t send_file(int connection, std::string_view first, int file,
                                                 std::uint64_t offset, std::uint64_t size) noexcept = 0;

protected:
    ~sockets() = default;
};

}  // namespace eddy::io
