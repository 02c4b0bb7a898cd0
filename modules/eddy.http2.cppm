// The module eddy.http2: HTTP/2 for servers and clients.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/http/h2/http2.hpp>
#include <eddy/http/h2/http2_options.hpp>
#include <eddy/http/http2.hpp>

export module eddy.http2;

export import eddy.http;

export namespace eddy::http {
using eddy::http::http2;
using eddy::http::http2_options;
}  // namespace eddy::http
