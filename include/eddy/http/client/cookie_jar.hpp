#pragma once

#include <eddy/http/message/url.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace eddy::http {

/// One cookie that a server has set (RFC 6265 section 5.3). A value.
struct cookie {
    cookie() = default;

    std::string name;  ///< may be empty
    /// Its value.
    std::string value;
    std::string domain;  ///< in lower case, without a dot in front
    /// The path below which it is sent.
    std::string path;
    std::int64_t expires_at = 0;  ///< seconds since 1970; 0: with the jar
    bool is_host_only = true;     ///< for this host alone, not for those below it
    /// Whether it is sent over TLS only.
    bool is_secure = false;
    /// Whether scripts may not see it.
    bool is_http_only = false;
};

/// How much a jar keeps. Setters chain.
class cookie_limits {
public:
    cookie_limits() noexcept = default;

    /// Name and value together; longer ones are not taken.
    cookie_limits& cookie_bytes_max(std::size_t bytes) noexcept {
        cookie_bytes_max_ = bytes;
        return *this;
    }
    /// Beyond these the oldest goes, of those without Secure as long as there is one.
    cookie_limits& cookies_per_domain_max(std::size_t count) noexcept {
        cookies_per_domain_max_ = count;
        return *this;
    }
    /// The most cookies that are kept.
    cookie_limits& cookies_max(std::size_t count) noexcept {
        cookies_max_ = count;
        return *this;
    }

    [[nodiscard]] std::size_t cookie_bytes_max() const noexcept { return cookie_bytes_max_; }
    [[nodiscard]] std::size_t cookies_per_domain_max() const noexcept { return cookies_per_domain_max_; }
    [[nodiscard]] std::size_t cookies_max() const noexcept { return cookies_max_; }

private:
    std::size_t cookie_bytes_max_ = 4096;
    std::size_t cookies_per_domain_max_ = 50;
    std::size_t cookies_max_ = 3000;
};

/// The cookies of a client (RFC 6265bis section 5.7): stores what servers set, returns what belongs to a
/// request.
///
/// Refused are cookies for another domain than the server's or those above it, for a domain without a dot (a
/// top-level domain; there is no list of public suffixes, so that "co.uk" passes for a domain), for a domain
/// where the host is an address, with Secure over a connection that is not, such as would replace or hide one
/// with Secure over a connection that is not, with SameSite=None and without Secure, `__Secure-` and
/// `__Host-` names that break their rules (whatever their case), names or values with control characters or
/// over the limits. SameSite says nothing else here: a client's requests are of no site's making.
///
/// - Thread safety: none. Reads no clock: `now` is in seconds since 1970, UTC.
/// - Errors: what is malformed is left out, as by browsers; std::bad_alloc.
class cookie_jar {
public:
    explicit cookie_jar(cookie_limits limits = {}) noexcept : limits_(limits) {}

    /// Takes the value of a Set-Cookie field of a response from there. One that has expired deletes its like.
    /// Returns whether it was well-formed and allowed.
    bool set(const url& from, std::string_view set_cookie, std::int64_t now);

    /// The value of the Cookie field for a request; empty if there is none. Longer paths come first, then the
    /// older.
    [[nodiscard]] std::string header_for(const url& to, std::int64_t now) const;

    /// Removes the cookies that have expired at this time, in seconds since 1970.
    void remove_expired(std::int64_t now);
    /// Removes all cookies.
    void clear() noexcept { cookies_.clear(); }
    /// In the order in which they were made.
    [[nodiscard]] const std::vector<cookie>& cookies() const noexcept { return cookies_; }

private:
    [[nodiscard]] bool shadows_secure(const cookie& made) const noexcept;
    template <class Predicate>
    [[nodiscard]] std::vector<cookie>::iterator oldest(Predicate counts);
    void make_room(std::string_view domain);

    cookie_limits limits_;
    std::vector<cookie> cookies_;
};

}  // namespace eddy::http
