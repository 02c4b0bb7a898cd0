#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/websocket/options.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/stream/any_stream.hpp>

#include <string_view>

namespace eddy::http {

/// Opens a websocket over a stream to its server (RFC 6455 section 4.1), a TLS stream for wss. `host`: what
/// the field Host says, with the port unless it is the usual one; `target`: path and query.
/// Both are copied before it returns.
///
/// Within options.connect_timeout(), else std::errc::timed_out. Errors: those of the stream;
/// handshake_refused for any response but the one that opens it (redirects are not followed). Throws
/// std::invalid_argument for a host, a target or a field that cannot be sent. Dropped: the stream is closed.
[[nodiscard]] task<websocket> open_websocket(any_stream stream, std::string_view host,
                                             std::string_view target, websocket_options options = {});

/// Connects to a `ws://host[:port]/path?query`, or by TLS to a `wss://` one, verified by options.tls(), and
/// opens a websocket there. Throws std::invalid_argument for another URL. Cancellation, time limit and errors
/// are those of open_websocket() and of connecting. The URL is copied before it returns.
[[nodiscard]] task<websocket> connect_websocket(std::string_view url, websocket_options options = {});

}  // namespace eddy::http
