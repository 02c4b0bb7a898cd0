#pragma once

#include <eddy/core/task.hpp>
#include <eddy/io/detail/backend.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>
#include <eddy/io/local_endpoint.hpp>

namespace eddy::detail {

/// A connected local socket. While the listener's backlog is full tries again every 1 to 50 ms.
[[nodiscard]] task<owned_descriptor> connect_local_socket(io::socket_kind kind, local_endpoint to);

}  // namespace eddy::detail
