// Echo server of the standard library's threads: one a connection, with calls that block. What everybody can write.
#include "peers/common/listen_socket.hpp"
#include "peers/common/server_options.hpp"

#include <array>
#include <cstddef>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr std::size_t buffer_bytes = 16 * 1024;

bool send_all(int socket, const std::byte* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

// To its end. A client that goes away is no event here.
void converse(int socket) {
    std::array<std::byte, buffer_bytes> buffer;
    for (;;) {
        const ssize_t received = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (received <= 0 || !send_all(socket, buffer.data(), static_cast<std::size_t>(received)))
            break;
    }
    ::close(socket);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::server_options options = bench::parse_server_options(argc, argv);
    const int listener = bench::listen_socket(options.port, 0);
    for (;;)
        if (const int socket = ::accept(listener, nullptr, nullptr); socket >= 0)
            std::thread(converse, socket).detach();
}
