#include "backend/posix/posix_sockets.hpp"

#include "backend/posix/bound_sockets.hpp"
#include "backend/posix/file_sending.hpp"
#include "backend/posix/native_address.hpp"
#include "backend/posix/native_endpoint.hpp"
#include "backend/posix/native_message.hpp"
#include "backend/posix/system_call.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <net/if.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace eddy::backends {

namespace {

struct native_option {
    int level;
    int name;
};

int domain_of(int descriptor) noexcept {
    int domain = AF_UNSPEC;
    socklen_t size = sizeof(domain);
    ::getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    return domain;
}

int type_of(int descriptor) noexcept {
    int type = 0;
    socklen_t size = sizeof(type);
    ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size);
    return type;
}

native_option native_of_socket(io::socket_option option) noexcept {
    switch (option) {
        case io::socket_option::no_delay:
            return {IPPROTO_TCP, TCP_NODELAY};
        case io::socket_option::keep_alive:
            return {SOL_SOCKET, SO_KEEPALIVE};
        case io::socket_option::reuse_address:
            return {SOL_SOCKET, SO_REUSEADDR};
        case io::socket_option::reuse_port:
            return {SOL_SOCKET, SO_REUSEPORT};
        case io::socket_option::ipv6_only:
            return {IPPROTO_IPV6, IPV6_V6ONLY};
        case io::socket_option::receive_buffer_bytes:
            return {SOL_SOCKET, SO_RCVBUF};
        case io::socket_option::send_buffer_bytes:
            return {SOL_SOCKET, SO_SNDBUF};
        case io::socket_option::user_timeout_ms:
            return {IPPROTO_TCP, TCP_USER_TIMEOUT};
        case io::socket_option::unsent_bytes_max:
            return {IPPROTO_TCP, TCP_NOTSENT_LOWAT};
        case io::socket_option::linger_s:
            return {SOL_SOCKET, SO_LINGER};
        case io::socket_option::keep_alive_idle_s:
            return {IPPROTO_TCP, TCP_KEEPIDLE};
        case io::socket_option::keep_alive_interval_s:
            return {IPPROTO_TCP, TCP_KEEPINTVL};
        case io::socket_option::keep_alive_probes:
            return {IPPROTO_TCP, TCP_KEEPCNT};
        case io::socket_option::fast_open_backlog:
            return {IPPROTO_TCP, TCP_FASTOPEN};
        case io::socket_option::bind_address_no_port:
            return {IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT};
        case io::socket_option::fast_open_connect:
            return {IPPROTO_TCP, TCP_FASTOPEN_CONNECT};
        case io::socket_option::broadcast:
            return {SOL_SOCKET, SO_BROADCAST};
        case io::socket_option::receive_segments:
            return {SOL_UDP, UDP_GRO};
        case io::socket_option::pass_credentials:
            return {SOL_SOCKET, SO_PASSCRED};
        default:
            std::unreachable();
    }
}

native_option native_of(int descriptor, io::socket_option option) noexcept {
    const auto by_family = [descriptor](int v4, int v6) {
        return domain_of(descriptor) == AF_INET6 ? native_option{IPPROTO_IPV6, v6}
                                                 : native_option{IPPROTO_IP, v4};
    };
    switch (option) {
        case io::socket_option::hops_max:
            return by_family(IP_TTL, IPV6_UNICAST_HOPS);
        case io::socket_option::multicast_hops_max:
            return by_family(IP_MULTICAST_TTL, IPV6_MULTICAST_HOPS);
        case io::socket_option::multicast_loopback:
            return by_family(IP_MULTICAST_LOOP, IPV6_MULTICAST_LOOP);
        case io::socket_option::multicast_interface:
            return by_family(IP_MULTICAST_IF, IPV6_MULTICAST_IF);
        default:
            return native_of_socket(option);
    }
}

int native_kind(io::socket_kind kind) noexcept {
    switch (kind) {
        case io::socket_kind::stream:
            return SOCK_STREAM;
        case io::socket_kind::datagram:
            return SOCK_DGRAM;
        case io::socket_kind::packets:
            return SOCK_SEQPACKET;
    }
    std::unreachable();
}

int ask_endpoint(decltype(::getsockname)& ask, int descriptor, eddy::local_endpoint& out) noexcept {
    native_address address{};
    address.size = native_address::size_max;
    const int result = checked(ask(descriptor, &address.any, &address.size));
    if (result == 0)
        out = local_endpoint_of(address);
    return result;
}

// Linux 4.20; the headers of some C libraries lack it.
constexpr int ipv6_multicast_all = 29;

void hear_joined_only(int descriptor, int level, int name) noexcept {
    const int off = 0;
    ::setsockopt(descriptor, level, name, &off, sizeof(off));
}

void put(sockaddr_storage& place, const endpoint& address) noexcept {
    const native_address native = address_of(address);
    std::memcpy(&place, &native.any, native.size);
}

constexpr std::size_t batch_max = 64;

// Encodes the messages for `call`, and has `take` decode each of those that it has sent or received.
template <class Encode, class Call, class Take>
int exchange(std::span<io::message> reported, Encode encode, Call call, Take take) noexcept {
    std::array<mmsghdr, batch_max> natives;
    std::array<io::message_storage, batch_max> storage;
    const std::size_t count = std::min(reported.size(), batch_max);
    for (std::size_t index = 0; index < count; ++index)
        natives[index] = {encode(reported[index], storage[index]), 0};
    const int done = uninterrupted([&] { return call(natives.data(), static_cast<unsigned>(count)); });
    for (std::size_t index = 0; static_cast<int>(index) < done; ++index)
        take(reported[index], natives[index].msg_hdr, natives[index].msg_len);
    return done;
}

}  // namespace

int posix_sockets::open_socket(endpoint::family family) noexcept {
    const int domain = family == endpoint::family::ipv4 ? AF_INET : AF_INET6;
    return how_.after_closing(
        [&] { return checked(::socket(domain, SOCK_STREAM | SOCK_CLOEXEC | how_.flags(), 0)); });
}

int posix_sockets::bind(int descriptor, const endpoint& to) noexcept {
    const native_endpoint address = to_native(to);
    return how_.after_closing([&] { return checked(::bind(descriptor, &address.any, address.size)); });
}

int posix_sockets::listen(int descriptor, int backlog) noexcept {
    // The system cuts a backlog that is too large down to its own maximum (listen(2)).
    const int most = backlog > 0 ? backlog : std::numeric_limits<int>::max();
    return how_.after_closing([&] { return checked(::listen(descriptor, most)); });
}

int posix_sockets::local_endpoint(int descriptor, endpoint& out) noexcept {
    native_endpoint address{};
    address.size = sizeof(address.v6);
    const int result = checked(::getsockname(descriptor, &address.any, &address.size));
    if (result == 0)
        out = from_native(address);
    return result;
}

int posix_sockets::remote_endpoint(int descriptor, endpoint& out) noexcept {
    native_endpoint address{};
    address.size = sizeof(address.v6);
    const int result = checked(::getpeername(descriptor, &address.any, &address.size));
    if (result == 0)
        out = from_native(address);
    return result;
}

int posix_sockets::set_option(int descriptor, io::socket_option option, int value) noexcept {
    const auto [level, name] = native_of(descriptor, option);
    if (option == io::socket_option::linger_s) {
        const linger lingering{value >= 0, value >= 0 ? value : 0};
        return checked(::setsockopt(descriptor, level, name, &lingering, sizeof(lingering)));
    }
    if (level == IPPROTO_IP && name == IP_MULTICAST_IF) {
        ip_mreqn by_index{};
        by_index.imr_ifindex = value;
        return checked(::setsockopt(descriptor, level, name, &by_index, sizeof(by_index)));
    }
    return checked(::setsockopt(descriptor, level, name, &value, sizeof(value)));
}

int posix_sockets::get_option(int descriptor, io::socket_option option, int& value) noexcept {
    const auto [level, name] = native_of(descriptor, option);
    if (option == io::socket_option::linger_s) {
        linger lingering{};
        socklen_t size = sizeof(lingering);
        const int result = checked(::getsockopt(descriptor, level, name, &lingering, &size));
        value = lingering.l_onoff != 0 ? lingering.l_linger : -1;
        return result;
    }
    // IPv4 returns the interface only by its address.
    if (level == IPPROTO_IP && name == IP_MULTICAST_IF)
        return -ENOPROTOOPT;
    socklen_t size = sizeof(value);
    return checked(::getsockopt(descriptor, level, name, &value, &size));
}

int posix_sockets::adopt_listening(int descriptor) noexcept {
    int is_listening = 0;
    socklen_t size = sizeof(is_listening);
    if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0)
        return -errno;
    if (is_listening == 0)
        return -EINVAL;
    const int flags = ::fcntl(descriptor, F_GETFL);
    if (flags < 0 || ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
        return -errno;
    const int wanted = how_.flags() != 0 ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
    return wanted == flags ? 0 : checked(::fcntl(descriptor, F_SETFL, wanted));
}

int posix_sockets::open_datagram_socket(endpoint::family family) noexcept {
    const int domain = family == endpoint::family::ipv4 ? AF_INET : AF_INET6;
    return how_.after_closing(
        [&] { return checked(::socket(domain, SOCK_DGRAM | SOCK_CLOEXEC | how_.flags(), 0)); });
}

int posix_sockets::open_local_socket(io::socket_kind kind) noexcept {
    return how_.after_closing(
        [&] { return checked(::socket(AF_UNIX, native_kind(kind) | SOCK_CLOEXEC | how_.flags(), 0)); });
}

int posix_sockets::open_local_pair(io::socket_kind kind, int& first, int& second) noexcept {
    std::array<int, 2> ends{-1, -1};
    const int result = how_.after_closing([&] {
        return checked(
            ::socketpair(AF_UNIX, native_kind(kind) | SOCK_CLOEXEC | how_.flags(), 0, ends.data()));
    });
    first = ends[0];
    second = ends[1];
    return result;
}

int posix_sockets::connect_datagrams(int descriptor, const endpoint& to) noexcept {
    const native_address address = address_of(to);
    return checked(::connect(descriptor, &address.any, address.size));
}

int posix_sockets::connect_local(int descriptor, const eddy::local_endpoint& to) noexcept {
    const native_address address = address_of(to);
    // Where sockets are blocking this one, which is ours alone yet, would wait for its place in the backlog.
    // One for datagrams never waits, and may be shared with others.
    const int flags = ::fcntl(descriptor, F_GETFL);
    const bool is_blocking = flags >= 0 && (flags & O_NONBLOCK) == 0 && type_of(descriptor) != SOCK_DGRAM;
    if (is_blocking)
        ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
    const int result = checked(::connect(descriptor, &address.any, address.size));
    if (is_blocking)
        ::fcntl(descriptor, F_SETFL, flags);
    return result;
}

int posix_sockets::bind_local(int descriptor, const eddy::local_endpoint& to, int mode) noexcept {
    const native_address address = address_of(to);
    const bool sets_mode = to.is_path() && mode >= 0;
    // The file is made with the descriptor's mode, less the umask; there is no moment at which it has more.
    if (sets_mode && ::fchmod(descriptor, static_cast<mode_t>(mode)) != 0)
        return -errno;
    const int result =
        how_.after_closing([&] { return checked(::bind(descriptor, &address.any, address.size)); });
    if (result != 0)
        return result;
    return sets_mode ? checked(::chmod(to.c_str(), static_cast<mode_t>(mode))) : 0;
}

int posix_sockets::local_name(int descriptor, eddy::local_endpoint& out) noexcept {
    return ask_endpoint(::getsockname, descriptor, out);
}

int posix_sockets::remote_name(int descriptor, eddy::local_endpoint& out) noexcept {
    return ask_endpoint(::getpeername, descriptor, out);
}

int posix_sockets::credentials_of_peer(int descriptor, peer_credentials& out) noexcept {
    ucred native{};
    socklen_t size = sizeof(native);
    const int result = checked(::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &native, &size));
    if (result == 0)
        out = {native.pid, native.uid, native.gid};
    return result;
}

int posix_sockets::identify_socket_file(const char* path, io::file_identity& out) noexcept {
    struct stat status{};
    if (::lstat(path, &status) != 0)
        return -errno;
    out = {status.st_dev, status.st_ino};
    return S_ISSOCK(status.st_mode) ? 0 : -ENOTSOCK;
}

int posix_sockets::is_socket_bound(const eddy::local_endpoint& at, const io::file_identity& which) noexcept {
    return how_.after_closing([&] { return find_bound_socket(at, which); });
}

int posix_sockets::remove_socket_file(const char* path, const io::file_identity& which) noexcept {
    io::file_identity found;
    const int result = identify_socket_file(path, found);
    if (result < 0)
        return result;
    return found == which ? checked(::unlink(path)) : -ENOENT;
}

int posix_sockets::set_membership(int descriptor, const endpoint& group, const endpoint* source,
                                  unsigned interface, bool is_member) noexcept {
    const bool is_v4 = group.address_family() == endpoint::family::ipv4;
    const int level = is_v4 ? IPPROTO_IP : IPPROTO_IPV6;
    // Otherwise the socket would also hear what others of this machine have joined (ip(7)).
    if (is_member)
        hear_joined_only(descriptor, level, is_v4 ? IP_MULTICAST_ALL : ipv6_multicast_all);
    if (source != nullptr) {
        group_source_req request{};
        request.gsr_interface = interface;
        put(request.gsr_group, group);
        put(request.gsr_source, *source);
        const int name = is_member ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP;
        return checked(::setsockopt(descriptor, level, name, &request, sizeof(request)));
    }
    group_req request{};
    request.gr_interface = interface;
    put(request.gr_group, group);
    const int name = is_member ? MCAST_JOIN_GROUP : MCAST_LEAVE_GROUP;
    return checked(::setsockopt(descriptor, level, name, &request, sizeof(request)));
}

int posix_sockets::interface_index(const char* name) noexcept {
    const unsigned index = ::if_nametoindex(name);
    return index != 0 ? static_cast<int>(index) : -errno;
}

int posix_sockets::send_messages(int descriptor, std::span<io::message> sent) noexcept {
    const auto call = [descriptor](mmsghdr* natives, unsigned count) {
        return ::sendmmsg(descriptor, natives, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    };
    const auto take = [](io::message& msg, const msghdr&, unsigned size) { msg.transferred = size; };
    return exchange(sent, encode_outgoing, call, take);
}

int posix_sockets::receive_messages(int descriptor, std::span<io::message> received) noexcept {
    const auto call = [descriptor](mmsghdr* natives, unsigned count) {
        return ::recvmmsg(descriptor, natives, count, receive_flags | MSG_DONTWAIT, nullptr);
    };
    const auto take = [](io::message& msg, const msghdr& native, unsigned size) {
        take_over(msg, native, std::int64_t{size});
    };
    return exchange(received, encode_incoming, call, take);
}

std::int64_t posix_sockets::send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                                      std::uint64_t size) noexcept {
    return backends::send_file(connection, first, file, offset, size);
}

}  // namespace eddy::backends
