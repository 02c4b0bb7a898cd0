#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/io/buffer_pool.hpp>
#include <eddy/io/eagerness.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/io/file_status.hpp>
#include <eddy/io/file_system.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/io/message.hpp>
#include <eddy/io/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

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

/// What an attempt gives when it has done nothing. No error number is that large.
inline constexpr std::int32_t not_now = std::numeric_limits<std::int32_t>::min();

/// Counters of a backend, readable by any thread; each only grows.
struct backend_metrics {
    std::uint64_t kernel_entries = 0;  ///< system calls that submit, reap, wait or transfer
    std::uint64_t submitted = 0;       ///< operations begun
    std::uint64_t completions = 0;
    std::uint64_t withdrawn = 0;  ///< operations taken back
    std::uint64_t starved = 0;    ///< receives that found every buffer in use
};

/// What carries operations out. One instance a worker; the seam between eddy and the operating system.
///
/// Thread safety: belongs to the thread that made it, except wake().
class backend {
public:
    backend() = default;
    backend(const backend&) = delete;
    backend& operator=(const backend&) = delete;
    virtual ~backend() = default;

    [[nodiscard]] virtual const char* name() const noexcept = 0;

    // -- operations --

    /// Carries out a transfer or a shutdown now, if the system can do so without waiting and that promises to
    /// be cheaper than submit(). Gives the result (of a send or write with `whole` perhaps that of a part),
    /// or `not_now`: nothing was done. `hope` belongs to those who try the same again and again. Requires:
    /// the operation is idle, as it stays.
    [[nodiscard]] virtual std::int32_t try_now(operation& asked, eagerness& hope, occasion when) noexcept {
        static_cast<void>(asked);
        static_cast<void>(hope);
        static_cast<void>(when);
        return not_now;
    }

    /// Begins an operation. Never fails: what cannot be done is reported by the completion, which never comes
    /// inside this call. Requires: the operation is idle.
    virtual void submit(operation& begun) noexcept = 0;

    /// Takes an operation back. When this returns the operation is idle, the system has forgotten it and its
    /// completed function will not be called. Gives the result of the completion that was overtaken: the
    /// result of a success that won the race, or -ECANCELED. Completions of other operations are reported on
    /// the way. Requires: the operation is under way and single-shot, and its result has not been reported.
    virtual std::int32_t withdraw(operation& ended) noexcept = 0;

    /// Asks for the end of an operation, which is reported by its last completion in a later turn. Nothing
    /// happens if the operation is idle.
    virtual void cancel(operation& ended) noexcept = 0;

    /// Enters the system at most once to submit, reap and, if nothing has completed, wait: for `wait` at the
    /// most, for ever if it has no value. Does not enter it where it need not wait and knows that there is
    /// nothing to do.
    virtual void turn(std::optional<duration> wait) noexcept = 0;

    /// Ends a wait in turn(), now or the next. Any thread.
    virtual void wake() noexcept = 0;
    /// The same, from a worker with a backend of the same kind, where there may be a cheaper way.
    virtual void wake_from([[maybe_unused]] backend& sender) noexcept { wake(); }

    /// For a loop of somebody else's: becomes readable when turn() would find something that has come since
    /// it was called last, now and then also for nothing. Stays the backend's. Throws std::system_error.
    [[nodiscard]] virtual int descriptor() = 0;

    /// Ends every operation and reports all last completions. Called once, before the destructor.
    virtual void drain() noexcept = 0;

    [[nodiscard]] virtual buffer_pool& buffers() noexcept = 0;
    [[nodiscard]] virtual backend_metrics metrics() const noexcept = 0;
    /// How many of the submitted operations have not reported their last completion. Found by walking: for
    /// tools that test.
    [[nodiscard]] virtual std::size_t count_under_way() noexcept = 0;

    // -- calls that never wait; results as of operations --

    [[nodiscard]] virtual time_point now() const noexcept = 0;
    /// Nanoseconds since 1970-01-01, by the wall clock.
    [[nodiscard]] virtual std::int64_t wall_clock_ns() const noexcept = 0;
    /// Nanoseconds since the machine was started, those in which it was suspended included.
    [[nodiscard]] virtual std::int64_t boot_clock_ns() const noexcept = 0;
    /// A descriptor that becomes readable when the wall clock is set or the machine has been suspended, and
    /// stays so until renew_clock_changes().
    [[nodiscard]] virtual int open_clock_changes() noexcept = 0;
    [[nodiscard]] virtual int renew_clock_changes(int descriptor) noexcept = 0;
    /// For tools that test: lets this backend believe that its clocks have jumped ahead (or back) by so much,
    /// as the system would report it.
    virtual void shift_clocks(duration wall, duration boot) noexcept = 0;
    /// A stream socket.
    [[nodiscard]] virtual int open_socket(endpoint::family family) noexcept = 0;
    [[nodiscard]] virtual int bind(int descriptor, const endpoint& to) noexcept = 0;
    /// Listens with a backlog; 0 is the system's maximum.
    [[nodiscard]] virtual int listen(int descriptor, int backlog) noexcept = 0;
    /// Makes a stream socket that listens already, and was made elsewhere, one of this backend's; EINVAL if
    /// it does not listen.
    [[nodiscard]] virtual int adopt_listening(int descriptor) noexcept = 0;
    [[nodiscard]] virtual int set_option(int descriptor, socket_option option, int value) noexcept = 0;
    [[nodiscard]] virtual int get_option(int descriptor, socket_option option, int& value) noexcept = 0;
    [[nodiscard]] virtual int local_endpoint(int descriptor, endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int remote_endpoint(int descriptor, endpoint& out) noexcept = 0;
    /// Opens a folder by its path, as a root for open_beneath.
    [[nodiscard]] virtual int open_folder(const char* path) noexcept = 0;
    [[nodiscard]] virtual int status_of(int descriptor, file_status& out) noexcept = 0;
    /// A descriptor that becomes readable when one of the signals arrives. They are blocked for this thread.
    [[nodiscard]] virtual int open_signals(std::span<const int> signals) noexcept = 0;

    // -- the same, for sockets that are not TCP's --

    [[nodiscard]] virtual int open_datagram_socket(endpoint::family family) noexcept = 0;
    [[nodiscard]] virtual int open_local_socket(socket_kind kind) noexcept = 0;
    [[nodiscard]] virtual int open_local_pair(socket_kind kind, int& first, int& second) noexcept = 0;
    /// Sets the peer of a datagram socket.
    [[nodiscard]] virtual int connect_datagrams(int descriptor, const endpoint& to) noexcept = 0;
    /// Connects a local socket. EAGAIN: the listener's backlog is full, or the datagram peer is another's.
    [[nodiscard]] virtual int connect_local(int descriptor, const eddy::local_endpoint& to) noexcept = 0;
    /// With permission bits for the socket's file, or -1 for those that the process gives (umask).
    [[nodiscard]] virtual int bind_local(int descriptor, const eddy::local_endpoint& to,
                                         int mode) noexcept = 0;
    [[nodiscard]] virtual int local_name(int descriptor, eddy::local_endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int remote_name(int descriptor, eddy::local_endpoint& out) noexcept = 0;
    [[nodiscard]] virtual int credentials_of_peer(int descriptor, peer_credentials& out) noexcept = 0;
    /// Which file a path names; ENOTSOCK if it is no socket's.
    [[nodiscard]] virtual int identify_socket_file(const char* path, file_identity& out) noexcept = 0;
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

    /// A pipe's reading and writing end.
    [[nodiscard]] virtual int open_pipe(int& reading, int& writing) noexcept = 0;
    /// Closes a descriptor, at the latest with the next turn; where a thread is in a call on it (a file),
    /// when that call has ended. Never waits. Requires: what is under way on it was cancelled.
    virtual void close(int descriptor) noexcept = 0;
    /// Forgets what is known of a descriptor that becomes somebody else's, open. Requires: nothing is under
    /// way on it.
    virtual void forget([[maybe_unused]] int descriptor) noexcept {}

    // -- files --

    /// Lets calls on a descriptor that open has given wait, which opening it must not.
    virtual void make_blocking(int descriptor) noexcept = 0;
    /// The calls on files and folders that may wait for a device, for threads that may.
    [[nodiscard]] virtual file_system& files() noexcept = 0;
};

}  // namespace eddy::io
