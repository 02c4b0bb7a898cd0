#pragma once

#include "http/message/characters.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace eddy::http {

// Weights are thousandths (qvalue has three digits).
inline constexpr std::uint16_t weight_max = 1000;

/// The value of a "q" parameter, RFC 9110 section 12.4.2: "0" or "1" with up to three decimals.
[[nodiscard]] inline std::optional<std::uint16_t> parse_weight(std::string_view text) noexcept {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1'))
        return std::nullopt;
    auto weight = static_cast<unsigned>(text[0] - '0') * weight_max;
    if (text.size() > 1 && text[1] != '.')
        return std::nullopt;
    unsigned unit = weight_max / 10;
    for (const char digit : text.size() > 2 ? text.substr(2) : std::string_view()) {
        if (!is_digit(digit))
            return std::nullopt;
        weight += static_cast<unsigned>(digit - '0') * unit;
        unit /= 10;
    }
    return weight > weight_max ? std::nullopt : std::optional(static_cast<std::uint16_t>(weight));
}

}  // namespace eddy::http
