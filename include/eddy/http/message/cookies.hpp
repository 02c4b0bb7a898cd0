#pragma once

#include <eddy/detail/build.hpp>
#include <eddy/http/message/request_head.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// When a browser sends a cookie along with requests that another site has caused.
enum class same_site : std::uint8_t {
    /// Never sent by other sites' pages.
    strict,
    /// Sent when a link of another site is followed.
    lax,
    /// Sent always; requires secure().
    none,
};

/// A cookie that a server sets, as the value of a Set-Cookie field (RFC 6265 section 4.1 and its
/// successor 6265bis). Without more it is Path=/, HttpOnly, Secure and SameSite=Lax, lasting as long as the
/// browser's session: what a session's cookie should be. Setters chain.
///
///     response.cookie(set_cookie("session", token).max_age(std::chrono::hours(8)));
///
/// Errors: std::invalid_argument for what a browser would misread: a name that is no token, a
/// value with white space, quotes, commas, semicolons, backslashes or control characters, a path or a domain
/// with semicolons or control characters; by text(), also for SameSite=None without Secure, and for a name
/// that begins with __Secure- or __Host- without what this promises. Encode values that may be anything
/// (percent_encode()).
class set_cookie {
public:
    /// A cookie of this name. Throws std::invalid_argument if either may not be sent.
    set_cookie(std::string_view name, std::string_view value);
    /// Removes a cookie from the client. Requires: domain() and path() as it was set with.
    [[nodiscard]] static set_cookie removal(std::string_view name);

    /// The path below which the client sends it.
    set_cookie& path(std::string_view value);
    /// Sends it to this domain and those below. Without it, only to the host that set it.
    set_cookie& domain(std::string_view value);
    /// How long the client keeps it; 0 deletes it.
    set_cookie& max_age(std::chrono::seconds value) noexcept {
        max_age_ = value;
        return *this;
    }
    /// Whether it is sent over TLS only.
    set_cookie& secure(bool value) noexcept {
        secure_ = value;
        return *this;
    }
    /// Whether scripts do not see it.
    set_cookie& http_only(bool value) noexcept {
        http_only_ = value;
        return *this;
    }
    /// Whether requests from other sites' pages have it.
    set_cookie& same_site(http::same_site value) noexcept {
        same_site_ = value;
        return *this;
    }

    /// As it stands in the field.
    [[nodiscard]] std::string text() const;

private:
    std::string name_;
    std::string value_;
    std::string path_ = "/";
    std::string domain_;
    std::optional<std::chrono::seconds> max_age_;
    bool secure_ = true;
    bool http_only_ = true;
    http::same_site same_site_ = http::same_site::lax;
};

/// One cookie that a client has sent. Refers to the request.
class cookie_view {
public:
    /// Views of the request's memory.
    cookie_view(std::string_view name, std::string_view value) noexcept : name_(name), value_(value) {}

    /// The name.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    /// Without the quotes that may stand around it.
    [[nodiscard]] std::string_view value() const noexcept { return value_; }

private:
    std::string_view name_;
    std::string_view value_;
};

/// Takes the next cookie off the value of a Cookie field (RFC 6265 section 4.2.1). What is none, because it
/// has no "=", no name, a name that is no token or a value with characters that cookies do not have, is left
/// out, since other servers of the same domain may have set it. Returns nothing at the end. Accepts any
/// bytes.
[[nodiscard]] std::optional<cookie_view> take_cookie(std::string_view& rest) noexcept;

/// The cookies of a request, in the order sent. A view: valid as long as the request is. Nothing is
/// allocated; each look goes through all of them.
class request_cookies {
public:
    /// Views of the head, which outlives it.
    explicit request_cookies(request_head request) noexcept : request_(request) {}

    /// The first one of that name, in this case of letters.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const noexcept;

    /// Calls visit(cookie_view) for each.
    template <class Visitor>
    void for_each(Visitor&& visit) const {
        request_.for_each(field::cookie, [&visit](std::string_view rest) {
            while (const auto cookie = take_cookie(rest))
                visit(*cookie);
        });
    }

private:
    request_head request_;
};

}  // namespace eddy::http
