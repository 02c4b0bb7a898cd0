#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cstdint>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace eddy::test {

/// A port of 127.0.0.1 that nobody listens at, for a server that cannot be told to find one. The system gives
/// none of these to whoever asks for any port (ip_local_port_range, from 32768), and every process begins its
/// search elsewhere, so nobody takes it before the server does.
inline std::uint16_t free_port() {
    constexpr unsigned first = 10'000;
    constexpr unsigned count = 12'000;
    constexpr unsigned stride = 6'007;
    static std::atomic<unsigned> asked{0};
    for (unsigned attempt = 0; attempt < count; ++attempt) {
        const unsigned place = static_cast<unsigned>(::getpid()) + stride * asked.fetch_add(1);
        const auto port = static_cast<std::uint16_t>(first + place % count);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool is_free = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
        ::close(probe);
        if (is_free)
            return port;
    }
    throw std::runtime_error("there is no free port");
}

}  // namespace eddy::test
