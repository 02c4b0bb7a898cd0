#pragma once

#include <eddy/io/endpoint.hpp>
#include <eddy/io/local_endpoint.hpp>

#include <cstddef>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace eddy::backends {

/// A socket address of any kind in the system's own form. The union comes first, so that a pointer to the
/// address is one to the whole.
struct native_address {
    static constexpr socklen_t size_max = sizeof(sockaddr_un);

    union {
        sockaddr any;
        sockaddr_in v4;
        sockaddr_in6 v6;
        sockaddr_un local;
    };
    socklen_t size;

    [[nodiscard]] bool is_internet() const noexcept {
        return size >= sizeof(sockaddr_in) && (any.sa_family == AF_INET || any.sa_family == AF_INET6);
    }
};

[[nodiscard]] native_address address_of(const endpoint& from) noexcept;
[[nodiscard]] native_address address_of(const local_endpoint& from) noexcept;
/// Requires: is_internet().
[[nodiscard]] endpoint endpoint_of(const native_address& from) noexcept;
/// Unnamed for an address of another kind.
[[nodiscard]] local_endpoint local_endpoint_of(const native_address& from) noexcept;

}  // namespace eddy::backends
