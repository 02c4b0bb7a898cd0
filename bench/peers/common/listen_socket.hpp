#pragma once

#include <arpa/inet.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace bench {

[[noreturn]] inline void give_up(const char* what) {
    std::perror(what);
    std::exit(1);
}

// Listens on 127.0.0.1:port. Accepted sockets inherit TCP_NODELAY.
inline int listen_socket(std::uint16_t port, int flags) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (fd < 0)
        give_up("socket");
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
        give_up("bind");
    if (listen(fd, 4096) != 0)
        give_up("listen");
    return fd;
}

}  // namespace bench
