#pragma once

#include "broadcast/hub.hpp"
#include "broadcast/options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/net/tcp_stream.hpp>

#include <cstddef>

namespace eddy::apps {

/// A client that says and receives lines over TCP, until either end closes.
[[nodiscard]] task<> visit_by_tcp(tcp_stream client, hub& all, std::size_t worker,
                                  const broadcast_options& how);

}  // namespace eddy::apps
