#include "http/message/characters.hpp"
#include "http/message/scan.hpp"

#include <eddy/http/client/cookie_jar.hpp>
#include <eddy/http/message/date.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace eddy::http {
namespace {

// RFC 6265bis sections 5.5 and 5.6.
constexpr std::int64_t lifetime_seconds_max = 400 * 86400;
constexpr std::size_t attribute_bytes_max = 1024;

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
bool is_on_path(std::string_view requested, std::string_view path) noexcept {
    return requested.starts_with(path) &&
           (requested.size() == path.size() || path.ends_with('/') || requested[path.size()] == '/');
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
        // Without "=" it is a value that has no name.
        const auto equals = pair.find('=');
        const bool has_name = equals != std::string_view::npos;
        made_.name = trim(has_name ? pair.substr(0, equals) : std::string_view());
        made_.value = trim(has_name ? pair.substr(equals + 1) : pair);
        made_.domain = from_.host();
        made_.path = default_path(from_.path());
        while (!text.empty())
            take_attribute(take_part(text));
        if ((made_.name.empty() && made_.value.empty()) || !is_allowed())
            return std::nullopt;
        return std::move(made_);
    }

private:
    void take_attribute(std::string_view part) {
        const auto name = trim(part.substr(0, part.find('=')));
        const auto equals = part.find('=');
        const auto value =
            equals == std::string_view::npos ? std::string_view() : trim(part.substr(equals + 1));
        if (value.size() > attribute_bytes_max)
            return;
        if (equal_ignoring_case(name, "secure")) {
            made_.is_secure = true;
        } else if (equal_ignoring_case(name, "httponly")) {
            made_.is_http_only = true;
        } else if (equal_ignoring_case(name, "path")) {
            made_.path = value.starts_with('/') ? value : default_path(from_.path());
            has_path_ = value.starts_with('/');
        } else if (equal_ignoring_case(name, "domain")) {
            // The last one counts; an empty one is none.
            const auto domain = value.substr(value.starts_with('.') ? 1 : 0);
            made_.is_host_only = domain.empty();
            made_.domain = made_.is_host_only ? std::string(from_.host()) : lower(domain);
        } else if (equal_ignoring_case(name, "samesite")) {
            is_for_any_site_ = equal_ignoring_case(value, "none");
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

    [[nodiscard]] static bool promises(std::string_view text, std::string_view prefix) noexcept {
        return equal_ignoring_case(text.substr(0, prefix.size()), prefix);
    }

    [[nodiscard]] bool is_allowed() {
        const auto host = from_.host();
        if (!made_.is_host_only && made_.domain == host)
            made_.is_host_only = is_address(from_) || !host.contains('.');
        else if (!made_.is_host_only &&
                 (is_address(from_) || !made_.domain.contains('.') || !is_in_domain(host, made_.domain)))
            return false;
        if (made_.is_secure ? !from_.is_secure() : is_for_any_site_)
            return false;
        // A value without a name could pass for a name with a prefix, whose rules it need not meet.
        if (made_.name.empty())
            return !promises(made_.value, "__secure-") && !promises(made_.value, "__host-");
        if (promises(made_.name, "__secure-"))
            return made_.is_secure;
        if (promises(made_.name, "__host-"))
            return made_.is_secure && made_.is_host_only && has_path_ && made_.path == "/";
        return true;
    }

    const url& from_;
    std::int64_t now_;
    cookie made_;
    bool has_max_age_ = false;
    bool has_path_ = false;
    bool is_for_any_site_ = false;  // SameSite=None
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
    if (!from.is_secure() && shadows_secure(*made))
        return false;
    const auto like = std::ranges::find_if(cookies_, [&made](const cookie& each) {
        return each.name == made->name && each.domain == made->domain &&
               each.is_host_only == made->is_host_only && each.path == made->path;
    });
    if (like != cookies_.end()) {
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

// RFC 6265bis section 5.7, step 16: what came by a connection that is secure is neither replaced nor hidden
// by what did not.
bool cookie_jar::shadows_secure(const cookie& made) const noexcept {
    return std::ranges::any_of(cookies_, [&made](const cookie& each) {
        return each.is_secure && each.name == made.name &&
               (is_in_domain(each.domain, made.domain) || is_in_domain(made.domain, each.domain)) &&
               is_on_path(made.path, each.path);
    });
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
    for (const cookie* each : sent) {
        text.append(text.empty() ? "" : "; ").append(each->name);
        text.append(each->name.empty() ? "" : "=").append(each->value);
    }
    return text;
}

void cookie_jar::remove_expired(std::int64_t now) {
    std::erase_if(cookies_, [now](const cookie& each) { return is_expired(each, now); });
}

// The oldest of those that came without Secure, else of all: a server that is not secure must not make those
// go that are. Requires: there is one.
template <class Predicate>
std::vector<cookie>::iterator cookie_jar::oldest(Predicate counts) {
    const auto plain = std::ranges::find_if(
        cookies_, [&counts](const cookie& each) { return counts(each) && !each.is_secure; });
    return plain != cookies_.end() ? plain : std::ranges::find_if(cookies_, counts);
}

void cookie_jar::make_room(std::string_view domain) {
    const auto is_there = [domain](const cookie& each) { return each.domain == domain; };
    const auto there = static_cast<std::size_t>(std::ranges::count_if(cookies_, is_there));
    if (there != 0 && there >= limits_.cookies_per_domain_max())
        cookies_.erase(oldest(is_there));
    else if (cookies_.size() >= limits_.cookies_max() && !cookies_.empty())
        cookies_.erase(oldest([](const cookie&) { return true; }));
}

}  // namespace eddy::http
