#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy {

/// An Internet address and port, IPv4 or IPv6. A value; no name is ever looked up by it.
class endpoint {
public:
    /// The kind of an address.
    enum class family : std::uint8_t {
        /// Four bytes.
        ipv4,
        /// Sixteen bytes.
        ipv6,
    };

    /// 0.0.0.0, port 0.
    endpoint() noexcept = default;

    /// An address of IPv4 and a port.
    [[nodiscard]] static endpoint ipv4(std::array<std::uint8_t, 4> address, std::uint16_t port) noexcept;
    /// An address of IPv6 and a port; `scope` is the interface of a link-local one.
    [[nodiscard]] static endpoint ipv6(std::array<std::uint8_t, 16> address, std::uint16_t port,
                                       std::uint32_t scope = 0) noexcept;
    /// All addresses of IPv4, for listeners.
    [[nodiscard]] static endpoint any_ipv4(std::uint16_t port) noexcept { return ipv4({}, port); }
    /// All addresses of IPv6, for listeners.
    [[nodiscard]] static endpoint any_ipv6(std::uint16_t port) noexcept { return ipv6({}, port); }
    /// 127.0.0.1.
    [[nodiscard]] static endpoint loopback_ipv4(std::uint16_t port) noexcept {
        return ipv4({127, 0, 0, 1}, port);
    }
    /// [::1].
    [[nodiscard]] static endpoint loopback_ipv6(std::uint16_t port) noexcept {
        return ipv6({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, port);
    }

    /// Reads a numeric address: dotted IPv4, or IPv6 as in RFC 4291 section 2.2 with an optional numeric
    /// scope
    /// ("fe80::1%2"), with or without square brackets. std::errc::invalid_argument for all else.
    [[nodiscard]] static std::expected<endpoint, std::error_code> parse(std::string_view address,
                                                                        std::uint16_t port);

    /// IPv4 or IPv6.
    [[nodiscard]] family address_family() const noexcept { return family_; }
    /// The port.
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// The address in network order; IPv4 uses the first 4 bytes.
    [[nodiscard]] const std::array<std::uint8_t, 16>& address() const noexcept { return address_; }
    /// The IPv6 scope: an interface's index, 0 for none.
    [[nodiscard]] std::uint32_t scope() const noexcept { return scope_; }

    /// "127.0.0.1:80", "[::1]:80", "[fe80::1%2]:80"; IPv6 in the form of RFC 5952.
    [[nodiscard]] std::string to_string() const;

    friend auto operator<=>(const endpoint&, const endpoint&) noexcept = default;

private:
    std::array<std::uint8_t, 16> address_{};
    std::uint32_t scope_ = 0;
    std::uint16_t port_ = 0;
    family family_ = family::ipv4;
};

}  // namespace eddy
