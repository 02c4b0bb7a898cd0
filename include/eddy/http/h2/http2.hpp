#pragma once

#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/server/server_options.hpp>

#include <memory>

namespace eddy::http {

/// HTTP/2 (RFC 9113) for a server, beside HTTP/1 on the same port: in clear to clients that begin with its preface,
/// and over TLS to those that have agreed on "h2", which the context's alpn() must list. Handlers, middleware and
/// bodies are the same.
///
///     const auto options = http::server_options().protocol(http::http2());
///
/// - A request is a stream with a task of its own; the client's flow control is that of the response, and the
///   handler's reading that of the request.
/// - A client that resets a stream drops its handler. A handler that fails after its response has begun resets its
///   stream (INTERNAL_ERROR).
/// - server::drain() says GOAWAY twice, so that no request is lost (RFC 9113 section 6.8).
/// - WebSockets come by extended CONNECT (RFC 8441); handlers see the GET of HTTP/1.1.
/// - Programs that call this are linked with eddy::http2, and with nghttp2.
[[nodiscard]] std::shared_ptr<const protocol_choice> http2(const http2_options& options = {});

}  // namespace eddy::http
