#pragma once

#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/tcp_listener.hpp>

namespace eddy::detail {

/// Throws what a listener's user reads if a call has failed.
void require_listening(int result, const endpoint& at);

/// A socket with the options of a listener, bound and not listening yet: its port is taken, and no client can connect.
/// Throws std::system_error.
[[nodiscard]] owned_descriptor bound_socket(io::backend& backend, const endpoint& at,
                                            const listen_options& options);

}  // namespace eddy::detail
