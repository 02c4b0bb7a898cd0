#pragma once

#include <eddy/io/detail/backend.hpp>

namespace eddy::backends {

/// sockets::is_socket_bound(), by the system's list (/proc/net/unix, proc(5)): sock_diag(7) needs a kernel module. One that
/// is bound by a relative path is found if `at` is written the same way.
[[nodiscard]] int find_bound_socket(const eddy::local_endpoint& at, const io::file_identity& which) noexcept;

}  // namespace eddy::backends
