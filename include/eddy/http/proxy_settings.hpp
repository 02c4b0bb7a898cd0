#pragma once

#include <eddy/http/url.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// Which proxy a client goes through for a URL. A value; setters chain. None by default.
///
/// Over a proxy, http is asked for in absolute form, and https by a tunnel (CONNECT), inside which TLS is
/// spoken with the origin itself. User information of a proxy's URL is sent as Proxy-Authorization. The proxy
/// itself is spoken to by http.
class proxy_settings {
public:
    proxy_settings() = default;

    /// Throw std::system_error with http_error::malformed_url, or unsupported_scheme for another than http.
    proxy_settings& for_http(std::string_view proxy);
    proxy_settings& for_https(std::string_view proxy);
    proxy_settings& for_all(std::string_view proxy) { return for_http(proxy).for_https(proxy); }
    /// Hosts that are asked directly, by commas: "example.com" and all below it, also ".example.com"; an
    /// address; "host:port"; "*" for all.
    proxy_settings& except(std::string_view hosts);

    /// What http_proxy, https_proxy, all_proxy and no_proxy say, also in upper case but for HTTP_PROXY, which
    /// a web server may have set from a request's Proxy field. Values that are no URL are passed over.
    [[nodiscard]] static proxy_settings from_environment();

    /// The proxy for this URL, if it is not asked directly. None for other schemes than http, https, ws, wss.
    [[nodiscard]] const std::optional<url>& proxy_for(const url& to) const noexcept;

private:
    [[nodiscard]] bool is_excepted(const url& to) const noexcept;

    std::optional<url> http_;
    std::optional<url> https_;
    std::vector<std::string> excepted_;
};

}  // namespace eddy::http
