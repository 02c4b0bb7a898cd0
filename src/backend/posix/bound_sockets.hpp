#pragma once

#include <eddy/io/detail/backend.hpp>

namespace eddy::backends {

/// backend::is_socket_bound(), by the system's list of sockets (sock_diag(7)).
[[nodiscard]] int find_bound_socket(const eddy::local_endpoint& at, const io::file_identity& which) noexcept;

}  // namespace eddy::backends
