#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace eddy::apps::memcached {

/// Decodes base64 with padding (RFC 4648 section 4) into `room`; none if it is not base64, or not in
/// canonical form, or does not fit.
[[nodiscard]] std::optional<std::size_t> decode_base64(std::string_view text, std::span<char> room) noexcept;

/// Encodes into `room` and returns how much it has become. Requires: room for base64_bytes(size).
std::size_t encode_base64(std::string_view bytes, char* room) noexcept;

[[nodiscard]] constexpr std::size_t base64_bytes(std::size_t size) noexcept {
    return (size + 2) / 3 * 4;
}

}  // namespace eddy::apps::memcached
