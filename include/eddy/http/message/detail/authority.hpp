#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace eddy::http {

/// The host and port that a request is for: the value of Host, or the authority of an absolute or
/// authority-form target (RFC 9110 section 4.2, RFC 3986 section 3.2). Views into the parsed text.
class authority {
public:
    authority(std::string_view host, std::optional<std::uint16_t> port) noexcept : host_(host), port_(port) {}

    /// A name, an IPv4 address, or an IPv6 address with its brackets. Compare it without regard to case.
    [[nodiscard]] std::string_view host() const noexcept { return host_; }
    /// Nothing when no port was written (an empty one, "host:", counts as none).
    [[nodiscard]] std::optional<std::uint16_t> port() const noexcept { return port_; }

private:
    std::string_view host_;
    std::optional<std::uint16_t> port_;
};

/// Nothing when the text is no `uri-host [":" port]`: an empty host, user information, a byte outside the
/// grammar, brackets around anything but an IPv6 address, or a port above 65535.
[[nodiscard]] std::optional<authority> parse_authority(std::string_view text) noexcept;

}  // namespace eddy::http
