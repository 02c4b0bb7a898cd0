#pragma once

#include "backend/posix/posix_clocks.hpp"
#include "backend/posix/posix_descriptors.hpp"
#include "backend/posix/posix_sockets.hpp"

#include <eddy/io/detail/system.hpp>

namespace eddy::backends {

/// What both Linux backends have in common: all that is no operation.
class posix_system {
public:
    /// `flags`: SOCK_NONBLOCK for backends that work by readiness, 0 for others.
    explicit posix_system(int flags, io::backend* user) noexcept;
    posix_system(const posix_system&) = delete;
    posix_system& operator=(const posix_system&) = delete;

    [[nodiscard]] io::system topics() noexcept;

private:
    posix_clocks clocks_;
    posix_sockets sockets_;
    posix_descriptors descriptors_;
};

}  // namespace eddy::backends
