#include "sockets/connections.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace bench {
namespace {

int check(int result, const char* what) {
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
    return result;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

sockaddr_in local_address(int socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    check(getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    return address;
}

void set_no_delay(int socket) {
    const int on = 1;
    check(setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
}

int bound_socket(int type) {
    const int made = check(socket(AF_INET, type | SOCK_CLOEXEC, 0), "socket");
    const sockaddr_in address = loopback(0);
    check(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
    return made;
}

void connect_datagrams(int from, int to) {
    const sockaddr_in peer = local_address(to);
    check(connect(from, reinterpret_cast<const sockaddr*>(&peer), sizeof peer), "connect");
}

}  // namespace

std::pair<int, int> connected_pair(transport over) {
    int ends[2];
    if (over == transport::local) {
        check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
        return {ends[0], ends[1]};
    }
    const listening listener = listen_on_loopback();
    ends[0] = check(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    set_no_delay(ends[0]);
    check(connect_to_loopback(ends[0], listener.port), "connect");
    ends[1] = check(accept4(listener.descriptor, nullptr, nullptr, SOCK_CLOEXEC), "accept");
    close(listener.descriptor);
    return {ends[0], ends[1]};
}

std::vector<std::pair<int, int>> connected_pairs(transport over, std::size_t count) {
    std::vector<std::pair<int, int>> pairs(count);
    for (auto& pair : pairs)
        pair = connected_pair(over);
    return pairs;
}

std::pair<int, int> datagram_pair() {
    const int first = bound_socket(SOCK_DGRAM);
    const int second = bound_socket(SOCK_DGRAM);
    connect_datagrams(first, second);
    connect_datagrams(second, first);
    return {first, second};
}

std::pair<int, int> pipe_pair() {
    int ends[2];
    check(pipe(ends), "pipe");
    return {ends[0], ends[1]};
}

listening listen_on_loopback() {
    const int made = bound_socket(SOCK_STREAM);
    set_no_delay(made);
    check(listen(made, SOMAXCONN), "listen");
    return {made, ntohs(local_address(made).sin_port)};
}

int churn_socket(int type_flags) {
    const int made = check(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | type_flags, 0), "socket");
    set_no_delay(made);
    const linger reset{1, 0};
    check(setsockopt(made, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), "SO_LINGER");
    return made;
}

int connect_to_loopback(int socket, std::uint16_t port) {
    const sockaddr_in address = loopback(port);
    return connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace bench
