#pragma once

#include "broadcast/hub.hpp"
#include "broadcast/options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/exchange.hpp>

#include <cstddef>

namespace eddy::apps {

/// Somebody who says and receives lines over WebSocket, each a message, until either end has enough.
[[nodiscard]] task<> visit_by_websocket(http::exchange& asked, hub& all, std::size_t worker,
                                        const broadcast_options& how);

}  // namespace eddy::apps
