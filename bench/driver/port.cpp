#include "driver/port.hpp"

#include "driver/errors.hpp"
#include "driver/interrupt.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace bench {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

class tcp_socket {
public:
    tcp_socket() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (fd_ < 0)
            throw failure("cannot make a socket");
    }
    tcp_socket(const tcp_socket&) = delete;
    ~tcp_socket() { close(fd_); }
    operator int() const { return fd_; }

private:
    int fd_;
};

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool answers(std::uint16_t port, const std::string& request) {
    const tcp_socket probe;
    const sockaddr_in address = loopback(port);
    if (connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    if (send(probe, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        return false;
    pollfd readable{.fd = probe, .events = POLLIN, .revents = 0};
    char byte;
    return poll(&readable, 1, 500) == 1 && (recv(probe, &byte, 1, MSG_DONTWAIT) >= 0 || errno == ECONNRESET);
}

}  // namespace

std::uint16_t claim_port(std::uint16_t wanted) {
    const tcp_socket probe;
    const int on = 1;
    // So that connections of the last run in TIME_WAIT do not count as a listener.
    setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address = loopback(wanted);
    socklen_t size = sizeof address;
    if (bind(probe, reinterpret_cast<sockaddr*>(&address), size) != 0)
        throw failure(fmt::format("port {} is in use", wanted));
    getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

void wait_for_server(process& server, std::uint16_t port, const std::string& request) {
    const auto deadline = steady_clock::now() + 5s;
    while (!answers(port, request)) {
        check_interrupt();
        if (server.has_ended())
            throw failure("the server ended before it answered");
        if (steady_clock::now() >= deadline)
            throw failure("the server did not answer within 5 seconds");
        std::this_thread::sleep_for(5ms);
    }
}

}  // namespace bench
