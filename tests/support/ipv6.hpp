#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace eddy::test {

/// Whether this machine has the address ::1.
///
///     if (!test::has_ipv6())
///         GTEST_SKIP() << test::needs_ipv6;
inline bool has_ipv6() {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = IN6ADDR_LOOPBACK_INIT;
    const int probe = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool is_there = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    ::close(probe);
    return is_there;
}

inline constexpr const char* needs_ipv6 = "[ipv6] there is no address ::1";

}  // namespace eddy::test
