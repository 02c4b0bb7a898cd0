#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/curl/client_options.hpp>
#include <eddy/integrations/curl/request.hpp>
#include <eddy/integrations/curl/transfer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::curl {

class engine;

/// libcurl on a worker: any number of transfers at once over one multi handle (libcurl-multi(3)),
/// whose sockets and deadlines the worker waits for. They share connections, HTTP/2's streams among them,
/// resolved names, TLS sessions and, if wanted, cookies.
///
///     curl::client by;
///     curl::transfer answer = co_await by.get("https://example.com/");
///     const std::string text = co_await answer.read_all();
///
/// - Ownership: neither moves nor copies. Transfers may outlive it, and keep what they need.
/// - Thread safety: none; it belongs to the worker on which it was made, its transfers too.
/// - Where a waiter resumes: in its worker's loop, never inside libcurl, so the task may make any call.
/// - Cancellation: as transfer. Dropping does not wait for a name that is being resolved: a thread of libcurl
///   does that, and frees its memory by itself. Destroying the last transfer and the client closes all
///   connections.
/// - Errors: std::system_error with codes of error_category() and multi_category().
/// - Cost: a descriptor that libcurl waits for is an operation of the backend, without an allocation for
///   each wait; all deadlines together are one timer.
class client {
public:
    /// Throws std::system_error, std::bad_alloc. Requires: the caller is on a worker.
    explicit client(client_options options = {});
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client();

    /// Begins a transfer and does not wait. Throws std::system_error for what libcurl refuses.
    [[nodiscard]] transfer start(const request& req);
    /// Begins one and waits for its head. Any status is a response, 404 too. Dropped: as transfer.
    [[nodiscard]] task<transfer> send(request req);

    // The type is copied before they return.
    /// Begins a request with the method GET; returns with its head.
    [[nodiscard]] task<transfer> get(std::string url);
    /// The same with HEAD: there is no body.
    [[nodiscard]] task<transfer> head(std::string url);
    /// The same with POST and a body of this media type.
    [[nodiscard]] task<transfer> post(std::string url, upload body, std::string_view type);
    /// The same with PUT and a body of this media type.
    [[nodiscard]] task<transfer> put(std::string url, upload body, std::string_view type);
    /// The same with DELETE.
    [[nodiscard]] task<transfer> remove(std::string url);

    /// Transfers that have begun and not ended.
    [[nodiscard]] std::size_t running() const noexcept;

    // -- cookies, if they are kept --

    /// One line each, in Netscape's format or as "Set-Cookie: ..." (CURLOPT_COOKIELIST(3)).
    [[nodiscard]] std::vector<std::string> cookies() const;
    /// Adds a cookie, as a line of Netscape's format or as Set-Cookie has it.
    void add_cookie(const std::string& line);
    /// Removes all cookies.
    void clear_cookies();

private:
    std::shared_ptr<engine> engine_;
};

}  // namespace eddy::curl
