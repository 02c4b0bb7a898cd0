#include "rpc/channel_target.hpp"

#include "rpc/dns_resolver.hpp"

#include <eddy/http/message/http_error.hpp>
#include <eddy/http/message/percent_encoding.hpp>
#include <eddy/http/message/url.hpp>
#include <eddy/io/detail/endpoint_text.hpp>

#include <algorithm>
#include <cstddef>
#include <system_error>

namespace eddy::rpc {
namespace {

// What follows "scheme:" and "//authority/".
std::string_view name_in(std::string_view text, std::string_view scheme) {
    text.remove_prefix(scheme.size() + 1);
    if (text.starts_with("//")) {
        const std::size_t slash = text.find('/', 2);
        text.remove_prefix(slash == std::string_view::npos ? text.size() : slash + 1);
    }
    return text;
}

// "10.0.0.1:80,10.0.0.2:80", or "[::1]:80".
std::vector<endpoint> addresses_in(std::string_view list) {
    std::vector<endpoint> found;
    while (!list.empty()) {
        const std::string_view each = list.substr(0, list.find(','));
        list.remove_prefix(std::min(each.size() + 1, list.size()));
        const auto at = eddy::detail::endpoint_from_text(each);
        if (!at)
            throw std::system_error(make_error_code(http::http_error::malformed_url),
                                    std::string(each).append(" (").append(at.error()).append(")"));
        found.push_back(*at);
    }
    return found;
}

}  // namespace

channel_target::channel_target(std::string_view text, const channel_options& options) {
    const std::string_view scheme = text.substr(0, text.find(':'));
    const std::string_view own_scheme = options.tls() ? "https://" : "http://";
    const auto given = options.resolvers().find(scheme);
    if (scheme == "ipv4" || scheme == "ipv6") {
        addresses = addresses_in(name_in(text, scheme));
        if (addresses.empty())
            throw std::system_error(make_error_code(http::http_error::malformed_url), std::string(text));
        origin = std::string(own_scheme) + addresses.front().to_string();
    } else if (scheme == "unix") {
        // "unix:path", or "unix:///absolute/path".
        text.remove_prefix(text.starts_with("unix://") ? 7 : 5);
        origin = http::url("http+unix://" + http::percent_encode(text)).origin();
    } else if (scheme != "dns" && given != options.resolvers().end()) {
        name = name_in(text, scheme);
        resolver = given->second;
        const std::string& authority = options.authority();
        origin =
            http::url(std::string(own_scheme) + (authority.empty() ? http::percent_encode(name) : authority))
                .origin();
    } else {
        const bool has_scheme = scheme != "dns" && text.find("://") != std::string_view::npos;
        const http::url at(has_scheme        ? std::string(text)
                           : scheme == "dns" ? std::string(own_scheme).append(name_in(text, scheme))
                                             : std::string(own_scheme).append(text));
        origin = at.origin();
        if (at.scheme() == "http+unix")
            return;
        if (at.scheme() != "http" && at.scheme() != "https")
            throw std::system_error(make_error_code(http::http_error::unsupported_scheme), std::string(text));
        name = std::string(at.host()) + ":" + std::to_string(at.port_or_default());
        const auto dns = options.resolvers().find("dns");
        if (dns != options.resolvers().end())
            resolver = dns->second;
        else if (!options.transport())
            resolver = std::make_shared<dns_resolver>();
    }
}

}  // namespace eddy::rpc
