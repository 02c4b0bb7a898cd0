#include "http/message/characters.hpp"

#include <eddy/http/client/client_options.hpp>
#include <eddy/http/message/http_error.hpp>

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace eddy::http {
namespace {

// "host:port" as people write it is by http.
url proxy_url(std::string_view text) {
    url made(text.contains("://") ? std::string(text) : std::string("http://").append(text));
    if (made.scheme() != "http")
        throw std::system_error(make_error_code(http_error::unsupported_scheme), "proxy");
    return made;
}

std::string_view variable(const char* name, const char* upper) {
    const char* value = std::getenv(name);
    if ((value == nullptr || *value == '\0') && upper != nullptr)
        value = std::getenv(upper);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

std::optional<url> proxy_from(std::string_view text) {
    try {
        return text.empty() ? std::nullopt : std::optional(proxy_url(text));
    } catch (const std::system_error&) {
        return std::nullopt;
    }
}

bool is_or_is_below(std::string_view host, std::string_view domain) noexcept {
    return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                              host[host.size() - domain.size() - 1] == '.');
}

// "a.test." is "a.test": the dot stands for the root.
std::string_view without_root(std::string_view host) noexcept {
    return host.substr(0, host.size() - (host.ends_with('.') ? 1 : 0));
}

}  // namespace

proxy_settings& proxy_settings::for_http(std::string_view proxy) {
    http_ = proxy_url(proxy);
    return *this;
}

proxy_settings& proxy_settings::for_https(std::string_view proxy) {
    https_ = proxy_url(proxy);
    return *this;
}

proxy_settings& proxy_settings::except(std::string_view hosts) {
    while (!hosts.empty()) {
        auto host = take_element(hosts);
        if (host.starts_with('.'))
            host.remove_prefix(1);
        const auto colon = host.rfind(':');
        const bool has_port = colon != std::string_view::npos && host.find(':') == colon;
        const auto name = has_port ? host.substr(0, colon) : host;
        std::string lower(without_root(name));
        lower.append(host.substr(name.size()));
        std::ranges::transform(lower, lower.begin(), to_lower);
        if (!lower.empty())
            excepted_.push_back(std::move(lower));
    }
    return *this;
}

proxy_settings proxy_settings::from_environment() {
    proxy_settings made;
    const auto all = variable("all_proxy", "ALL_PROXY");
    const auto http = variable("http_proxy", nullptr);
    const auto https = variable("https_proxy", "HTTPS_PROXY");
    made.http_ = proxy_from(http.empty() ? all : http);
    made.https_ = proxy_from(https.empty() ? all : https);
    made.except(variable("no_proxy", "NO_PROXY"));
    return made;
}

const std::optional<url>& proxy_settings::proxy_for(const url& to) const noexcept {
    static const std::optional<url> none;
    const auto scheme = to.scheme();
    if ((!to.is_secure() && scheme != "http" && scheme != "ws") || is_excepted(to))
        return none;
    return to.is_secure() ? https_ : http_;
}

bool proxy_settings::is_excepted(const url& to) const noexcept {
    const auto host = without_root(to.host());
    const auto port = to.authority().substr(to.host().size());
    return std::ranges::any_of(excepted_, [&](std::string_view each) {
        const bool is_with_port = each.starts_with(host) && each.substr(host.size()) == port;
        return each == "*" || is_or_is_below(host, each) || to.host_name() == each || is_with_port;
    });
}

}  // namespace eddy::http
