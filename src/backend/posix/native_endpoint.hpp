#pragma once

#include <eddy/io/endpoint.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

namespace eddy::backends {

/// A socket address in the system's own form.
struct native_endpoint {
    union {
        sockaddr any;
        sockaddr_in v4;
        sockaddr_in6 v6;
    };
    socklen_t size;
};

[[nodiscard]] native_endpoint to_native(const endpoint& from) noexcept;
[[nodiscard]] endpoint from_native(const native_endpoint& from) noexcept;

}  // namespace eddy::backends
