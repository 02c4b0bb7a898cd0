#include <eddy/integrations/redis/options.hpp>
#include <eddy/tls/tls_client_options.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::redis {

namespace {

/// The text may hold a password, so only the reason is reported.
[[noreturn]] void refuse(const char* why) {
    throw std::invalid_argument(std::string("a Redis URL ") + why);
}

unsigned hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9')
        return static_cast<unsigned>(digit - '0');
    const char lower = static_cast<char>(digit | 0x20);
    if (lower >= 'a' && lower <= 'f')
        return static_cast<unsigned>(lower - 'a' + 10);
    refuse("has a % that two hexadecimal digits do not follow");
}

std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at != text.size(); ++at) {
        if (text[at] != '%') {
            plain.push_back(text[at]);
            continue;
        }
        if (text.size() - at < 3)
            refuse("has a % that two hexadecimal digits do not follow");
        plain.push_back(static_cast<char>(hexadecimal(text[at + 1]) << 4 | hexadecimal(text[at + 2])));
        at += 2;
    }
    if (plain.find('\0') != std::string::npos)
        refuse("has a null byte in it");
    return plain;
}

template <class Number>
Number parse_number(std::string_view text, const char* complaint) {
    Number value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failure != std::errc() || end != text.data() + text.size())
        refuse(complaint);
    return value;
}

/// Takes `user:password@` off the front of what stands before the path.
void take_credentials(std::string_view& authority, options& made) {
    const auto end = authority.rfind('@');
    if (end == std::string_view::npos)
        return;
    const std::string_view credentials = authority.substr(0, end);
    authority.remove_prefix(end + 1);
    const auto colon = credentials.find(':');
    if (colon == std::string_view::npos)
        refuse("names a user without a password");
    made.user(decoded(credentials.substr(0, colon)));
    made.password(decoded(credentials.substr(colon + 1)));
}

void take_authority(std::string_view authority, options& made) {
    if (authority.empty())
        return;
    std::string_view host = authority;
    std::string_view after;
    if (host.starts_with('[')) {  // an IPv6 address
        const auto end = host.find(']');
        if (end == std::string_view::npos)
            refuse("has a [ without a ]");
        after = host.substr(end + 1);
        host = host.substr(1, end - 1);
    } else if (const auto colon = host.find(':'); colon != std::string_view::npos) {
        after = host.substr(colon);
        host = host.substr(0, colon);
    }
    if (!host.empty())
        made.host(decoded(host));
    if (after.empty())
        return;
    if (!after.starts_with(':'))
        refuse("has something behind the address that is no port");
    const auto port =
        parse_number<std::uint16_t>(after.substr(1), "has a port that is no number from 1 to 65535");
    if (port == 0)
        refuse("has a port that is no number from 1 to 65535");
    made.port(port);
}

/// `?db=N`
void take_query(std::string_view query, options& made) {
    if (query.empty())
        return;
    if (!query.starts_with("db="))
        refuse("has a query that is not db=NUMBER");
    made.database(parse_number<unsigned>(query.substr(3), "has a database that is no number"));
}

}  // namespace

options options::from_url(std::string_view url) {
    const auto colon = url.find("://");
    if (colon == std::string_view::npos)
        refuse("begins with redis://, rediss:// or unix://");
    const std::string_view scheme = url.substr(0, colon);
    std::string_view rest = url.substr(colon + 3);
    std::string_view query;
    if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
        query = rest.substr(mark + 1);
        rest = rest.substr(0, mark);
    }
    // A password may hold a slash only if that is encoded, so the first one begins the path.
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view authority = rest.substr(0, slash);
    const std::string_view path = rest.substr(slash);

    options made;
    take_credentials(authority, made);
    if (scheme == "unix" || scheme == "redis+unix") {
        if (!authority.empty() || path.size() < 2)
            refuse("of a local socket has a path: unix:///path");
        made.local_path(decoded(path));
    } else if (scheme == "redis" || scheme == "rediss") {
        take_authority(authority, made);
        if (path.size() > 1)
            made.database(parse_number<unsigned>(path.substr(1), "has a database that is no number"));
        if (scheme == "rediss")
            made.tls(tls_context(tls_client_options()));
    } else {
        refuse("begins with redis://, rediss:// or unix://");
    }
    take_query(query, made);
    return made;
}

std::string options::where() const {
    return local_path_.empty() ? host_ + ":" + std::to_string(port_) : local_path_;
}

}  // namespace eddy::redis
