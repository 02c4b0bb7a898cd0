#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/serve.hpp>

#include <functional>

namespace eddy::http {

/// Serves HTTP on every worker of the runtime: each has a listener that shares the port, a router of its own,
/// filled by `add_routes` on that worker, and a server.
///
///     eddy::run(http::serve(endpoint::loopback_ipv4(8080), [](http::router& routes) {
///         routes.get("/", [] { return http::response::text("hello"); });
///     }), eddy::all_cores);
///
/// - Ownership: `add_routes` is copied to every worker. What the handlers of several workers share is owned
///   by shared pointers in it, and is for any thread: a channel, a mutex with data, a metrics_registry.
/// - Cancellation: ends only when it is dropped, which cuts every connection off. Make a server on each
///   worker (run_on_each) for drains, observers and other say in the matter.
/// - Errors: std::system_error if it cannot listen, as for eddy::serve(); what `add_routes` throws.
///
/// Of `how` the listening options and on_listening() count; connections are limited by server_options.
/// Requires: awaited on a worker.
[[nodiscard]] task<> serve(endpoint at, std::function<void(router&)> add_routes, server_options options = {},
                           serve_options how = {});

}  // namespace eddy::http
