#pragma once

#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/message/protocol_choice.hpp>

#include <memory>

namespace eddy::http {

/// HTTP/2 (RFC 9113) for a server or a client, beside HTTP/1.
///
///     const auto server = http::server_options().protocol(http::http2());
///     const auto client = http::client_options().protocol(http::http2());
///
/// A server speaks it in clear to clients that begin with its preface, and over TLS to those that have agreed on
/// "h2", which the context's alpn() must list. Handlers, middleware and bodies are the same.
///
/// - A request is a stream with a task of its own; the client's flow control is that of the response, and the
///   handler's reading that of the request.
/// - A client that resets a stream drops its handler. A handler that fails after its response has begun resets its
///   stream (INTERNAL_ERROR).
/// - server::drain() says GOAWAY twice, so that no request is lost (RFC 9113 section 6.8).
/// - WebSockets come by extended CONNECT (RFC 8441); handlers see the GET of HTTP/1.1.
///
/// A client offers it by ALPN, and speaks HTTP/1.1 where the server does not choose it; in clear see
/// http2_options::prior_knowledge(). Requests, responses, limits and errors are the same.
///
/// - Requests to one origin share a connection up to the server's limit; then another is made, within the limits of
///   client_options.
/// - A request that is dropped, or whose response is, resets its stream (CANCEL), and the connection stays.
/// - A request that the server has not processed (REFUSED_STREAM, or left out by a GOAWAY) is sent again on another
///   connection, whatever its method, unless its body is a stream that has begun.
/// - A stream that the server resets: http_error::stream_reset.
/// - Upgrades, WebSockets and CONNECT have connections of HTTP/1.1.
///
/// Programs that call this are linked with eddy::http2, and with nghttp2.
[[nodiscard]] std::shared_ptr<const protocol_choice> http2(const http2_options& options = {});

}  // namespace eddy::http
