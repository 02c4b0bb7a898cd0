#include "http/characters.hpp"
#include "http/scan.hpp"

#include <eddy/http/cookie_jar.hpp>
#include <eddy/http/date.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace eddy::http {
namespace {

constexpr std::int64_t lifetime_seconds_max = 400 * 86400;  // as browsers have it

std::string lower(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char byte : text)
        out.push_back(to_lower(byte));
    return out;
}

bool is_address(const url& of) noexcept {
    const auto host = of.host();
    return host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

// RFC 6265 section 5.1.3.
bool is_in_domain(std::string_view host, std::string_view domain) noexcept {
    return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                              host[host.size() - domain.size() - 1] == '.');
}

// RFC 6265 section 5.1.4.
std::string_view default_path(std::string_view path) noexcept {
    const auto slash = path.rfind('/');
    return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}
bool is_on_path(std::string_view asked, std::string_view path) noexcept {
    return asked.starts_with(path) &&
           (asked.size() == path.size() || path.ends_with('/') || asked[path.size()] == '/');
}

// The cookie-date of section 5.1.1, which is loose, so far as servers send it: the three forms of HTTP, with
// "-" for spaces within the date.
std::optional<std::int64_t> parse_cookie_date(std::string_view text, std::int64_t now) {
    if (const auto strict = parse_date(text, now))
        return strict;
    std::string spaced(text);
    const auto comma = spaced.find(',');
    if (comma != std::string::npos)
        std::replace(spaced.begin() + static_cast<std::ptrdiff_t>(comma), spaced.end(), '-', ' ');
    return parse_date(spaced, now);
}

// Takes the next part up to a semicolon off the text.
std::string_view take_part(std::string_view& text) noexcept {
    const auto part = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return trim(part);
}

class reading {
public:
    reading(const url& from, std::int64_t now) : from_(from), now_(now) {}

    // Nothing if it is malformed or not allowed.
    std::optional<cookie> read(std::string_view text) {
        if (find_control(text.data(), 0, text.size()) != text.size())
            return std::nullopt;
        const auto pair = take_part(text);
        const auto equals = pair.find('=');
        if (equals == std::string_view::npos)
            return std::nullopt;
        made_.name = trim(pair.substr(0, equals));
        made_.value = trim(pair.substr(equals + 1));
        made_.domain = from_.host();
        made_.path = default_path(from_.path());
        while (!text.empty())
            take_attribute(take_part(text));
        if (made_.name.empty() || !is_allowed())
            return std::nullopt;
        return std::move(made_);
    }

private:
    void take_attribute(std::string_view part) {
        const auto name = trim(part.substr(0, part.find('=')));
        const auto equals = part.find('=');
        const auto value =
            equals == std::string_view::npos ? std::string_view() : trim(part.substr(equals + 1));
        if (equal_ignoring_case(name, "secure")) {
            made_.is_secure = true;
        } else if (equal_ignoring_case(name, "httponly")) {
            made_.is_http_only = true;
        } else if (equal_ignoring_case(name, "path")) {
            made_.path = value.starts_with('/') ? value : default_path(from_.path());
            has_path_ = value.starts_with('/');
        } else if (equal_ignoring_case(name, "domain") && !value.empty()) {
            made_.domain = lower(value.substr(value.starts_with('.') ? 1 : 0));
            made_.is_host_only = false;
        } else if (equal_ignoring_case(name, "max-age")) {
            take_max_age(value);
        } else if (equal_ignoring_case(name, "expires") && !has_max_age_) {
            if (const auto at = parse_cookie_date(value, now_))
                made_.expires_at = std::clamp<std::int64_t>(*at, 1, now_ + lifetime_seconds_max);
        }
    }

    void take_max_age(std::string_view value) {
        std::int64_t seconds = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (value.empty() || end != value.data() + value.size())
            return;
        if (error == std::errc::result_out_of_range)
            seconds = value.starts_with('-') ? 0 : lifetime_seconds_max;
        has_max_age_ = true;
        made_.expires_at = seconds <= 0 ? 1 : now_ + std::min(seconds, lifetime_seconds_max);
    }

    [[nodiscard]] bool is_allowed() {
        const auto host = from_.host();
        if (!made_.is_host_only && made_.domain == host)
            made_.is_host_only = is_address(from_) || !host.contains('.');
        else if (!made_.is_host_only &&
                 (is_address(from_) || !made_.domain.contains('.') || !is_in_domain(host, made_.domain)))
            return false;
        if (made_.is_secure && !from_.is_secure())
            return false;
        const std::string name = lower(made_.name);
        if (name.starts_with("__secure-"))
            return made_.is_secure;
        if (name.starts_with("__host-"))
            return made_.is_secure && made_.is_host_only && has_path_ && made_.path == "/";
        return true;
    }

    const url& from_;
    std::int64_t now_;
    cookie made_;
    bool has_max_age_ = false;
    bool has_path_ = false;
};

bool is_expired(const cookie& each, std::int64_t now) noexcept {
    return each.expires_at != 0 && each.expires_at <= now;
}

}  // namespace

bool cookie_jar::set(const url& from, std::string_view set_cookie, std::int64_t now) {
    auto made = reading(from, now).read(set_cookie);
    if (!made || made->name.size() + made->value.size() > limits_.cookie_bytes_max() ||
        made->path.size() > limits_.cookie_bytes_max())
        return false;
    const auto like = std::ranges::find_if(cookies_, [&made](const cookie& each) {
        return each.name == made->name && each.domain == made->domain && each.path == made->path;
    });
    if (like != cookies_.end()) {
        // What came by a connection that is secure is not replaced by one that is not (RFC 6265bis).
        if (like->is_secure && !from.is_secure())
            return false;
        if (is_expired(*made, now))
            cookies_.erase(like);
        else
            *like = std::move(*made);
        return true;
    }
    if (is_expired(*made, now))
        return true;
    remove_expired(now);
    make_room(made->domain);
    cookies_.push_back(std::move(*made));
    return true;
}

std::string cookie_jar::header_for(const url& to, std::int64_t now) const {
    std::vector<const cookie*> sent;
    for (const cookie& each : cookies_) {
        const bool is_of_host =
            each.is_host_only ? to.host() == each.domain : is_in_domain(to.host(), each.domain);
        if (is_of_host && is_on_path(to.path(), each.path) && (!each.is_secure || to.is_secure()) &&
            !is_expired(each, now))
            sent.push_back(&each);
    }
    std::ranges::sort(sent, [](const cookie* a, const cookie* b) {
        return a->path.size() != b->path.size() ? a->path.size() > b->path.size() : a < b;
    });
    std::string text;
    for (const cookie* each : sent)
        text.append(text.empty() ? "" : "; ").append(each->name).append("=").append(each->value);
    return text;
}

void cookie_jar::remove_expired(std::int64_t now) {
    std::erase_if(cookies_, [now](const cookie& each) { return is_expired(each, now); });
}

void cookie_jar::make_room(std::string_view domain) {
    const auto is_there = [domain](const cookie& each) { return each.domain == domain; };
    const auto there = static_cast<std::size_t>(std::ranges::count_if(cookies_, is_there));
    if (there >= limits_.cookies_per_domain_max())
        cookies_.erase(std::ranges::find_if(cookies_, is_there));
    else if (cookies_.size() >= limits_.cookies_max() && !cookies_.empty())
        cookies_.erase(cookies_.begin());
}

}  // namespace eddy::http
