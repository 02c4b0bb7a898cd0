#pragma once

#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/local_endpoint.hpp>

namespace eddy::detail {

/// Binds a local socket. An existing socket file without a process is removed first. `mode` as of
/// backend::bind_local(). Throws std::system_error, whose message names the endpoint.
void bind_local_socket(owned_descriptor& socket, const local_endpoint& at, int mode);

/// Opens a local socket. Throws std::system_error.
[[nodiscard]] owned_descriptor open_local_socket(io::socket_kind kind);

}  // namespace eddy::detail
