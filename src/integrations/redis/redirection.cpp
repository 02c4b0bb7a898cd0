#include "integrations/redis/redirection.hpp"

#include <charconv>
#include <string_view>

namespace eddy::redis::detail {

namespace {

std::optional<std::uint16_t> parse_uint16(std::string_view text) {
    std::uint16_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// `3999 127.0.0.1:6381`; the address may be IPv6 without brackets, or missing.
bool take_target(std::string_view text, redirection& made) {
    const auto space = text.find(' ');
    const auto colon = text.rfind(':');
    if (space == std::string_view::npos || colon == std::string_view::npos || colon < space)
        return false;
    const auto slot = parse_uint16(text.substr(0, space));
    const auto port = parse_uint16(text.substr(colon + 1));
    if (!slot || *slot >= 16384 || !port)
        return false;
    made.slot = *slot;
    made.port = *port;
    made.host = text.substr(space + 1, colon - space - 1);
    return true;
}

}  // namespace

std::optional<redirection> redirection::of(const reply& answer) {
    if (!answer.is_error())
        return std::nullopt;
    const std::string_view text = answer.text();
    redirection made;
    if (text.starts_with("TRYAGAIN") || text.starts_with("CLUSTERDOWN"))
        return made;
    if (text.starts_with("MOVED ") && take_target(text.substr(6), made)) {
        made.what = kind::moved;
        return made;
    }
    if (text.starts_with("ASK ") && take_target(text.substr(4), made)) {
        made.what = kind::ask;
        return made;
    }
    return std::nullopt;
}

std::optional<redirection> redirection::of(const std::vector<reply>& answers) {
    for (const reply& each : answers) {
        if (auto found = of(each))
            return found;
    }
    return std::nullopt;
}

}  // namespace eddy::redis::detail
