#pragma once

#include "backend/posix/posix_clocks.hpp"

#include <eddy/io/backend.hpp>

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

/// The calls that never wait, which both Linux backends make alike.
class posix_system : public posix_clocks {
public:
    /// `descriptor_flags`: SOCK_NONBLOCK for backends that work by readiness, 0 for others.
    explicit posix_system(int descriptor_flags) noexcept : posix_clocks(descriptor_flags) {}

    int open_socket(endpoint::family family) noexcept final;
    int bind(int descriptor, const endpoint& to) noexcept final;
    int listen(int descriptor, int backlog) noexcept final;
    int local_endpoint(int descriptor, endpoint& out) noexcept final;
    int remote_endpoint(int descriptor, endpoint& out) noexcept final;
    int open_folder(const char* path) noexcept final;
    int status_of(int descriptor, io::file_status& out) noexcept final;
    int open_signals(std::span<const int> signals) noexcept final;
    int open_pipe(int& reading, int& writing) noexcept final;

    // -- files --
    void make_blocking(int descriptor) noexcept final;
    io::file_system& files() noexcept final;
};

}  // namespace eddy::backends
