#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/integrations/curl/tls_options.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace eddy::curl {

/// How a user authenticates; for `any`, the safest scheme that both sides support.
enum class login_scheme : std::uint8_t {
    /// The password as it is (RFC 7617).
    basic,
    /// A digest of it (RFC 7616).
    digest,
    /// Kerberos, by SPNEGO (RFC 4559).
    negotiate,
    /// The safest that the server offers; costs a request.
    any,
};

/// The proxy of transfers; none by default. A value; setters chain.
///
/// An HTTP proxy gets requests for http with the whole URL; for everything else it opens a tunnel (CONNECT),
/// in which TLS is spoken with the server itself. SOCKS tunnels everything.
class proxy_options {
public:
    proxy_options() = default;
    /// `http://host:3128`, `https://...`, `socks5h://...` and whatever else CURLOPT_PROXY(3) supports. With
    /// socks5h and HTTP the proxy resolves the server's name, with socks5 this machine does.
    explicit proxy_options(std::string url) : url_(std::move(url)) {}
    /// What the environment says when a transfer begins: http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY.
    [[nodiscard]] static proxy_options from_environment() {
        proxy_options made;
        made.is_of_environment_ = true;
        return made;
    }

    /// Unless the URL has one, of which the scheme is basic. With HTTP as request::login() says, but once for
    /// a tunnel. SOCKS has one scheme. A tunnel for a wrong one fails with transfer_error::proxy_refused;
    /// without a tunnel the proxy's refusal is a response: 407. A client's transfers share tunnels that are
    /// open, whatever their logins.
    proxy_options& login(std::string user, std::string password, login_scheme scheme = login_scheme::any) {
        user_ = std::move(user);
        password_ = std::move(password);
        scheme_ = scheme;
        return *this;
    }
    /// How TLS is spoken with a proxy of `https://`.
    proxy_options& tls(tls_options options) {
        tls_ = std::move(options);
        return *this;
    }
    /// Hosts that are reached directly: names and what is below them, addresses, with commas between them;
    /// "*" for all. From the environment's proxies, in place of NO_PROXY.
    proxy_options& except(std::string hosts) {
        except_ = std::move(hosts);
        return *this;
    }

    /// Whether the proxy is that of the environment's variables.
    [[nodiscard]] bool is_of_environment() const noexcept { return is_of_environment_; }
    /// The proxy; empty for none.
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    /// The name at the proxy.
    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    /// The password at the proxy.
    [[nodiscard]] const std::string& password() const noexcept { return password_; }
    /// How it logs in at the proxy.
    [[nodiscard]] login_scheme scheme() const noexcept { return scheme_; }
    [[nodiscard]] const tls_options& tls() const noexcept { return tls_; }
    [[nodiscard]] const std::string& except() const noexcept { return except_; }

private:
    std::string url_;
    std::string user_;
    std::string password_;
    std::string except_;
    tls_options tls_;
    login_scheme scheme_ = login_scheme::any;
    bool is_of_environment_ = false;
};

}  // namespace eddy::curl
