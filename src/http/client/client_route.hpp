#pragma once

#include <eddy/http/client/client_options.hpp>
#include <eddy/http/message/url.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// How a request gets to its origin. What has the same key shares connections.
class client_route {
public:
    /// Throws http_error::unsupported_scheme.
    client_route(const url& to, const client_options& options);

    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] const url& origin() const noexcept { return origin_; }
    [[nodiscard]] const std::optional<url>& proxy() const noexcept { return proxy_; }
    [[nodiscard]] bool is_secure() const noexcept { return origin_.is_secure(); }
    /// Whether the proxy opens a tunnel rather than fetches the resource.
    [[nodiscard]] bool is_tunnelled() const noexcept { return proxy_ && is_secure(); }
    [[nodiscard]] bool asks_proxy() const noexcept { return proxy_ && !is_secure(); }
    [[nodiscard]] client_target first_hop() const;
    /// The value of Proxy-Authorization; empty if there is none.
    [[nodiscard]] std::string proxy_credentials() const;

private:
    url origin_;
    std::optional<url> proxy_;
    std::string key_;
};

/// The value of Host (RFC 9110 7.2).
[[nodiscard]] inline std::string_view host_field(const url& of) noexcept {
    return of.scheme().ends_with("+unix") ? "localhost" : of.authority();
}

/// "Basic ..." from the user information of a URL; empty without any.
[[nodiscard]] std::string basic_credentials(const url& of);

}  // namespace eddy::http
