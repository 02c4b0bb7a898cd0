#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/client/outgoing_body.hpp>
#include <eddy/http/message/method.hpp>
#include <eddy/http/message/url.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::http {

/// The request of a client. A value: setters chain, copies share a streamed body.
///
///     client_request wanted(method::put, "https://example.com/a");
///     wanted.field("If-Match", tag).content(text, "text/plain").bearer_auth(token);
///
/// A name that is no token, and a value that holds a control character, throw std::system_error with
/// http_error::invalid_request, as do fields that the client writes itself: Content-Length,
/// Transfer-Encoding, Expect and, but for upgrades, Connection, Upgrade and what else ends at the next hop.
class client_request {
public:
    /// Names and values, in order.
    using field_list = std::vector<std::pair<std::string, std::string>>;

    /// Throw std::system_error with http_error::malformed_url.
    client_request(http::method requested, std::string_view to) : client_request(requested, http::url(to)) {}
    client_request(http::method requested, http::url to);
    /// A method that has no name here. Throws http_error::invalid_request if it is no token.
    client_request(std::string method_name, http::url to);

    /// Adds a field; several of one name keep their order.
    client_request& field(std::string_view name, std::string_view value);
    /// In place of all of this name.
    client_request& set_field(std::string_view name, std::string_view value);
    /// Removes the fields of this name, whatever its case.
    client_request& remove_field(std::string_view name);

    /// The body, and its Content-Type unless that is empty.
    client_request& content(outgoing_body body, std::string_view type = {});

    /// Authorization (RFC 7617, RFC 6750). Not sent on to other origins by redirects.
    client_request& basic_auth(std::string_view user, std::string_view password);
    /// Sends a token as Authorization: Bearer (RFC 6750).
    client_request& bearer_auth(std::string_view token);

    /// Waits for 100 Continue before sending the body (RFC 9110 section 10.1.1), for a second at most.
    client_request& expect_continue(bool is_on) noexcept {
        expects_continue_ = is_on;
        return *this;
    }
    /// Says that doing it twice does no harm although the method does not say so, so that it may be sent
    /// again.
    client_request& idempotent(bool is_on) noexcept {
        is_idempotent_ = is_on;
        return *this;
    }
    /// How long all of it may take, in place of the client's limit.
    client_request& total_time(duration limit) noexcept {
        total_time_ = limit;
        return *this;
    }
    /// Says that trailer fields of the response are wanted (TE, RFC 9110 section 6.5.1).
    client_request& accept_trailers();
    /// Asks the connection to change to another protocol (RFC 9110 section 7.8); see client::upgrade().
    client_request& upgrade_to(std::string_view protocol);

    /// The method; method::other if the library has no name for it.
    [[nodiscard]] http::method method() const noexcept { return method_; }
    /// The method as it is sent.
    [[nodiscard]] std::string_view method_name() const noexcept { return method_name_; }
    /// Where it goes.
    [[nodiscard]] const http::url& url() const noexcept { return url_; }
    /// The fields, in order.
    [[nodiscard]] const field_list& fields() const noexcept { return fields_; }
    /// Whether there is a field of this name, whatever its case.
    [[nodiscard]] bool has_field(std::string_view name) const noexcept;
    /// What is sent behind the head.
    [[nodiscard]] const outgoing_body& body() const noexcept { return body_; }
    /// Whether it waits for 100 Continue before it sends the body.
    [[nodiscard]] bool expects_continue() const noexcept { return expects_continue_; }
    /// Whether it asks for another protocol.
    [[nodiscard]] bool upgrades() const noexcept { return upgrades_; }
    [[nodiscard]] std::optional<duration> total_time() const noexcept { return total_time_; }
    /// Whether it may be sent a second time if it is not known what became of the first.
    [[nodiscard]] bool may_be_repeated() const noexcept {
        return !body_.is_stream() && (is_idempotent_ || http::is_idempotent(method_));
    }

    /// For redirects: the same request for another place, with another method if need be, which takes the
    /// body along only if it stays the same. What the URL says of the user is kept on the same origin.
    void redirect(http::url to, http::method requested);

private:
    http::method method_;
    std::string method_name_;
    http::url url_;
    field_list fields_;
    outgoing_body body_;
    std::optional<duration> total_time_;
    bool expects_continue_ = false;
    bool is_idempotent_ = false;
    bool upgrades_ = false;
};

}  // namespace eddy::http
