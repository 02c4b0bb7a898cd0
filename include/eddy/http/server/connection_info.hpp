#pragma once

#include <eddy/io/endpoint.hpp>

#include <optional>

namespace eddy {
class tls_session_info;
}

namespace eddy::http {

/// What is known of the connection on which a request has come. Setters chain.
class connection_info {
public:
    connection_info() noexcept = default;

    connection_info& peer(const endpoint& value) noexcept {
        peer_ = value;
        return *this;
    }
    /// Sets the endpoint of this side.
    connection_info& local(const endpoint& value) noexcept {
        local_ = value;
        return *this;
    }
    /// Requires: it outlives this.
    connection_info& tls(const tls_session_info* value) noexcept {
        tls_ = value;
        return *this;
    }

    /// The other end, and this one; none where the connection is not TCP's, or has ended.
    [[nodiscard]] const std::optional<endpoint>& peer() const noexcept { return peer_; }
    [[nodiscard]] const std::optional<endpoint>& local() const noexcept { return local_; }
    /// Null on a connection without TLS.
    [[nodiscard]] const tls_session_info* tls() const noexcept { return tls_; }

private:
    std::optional<endpoint> peer_;
    std::optional<endpoint> local_;
    const tls_session_info* tls_ = nullptr;
};

}  // namespace eddy::http
