#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/http/limits.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace eddy::http {

/// How a server treats its connections. Setters chain. The defaults are safe in public.
class server_options {
public:
    server_options() = default;

    /// Sizes of requests; see message_limits for the answer beyond each.
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
    /// For each piece of a request's body to arrive. Beyond: the connection is closed.
    server_options& body_timeout(duration value) noexcept {
        body_timeout_ = value;
        return *this;
    }
    /// For each piece of an answer (up to 256 KiB) to be taken by the client. Beyond: it is cut off.
    server_options& write_timeout(duration value) noexcept {
        write_timeout_ = value;
        return *this;
    }
    /// Connections at one time. Those beyond wait in the system's backlog.
    server_options& connections_max(std::size_t count) noexcept {
        connections_max_ = count;
        return *this;
    }
    /// The Server field of every answer; empty for none. Requires: a valid field value.
    server_options& name(std::string value) {
        name_ = std::move(value);
        return *this;
    }

    [[nodiscard]] const message_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] duration idle_timeout() const noexcept { return idle_timeout_; }
    [[nodiscard]] duration head_timeout() const noexcept { return head_timeout_; }
    [[nodiscard]] duration body_timeout() const noexcept { return body_timeout_; }
    [[nodiscard]] duration write_timeout() const noexcept { return write_timeout_; }
    [[nodiscard]] std::size_t connections_max() const noexcept { return connections_max_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

private:
    message_limits limits_;
    duration idle_timeout_ = std::chrono::seconds(75);
    duration head_timeout_ = std::chrono::seconds(10);
    duration body_timeout_ = std::chrono::seconds(10);
    duration write_timeout_ = std::chrono::seconds(30);
    std::size_t connections_max_ = 100'000;
    std::string name_ = "eddy";
};

}  // namespace eddy::http
