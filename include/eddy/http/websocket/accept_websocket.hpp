#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/websocket/options.hpp>
#include <eddy/http/websocket/websocket.hpp>

namespace eddy::http {

/// Upgrades a request to a websocket, in a handler (RFC 6455 section 4.2):
///
///     task<> chat(http::exchange& ex) {
///         http::websocket socket = co_await http::accept_websocket(ex);
///         while (auto message = co_await socket.receive())
///             co_await socket.send(*std::move(message));
///     }
///
/// A request that is none for a websocket, or that the options do not let in, throws request_error, which
/// answers it as it should be once the handler lets it pass: 426 with the version that is spoken, 405, 400,
/// 403 for a page of another origin. Errors of the stream come as std::system_error.
///
/// The connection belongs to the websocket from then on. `ex.stop_token()` reports that the server drains:
/// close with going_away then. Requires: not answered yet. Dropped: the connection is closed.
[[nodiscard]] task<websocket> accept_websocket(exchange& ex, websocket_options options = {});

}  // namespace eddy::http
