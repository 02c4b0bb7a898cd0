#pragma once

#include <eddy/core/task.hpp>
#include <eddy/http/client/client_options.hpp>
#include <eddy/http/client/client_request.hpp>
#include <eddy/http/client/client_response.hpp>
#include <eddy/http/client/cookie_jar.hpp>
#include <eddy/http/client/detail/upgraded_stream.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace eddy::http {

class client_pool;

/// A client of HTTP/1.1 (RFC 9110, RFC 9112), and of HTTP/2 if client_options::protocol() says so: connections
/// that are kept, redirects, time limits, bodies as streams both ways, content codings, proxies, cookies,
/// retries, and TLS that verifies.
///
///     client browser(client_options().total_time(30s));
///     client_response response = co_await browser.get("https://example.com/");
///     const std::string page = co_await response.text();
///
/// URLs are of http, https, and http+unix with the encoded path of a local socket for a host:
/// "http+unix://%2Frun%2Fa.sock/status".
///
/// - Ownership: moves, does not copy; responses may outlive it. Requires: it and all its responses are
///   destroyed before its worker's runtime ends.
/// - Thread safety: none; it belongs to its worker. Any number of tasks there may use it at once.
/// - Cancellation: dropping a send() at any point closes its connection (over HTTP/2, resets its stream), or leaves
///   the queue for one; the server may have received the request or a part of it.
/// - Connections: one that was closed by the server before a byte of the response came, although it had been
///   good before, is replaced and the request sent once more, if it may be repeated (client_request::
///   may_be_repeated()).
/// - Redirects: 301 and 302 turn POST into GET, 303 all but HEAD, 307 and 308 keep method and body, for which
///   the body must be no stream (http_error::body_not_replayable). Credentials and cookies of a request do
///   not go to another origin; https does not lead to http (http_error::redirect_refused).
/// - Errors: std::system_error with http_error, tls_error, or what the system says; what a request's body
///   throws. A status is no error.
/// - Cost: a request costs some allocations; client_connection works without any.
class client {
public:
    explicit client(client_options options = {});
    client(client&&) noexcept;
    client& operator=(client&&) noexcept;
    ~client();

    /// Sends a request and returns the response once its head has arrived.
    [[nodiscard]] task<client_response> send(client_request wanted);

    /// The texts are copied before these return.
    [[nodiscard]] task<client_response> get(std::string_view to);
    /// As get(), with the method HEAD: the response has no body.
    [[nodiscard]] task<client_response> head(std::string_view to);
    /// Sends a body of this media type with the method POST.
    [[nodiscard]] task<client_response> post(std::string_view to, outgoing_body body, std::string_view type);

    /// Sends a request that asks for another protocol (client_request::upgrade_to()), or CONNECT, on a
    /// connection of its own, and returns the stream once the server agrees. Redirects are not followed. Any
    /// status but 101, or 2xx to CONNECT: http_error::upgrade_refused, whose what() names it.
    [[nodiscard]] task<upgraded_stream> upgrade(client_request wanted);

    /// Makes a connection to the URL's host, unless there is one that takes requests, so that the first request need
    /// not wait for it. Errors as of send(). The text is copied before this returns. Dropped: no connection is made.
    [[nodiscard]] task<> connect(std::string_view to);
    /// Whether there is a connection of HTTP/2, to any host, that takes requests.
    [[nodiscard]] bool is_connected() const noexcept;
    /// Waits until there is none. Dropped: nothing changes.
    [[nodiscard]] task<> disconnected();

    /// The cookies that servers have set, if the client keeps them.
    [[nodiscard]] cookie_jar& cookies() noexcept;
    /// How many connections wait for a request, at the moment.
    [[nodiscard]] std::size_t idle_connections() const noexcept;
    /// Closes the connections that wait for a request.
    void close_idle_connections();

    // -- for the library --

    /// Its connections, by which eddy::rpc makes requests of its own.
    [[nodiscard]] const std::shared_ptr<client_pool>& pool() const noexcept { return pool_; }

private:
    std::shared_ptr<client_pool> pool_;
};

/// One request by a client of its own, which lives as long as the response. Texts are copied before the call
/// returns:
///
///     client_response response = co_await http::get("https://example.com/");
///
/// Dropped: as client::send().
[[nodiscard]] task<client_response> get(std::string_view to, client_options options = {});
/// As get(), with the method POST and a body of this media type. Dropped: as client::send().
[[nodiscard]] task<client_response> post(std::string_view to, outgoing_body body, std::string_view type,
                                         client_options options = {});

}  // namespace eddy::http
