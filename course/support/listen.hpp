#pragma once

#include <cerrno>
#include <cstdint>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace course {

/// A socket that listens on the loopback interface; port 0: on any free one. Throws std::system_error.
inline int listen_on(std::uint16_t port = 0) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // Options of a listening socket are those of its connections.
    if (descriptor < 0 || ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
        ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0 ||
        ::bind(descriptor, reinterpret_cast<const sockaddr*>(&at), sizeof(at)) < 0 ||
        ::listen(descriptor, SOMAXCONN) < 0) {
        const int error = errno;
        if (descriptor >= 0)
            ::close(descriptor);
        throw std::system_error(error, std::system_category(), "listen");
    }
    return descriptor;
}

/// The port on which a socket listens.
inline std::uint16_t port_of(int descriptor) {
    sockaddr_in at{};
    socklen_t size = sizeof(at);
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&at), &size);
    return ntohs(at.sin_port);
}

}  // namespace course
