#pragma once

#include <eddy/io/backend.hpp>
#include <eddy/io/local_endpoint.hpp>
#include <eddy/io/owned_descriptor.hpp>

#include <algorithm>
#include <chrono>

namespace eddy::detail {

/// Binds a local socket. Where a socket's file is in the way at which nobody answers any more, it is removed
/// first. `mode` as of backend::bind_local(). Throws std::system_error, whose message names the endpoint.
void bind_local_socket(owned_descriptor& socket, const local_endpoint& at, int mode);

/// Opens a local socket. Throws std::system_error.
[[nodiscard]] owned_descriptor open_local_socket(io::socket_kind kind);

/// How long to wait before the next try where the system does not report that one is worth it: 1 ms at first,
/// 50 ms at the most.
class retry_pace {
public:
    [[nodiscard]] std::chrono::milliseconds next() noexcept {
        const auto given = wait_;
        wait_ = std::min(2 * wait_, wait_max);
        return given;
    }

private:
    static constexpr std::chrono::milliseconds wait_max{50};
    std::chrono::milliseconds wait_{1};
};

}  // namespace eddy::detail
