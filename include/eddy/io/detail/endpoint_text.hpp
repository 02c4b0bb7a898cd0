#pragma once

#include <eddy/io/endpoint.hpp>

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

namespace eddy::detail {

/// A decimal number up to 65535; nothing for all else.
[[nodiscard]] std::optional<std::uint16_t> port_from_text(std::string_view text) noexcept;

/// What endpoint::to_string() writes: "10.0.0.1:80", "[::1]:80". Otherwise what is wrong with the text.
[[nodiscard]] std::expected<endpoint, std::string_view> endpoint_from_text(std::string_view text);

}  // namespace eddy::detail
