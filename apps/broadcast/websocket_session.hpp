#pragma once

#include "broadcast/hub.hpp"
#include "broadcast/options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/server/exchange.hpp>

#include <cstddef>

namespace eddy::apps {

/// A client that says and receives lines over WebSocket, each a message, until either end closes.
[[nodiscard]] task<> visit_by_websocket(http::exchange& ex, hub& all, std::size_t worker,
                                        const broadcast_options& how);

}  // namespace eddy::apps
