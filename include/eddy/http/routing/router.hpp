#pragma once

#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/routing/detail/middleware_chain.hpp>
#include <eddy/http/routing/middleware.hpp>
#include <eddy/http/routing/route.hpp>
#include <eddy/http/routing/route_handler.hpp>
#include <eddy/http/server/exchange.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// What a router does with a path that has a route only with, or only without, a slash at its end.
enum class trailing_slash : std::uint8_t {
    redirect,  ///< 308 to the path that has one
    strict,    ///< 404
};

/// Dispatches requests by their method and path.
///
///     router routes;
///     routes.get("/", [] { return response::text("hello"); });
///     routes.get("/users/{id}", [](path<"id", int> id) -> task<response> { ... });
///     routes.mount("/files", static_files(directory::open("site")));
///
/// **Patterns** begin with a slash. A segment is literal, or `{name}`, which matches any one segment that is
/// not empty; `{name...}` at the end matches what is left of a path, nothing included. They are matched
/// against decoded segments; an encoded slash is part of its segment ("%2F" stays as it is in `{name...}`).
/// The most specific pattern wins: from the left, a literal segment before `{name}` before `{name...}`. What
/// has no route for the method is matched by the next less specific one that has. Two routes that would
/// match the same requests are refused when the second is added.
///
/// **For free**: HEAD where there is GET; OPTIONS, and 405 Method Not Allowed, with Allow; 501 for methods
/// that no route of the router knows; 404. A path that is malformed, or has "." or ".." as a segment, is 400.
///
/// **Handlers** are callables: see route_handler.hpp. What they throw is turned into responses here:
/// request_error into its status, with its message; anything else into 500, reported to on_error(), or as the
/// server does it.
///
/// - Ownership: owns its routes and handlers, shares its middleware. Neither moves nor copies once it serves.
/// - Thread safety: none; a worker has its own. Routes are added before requests come.
/// - Cancellation: a dropped request drops its handler.
/// - Errors: std::invalid_argument, with the pattern in its message, when a route is added.
/// - Cost: a request whose handler is done at once needs no coroutine and, unless its path has parameters,
///   no allocation. A path is matched in time that grows with its segments, hardly with the number of
///   routes.
class router final : public request_handler {
public:
    router();
    ~router() override;

    /// Adds a route. `method_name` may be any token (RFC 9110 section 9.1).
    template <class Handler>
    http::route& route(std::string_view method_name, std::string_view pattern, Handler handler) {
        return add(method_name, pattern, make_route_handler(std::move(handler)));
    }
    /// A route for GET, which serves HEAD as well.
    template <class Handler>
    http::route& get(std::string_view pattern, Handler handler) {
        return route("GET", pattern, std::move(handler));
    }
    /// A route for POST.
    template <class Handler>
    http::route& post(std::string_view pattern, Handler handler) {
        return route("POST", pattern, std::move(handler));
    }
    /// A route for PUT.
    template <class Handler>
    http::route& put(std::string_view pattern, Handler handler) {
        return route("PUT", pattern, std::move(handler));
    }
    /// A route for PATCH.
    template <class Handler>
    http::route& patch(std::string_view pattern, Handler handler) {
        return route("PATCH", pattern, std::move(handler));
    }
    /// A route for DELETE.
    template <class Handler>
    http::route& del(std::string_view pattern, Handler handler) {
        return route("DELETE", pattern, std::move(handler));
    }
    /// For every method that has no route of its own for this path.
    template <class Handler>
    http::route& any(std::string_view pattern, Handler handler) {
        return add({}, pattern, make_route_handler(std::move(handler)));
    }
    /// The same as route(), for a handler of another kind. Requires: not null.
    http::route& add(std::string_view method_name, std::string_view pattern,
                     std::unique_ptr<request_handler> handler);

    /// Has all requests below a prefix answered by another handler, a router for instance, which sees them
    /// through exchange::path() as if there were no prefix. A prefix may have parameters; it has no slash at
    /// its end ("/" for all). More specific routes of this router come first. Requires: the handler outlives
    /// the router.
    http::route& mount(std::string_view prefix, request_handler& handler);
    /// The same, and owns it. Requires: not null.
    http::route& mount(std::string_view prefix, std::unique_ptr<request_handler> handler);
    /// The same for a handler as a value, which is moved in.
    template <std::derived_from<request_handler> Handler>
    http::route& mount(std::string_view prefix, Handler&& handler) {
        return mount(prefix, std::unique_ptr<request_handler>(
                                 std::make_unique<Handler>(std::forward<Handler>(handler))));
    }

    /// Puts it in front of all that this router does, 404 included, inside of what is there already.
    router& use(std::shared_ptr<middleware> inner) {
        chain_.add(std::move(inner));
        return *this;
    }
    template <std::derived_from<middleware> Middleware>
    router& use(Middleware inner) {
        return use(std::make_shared<Middleware>(std::move(inner)));
    }

    /// What a slash at the end of a path means.
    router& slashes(trailing_slash policy) noexcept {
        slashes_ = policy;
        return *this;
    }
    /// What answers in the place of 404.
    template <class Handler>
    router& not_found(Handler handler) {
        not_found_ = make_route_handler(std::move(handler));
        return *this;
    }
    /// Called for exceptions of handlers other than request_error, before the response is 500 or cut short,
    /// instead of server_options::failure_reporter(). The exception is the current one. Must not throw.
    router& on_error(std::function<void(exchange&, std::exception_ptr)> reported) {
        on_error_ = std::move(reported);
        return *this;
    }

    [[nodiscard]] ready_or_task<> handle(exchange& ex) override;

private:
    class dispatcher;
    class guard;
    class found_route;

    [[nodiscard]] ready_or_task<> dispatch(exchange& ex);
    [[nodiscard]] ready_or_task<> dispatch_by_segments(exchange& ex, std::string_view path);
    [[nodiscard]] ready_or_task<> respond_missing(exchange& ex, std::span<const std::string_view> segments);
    [[nodiscard]] ready_or_task<> call(exchange& ex, http::route& taken);
    [[nodiscard]] ready_or_task<> call(exchange& ex, request_handler& handler);
    [[nodiscard]] task<> finish(exchange& ex, ready_or_task<> rest);
    [[nodiscard]] ready_or_task<> respond_with_error(exchange& ex, const std::exception_ptr& error);
    http::route& keep(std::unique_ptr<http::route> made, std::string_view added_pattern);
    void note_prefix(std::string_view prefix);

    struct impl;
    std::unique_ptr<impl> impl_;
    std::unique_ptr<dispatcher> dispatcher_;
    middleware_chain chain_;
    trailing_slash slashes_ = trailing_slash::redirect;
    std::unique_ptr<request_handler> not_found_;
    std::function<void(exchange&, std::exception_ptr)> on_error_;
};

}  // namespace eddy::http
