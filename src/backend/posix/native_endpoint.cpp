#include "backend/posix/native_endpoint.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace eddy::backends {

native_endpoint to_native(const endpoint& from) noexcept {
    native_endpoint to{};
    if (from.address_family() == endpoint::family::ipv4) {
        to.v4 = {};
        to.v4.sin_family = AF_INET;
        to.v4.sin_port = htons(from.port());
        std::memcpy(&to.v4.sin_addr, from.address().data(), 4);
        to.size = sizeof(to.v4);
    } else {
        to.v6 = {};
        to.v6.sin6_family = AF_INET6;
        to.v6.sin6_port = htons(from.port());
        to.v6.sin6_scope_id = from.scope();
        std::memcpy(&to.v6.sin6_addr, from.address().data(), 16);
        to.size = sizeof(to.v6);
    }
    return to;
}

endpoint from_native(const native_endpoint& from) noexcept {
    if (from.any.sa_family == AF_INET) {
        std::array<std::uint8_t, 4> address{};
        std::memcpy(address.data(), &from.v4.sin_addr, address.size());
        return endpoint::ipv4(address, ntohs(from.v4.sin_port));
    }
    std::array<std::uint8_t, 16> address{};
    std::memcpy(address.data(), &from.v6.sin6_addr, address.size());
    return endpoint::ipv6(address, ntohs(from.v6.sin6_port), from.v6.sin6_scope_id);
}

}  // namespace eddy::backends
