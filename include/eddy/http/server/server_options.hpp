#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/message/protocol_choice.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace eddy {
class tls_context;
}

namespace eddy::http {

class exchange;
class secure_service;
class server_state;

/// Learns of a handler that has failed; see server_options::failure_reporter().
using failure_reporter = std::function<void(exchange&, const std::exception_ptr&)>;

/// What becomes of connections for which there is no place.
enum class overload : std::uint8_t {
    wait,     ///< They are not accepted before there is one.
    respond,  ///< 503 Service Unavailable, and the connection ends. Under TLS it is closed.
    close,    ///< They are reset.
};

/// How a server treats its connections. Setters chain. The defaults are safe in public.
class server_options {
public:
    server_options() = default;

    /// Sizes of requests; see message_limits for the response beyond each.
    server_options& limits(const message_limits& value) noexcept {
        limits_ = value;
        return *this;
    }
    /// How long a connection may wait for the first byte of its next request. Beyond: it is closed.
    server_options& idle_timeout(duration value) noexcept {
        idle_timeout_ = value;
        return *this;
    }
    /// From the first byte of a head to its last. Beyond: 408 Request Timeout, and the connection is closed.
    server_options& head_timeout(duration value) noexcept {
        head_timeout_ = value;
        return *this;
    }
    /// For each piece of a request's body to arrive. Beyond: 408, and the connection is closed.
    server_options& body_timeout(duration value) noexcept {
        body_timeout_ = value;
        return *this;
    }
    /// How fast a body must come, once body_timeout() is used up in all; counted while it is waited for. So
    /// one that comes in drops ends. 0: it does not matter. Beyond: 408.
    server_options& body_rate_min(std::uint64_t bytes_per_s) noexcept {
        body_rate_min_bytes_per_s_ = bytes_per_s;
        return *this;
    }
    /// How long a body may be waited for in all. Beyond: 408.
    server_options& body_duration_max(duration value) noexcept {
        body_duration_max_ = value;
        return *this;
    }
    /// For the client to take some more of a response. Beyond: it is cut off.
    server_options& write_timeout(duration value) noexcept {
        write_timeout_ = value;
        return *this;
    }
    /// How fast each piece of a response must be taken, once write_timeout() is used up. 0: it does not
    /// matter. Beyond: the client is cut off.
    server_options& write_rate_min(std::uint64_t bytes_per_s) noexcept {
        write_rate_min_bytes_per_s_ = bytes_per_s;
        return *this;
    }
    /// Connections at one time.
    server_options& connections_max(std::size_t count) noexcept {
        connections_max_ = count;
        return *this;
    }
    /// What happens to those beyond: by default they wait in the system's backlog.
    server_options& beyond_connections_max(overload what) noexcept {
        beyond_connections_max_ = what;
        return *this;
    }
    /// Connections at one time from one address, IPv6 ones by their first 64 bits. Beyond: as said by
    /// beyond_connections_per_address_max(). No limit by default, since a proxy is one address.
    server_options& connections_per_address_max(std::size_t count) noexcept {
        connections_per_address_max_ = count;
        return *this;
    }
    /// By default they are answered 503. Waiting is not possible here: `wait` means `answer`.
    server_options& beyond_connections_per_address_max(overload what) noexcept {
        beyond_connections_per_address_max_ = what;
        return *this;
    }
    /// Speaks TLS with these certificates. Handshakes are under the context's own limit of time. Requests
    /// that come without TLS are answered 400. Requires: a server's context.
    server_options& tls(tls_context context);
    /// Speaks another protocol, too, with clients that begin with it, or have agreed on it in a TLS handshake
    /// (tls_server_options::alpn() must list it): `protocol(http2())`. None by default.
    server_options& protocol(std::shared_ptr<const protocol_choice> spoken) noexcept {
        protocol_ = std::move(spoken);
        return *this;
    }
    /// Called when a handler has failed, before the client gets 500 or its response is cut short: an
    /// exception left it (the argument) or it gave no response (null). Not for request_error, nor for a
    /// client that has gone. Empty, the default: one line on standard error with method, path and the
    /// exception's words. An exception of the reporter's is ignored. The reporter is called by the server's
    /// worker.
    server_options& failure_reporter(http::failure_reporter reporter) {
        failure_reporter_ = std::move(reporter);
        return *this;
    }
    /// The Server field of every response; empty for none. Requires: a valid field value.
    server_options& name(std::string value) {
        name_ = std::move(value);
        return *this;
    }

    [[nodiscard]] const message_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] duration idle_timeout() const noexcept { return idle_timeout_; }
    [[nodiscard]] duration head_timeout() const noexcept { return head_timeout_; }
    [[nodiscard]] duration body_timeout() const noexcept { return body_timeout_; }
    /// The rate below which a request's body is too slow, in bytes a second.
    [[nodiscard]] std::uint64_t body_rate_min_bytes_per_s() const noexcept {
        return body_rate_min_bytes_per_s_;
    }
    [[nodiscard]] duration body_duration_max() const noexcept { return body_duration_max_; }
    /// The rate below which a response is taken too slowly, in bytes a second.
    [[nodiscard]] std::uint64_t write_rate_min_bytes_per_s() const noexcept {
        return write_rate_min_bytes_per_s_;
    }
    [[nodiscard]] duration write_timeout() const noexcept { return write_timeout_; }
    [[nodiscard]] std::size_t connections_max() const noexcept { return connections_max_; }
    [[nodiscard]] overload beyond_connections_max() const noexcept { return beyond_connections_max_; }
    [[nodiscard]] std::size_t connections_per_address_max() const noexcept {
        return connections_per_address_max_;
    }
    [[nodiscard]] overload beyond_connections_per_address_max() const noexcept {
        return beyond_connections_per_address_max_;
    }
    /// What speaks TLS, for the server; none where tls() was not called.
    [[nodiscard]] const secure_service* secure() const noexcept { return secure_.get(); }
    [[nodiscard]] const protocol_choice* protocol() const noexcept { return protocol_.get(); }
    [[nodiscard]] const http::failure_reporter& failure_reporter() const noexcept {
        return failure_reporter_;
    }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    message_limits limits_;
    duration idle_timeout_ = std::chrono::seconds(75);
    duration head_timeout_ = std::chrono::seconds(10);
    duration body_timeout_ = std::chrono::seconds(10);
    std::uint64_t body_rate_min_bytes_per_s_ = 240;
    duration body_duration_max_ = std::chrono::hours(1);
    duration write_timeout_ = std::chrono::seconds(30);
    std::uint64_t write_rate_min_bytes_per_s_ = 240;
    std::size_t connections_max_ = 100'000;
    std::size_t connections_per_address_max_ = std::numeric_limits<std::size_t>::max();
    overload beyond_connections_max_ = overload::wait;
    overload beyond_connections_per_address_max_ = overload::respond;
    std::shared_ptr<const secure_service> secure_;
    std::shared_ptr<const protocol_choice> protocol_;
    http::failure_reporter failure_reporter_;
    std::string name_ = "eddy";
};

}  // namespace eddy::http
