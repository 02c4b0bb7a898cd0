#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace eddy::test {

/// Whether this process has a port of 127.0.0.1 for itself, from now on until it ends: among all that ask in
/// this way, as tests/apps/ports.py does. A name of a local socket tells, which the system takes back.
inline bool keep_port(std::uint16_t port) {
    const std::string name = "eddy-test-port-" + std::to_string(port);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());  // abstract, unix(7)
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const int keeper = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(keeper, reinterpret_cast<const sockaddr*>(&address), size) == 0)
        return true;
    ::close(keeper);
    return false;
}

inline bool is_free_port(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool is_free = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    ::close(probe);
    return is_free;
}

/// A port of 127.0.0.1 that nobody listens at, for a server that cannot be told to find one. The system gives
/// none of these to whoever asks for any port (ip_local_port_range, from 32768), and no other test gets it
/// while this process lasts. Keeps a descriptor.
inline std::uint16_t free_port() {
    constexpr unsigned first = 10'000;
    constexpr unsigned count = 12'000;
    static std::atomic<unsigned> requested{0};
    for (unsigned attempt = 0; attempt < count; ++attempt) {
        const unsigned place = static_cast<unsigned>(::getpid()) + requested.fetch_add(1);
        const auto port = static_cast<std::uint16_t>(first + place % count);
        if (keep_port(port) && is_free_port(port))
            return port;
    }
    throw std::runtime_error("there is no free port");
}

}  // namespace eddy::test
