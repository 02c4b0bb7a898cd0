#include "load/connect.hpp"

#include "load/clock.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace bench {
namespace {

int try_connect(std::uint16_t port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        throw std::system_error(errno, std::generic_category(), "socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
        return fd;
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

}  // namespace

int connect_to_server(std::uint16_t port, std::uint64_t deadline_ns) {
    int fd = try_connect(port);
    while (fd < 0) {
        if (errno != ECONNREFUSED || now_ns() >= deadline_ns)
            throw std::system_error(errno, std::generic_category(), "connect");
        usleep(2000);
        fd = try_connect(port);
    }
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

void close_at_once(int fd) {
    const linger none{.l_onoff = 1, .l_linger = 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(fd);
}

}  // namespace bench
