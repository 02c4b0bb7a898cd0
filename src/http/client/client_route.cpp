#include "http/client/client_route.hpp"

#include "http/client/fail.hpp"
#include "http/message/base64.hpp"

#include <eddy/http/message/percent_encoding.hpp>

namespace eddy::http {

std::string basic_credentials(const url& of) {
    if (of.user_info().empty())
        return {};
    const auto decoded = percent_decode(of.user_info());
    std::string text = decoded.value_or(std::string(of.user_info()));
    if (!text.contains(':'))
        text.push_back(':');
    return "Basic " + base64_encode(text);
}

client_route::client_route(const url& to, const client_options& options) : origin_(to) {
    const auto scheme = to.scheme();
    const bool is_local = scheme == "http+unix" || scheme == "ws+unix";
    if (!is_local && scheme != "http" && scheme != "https" && scheme != "ws" && scheme != "wss")
        fail(http_error::unsupported_scheme, scheme);
    proxy_ = options.proxies().proxy_for(to);
    key_ = std::string(is_secure() ? "tls://" : is_local ? "local://" : "tcp://").append(to.authority());
    if (is_secure() && !to.port())
        key_.append(":443");
    if (proxy_)
        key_ = std::string(is_tunnelled() ? key_ : "").append(" by ").append(proxy_->origin());
}

client_target client_route::first_hop() const {
    if (proxy_)
        return {std::string(proxy_->host_name()), proxy_->port_or_default()};
    if (!origin_.scheme().ends_with("+unix"))
        return {std::string(origin_.host_name()), origin_.port_or_default()};
    auto path = percent_decode(origin_.host());
    if (!path || path->empty())
        fail(http_error::malformed_url, "local socket");
    return client_target::local(std::move(*path));
}

std::string client_route::proxy_credentials() const {
    return proxy_ ? basic_credentials(*proxy_) : std::string();
}

}  // namespace eddy::http
