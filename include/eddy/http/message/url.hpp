#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// A URL with an authority (RFC 3986): `scheme://[user@]host[:port]/path?query#fragment`, checked and in
/// parts. A value; owns its text. Every url is valid; there is no empty one.
///
/// What parse() brings to one form: scheme and host in lower case, an empty path as "/", "." and ".."
/// segments taken out, the port left out where it is empty or the scheme's own. normalised() does the rest of
/// RFC 3986 section 6.2.2. Escapes stay as they are, because "%2F" and "/" mean different things.
class url {
public:
    /// Nothing for what is no such URL: no scheme or no host, an empty label in it ("a..b"), a byte outside
    /// the grammar (encode it first, see percent_encode_invalid), a malformed escape, a port above 65535,
    /// brackets around what is no IPv6 address, or more than 65535 bytes. Throws std::bad_alloc.
    [[nodiscard]] static std::optional<url> parse(std::string_view text);

    /// The same, with the error http_error::malformed_url for what is none.
    explicit url(std::string_view text);

    /// The scheme, in lower case: "http", "https", "ws" or "wss".
    [[nodiscard]] std::string_view scheme() const noexcept { return part(0, scheme_end_); }
    /// What stands before "@", encoded; empty if nothing does. Kept apart: authority() and text() leave it
    /// out.
    [[nodiscard]] std::string_view user_info() const noexcept { return user_info_; }
    /// A name, an IPv4 address, or an IPv6 address in its brackets; may hold escapes, though none of letters,
    /// digits and "-._~".
    [[nodiscard]] std::string_view host() const noexcept { return part(scheme_end_ + 3, host_end_); }
    /// host() without brackets, for a resolver.
    [[nodiscard]] std::string_view host_name() const noexcept;
    /// As written; nothing when it is the scheme's own.
    [[nodiscard]] std::optional<std::uint16_t> port() const noexcept { return port_; }
    /// As written, or the scheme's own: 80 for http and ws, 443 for https and wss, else 0.
    [[nodiscard]] std::uint16_t port_or_default() const noexcept;
    /// host[:port], as for a Host field.
    [[nodiscard]] std::string_view authority() const noexcept { return part(scheme_end_ + 3, path_start_); }
    /// scheme://host[:port]: what shares cookies, credentials and connections.
    [[nodiscard]] std::string_view origin() const noexcept { return part(0, path_start_); }
    /// Begins with "/".
    [[nodiscard]] std::string_view path() const noexcept { return part(path_start_, path_end_); }
    /// Without "?"; nothing differs from an empty one.
    [[nodiscard]] std::optional<std::string_view> query() const noexcept;
    /// path[?query]: the request target in origin form.
    [[nodiscard]] std::string_view target() const noexcept { return part(path_start_, target_end_); }
    /// Without "#".
    [[nodiscard]] std::optional<std::string_view> fragment() const noexcept;

    /// All of it but user information and fragment: the request target in absolute form.
    [[nodiscard]] std::string_view absolute_target() const noexcept { return part(0, target_end_); }
    /// All of it but user information.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    /// Whether connections of this scheme are by TLS: https and wss.
    [[nodiscard]] bool is_secure() const noexcept;

    /// What `reference` means where this url is the base (RFC 3986 section 5.2). Nothing if the outcome is no
    /// url.
    [[nodiscard]] std::optional<url> resolve(std::string_view reference) const;
    /// With the digits of escapes in upper case and those of unreserved characters taken off.
    [[nodiscard]] url normalised() const;
    /// With this user information, which is checked. Empty: without.
    [[nodiscard]] std::optional<url> with_user_info(std::string_view encoded) const;

    friend bool operator==(const url&, const url&) = default;

private:
    url() = default;

    [[nodiscard]] std::string_view part(std::size_t from, std::size_t to) const noexcept {
        return std::string_view(text_).substr(from, to - from);
    }
    [[nodiscard]] bool take(std::string_view text);

    std::string text_;
    std::string user_info_;
    std::size_t scheme_end_ = 0;
    std::size_t host_end_ = 0;
    std::size_t path_start_ = 0;
    std::size_t path_end_ = 0;
    std::size_t target_end_ = 0;
    std::optional<std::uint16_t> port_;
};

}  // namespace eddy::http
