#include "http/message/characters.hpp"

#include <eddy/http/message/cookies.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// cookie-octet of RFC 6265, and the space, the comma and the quote inside, which programs send all the same.
bool is_value_character(char byte) noexcept {
    return static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f && byte != ';';
}

std::optional<cookie_view> parse_pair(std::string_view pair) noexcept {
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos)
        return std::nullopt;
    const std::string_view name = trim(pair.substr(0, equals));
    std::string_view value = trim(pair.substr(equals + 1));
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
    if (!is_token(name) || !std::ranges::all_of(value, is_value_character))
        return std::nullopt;
    return cookie_view(name, value);
}

}  // namespace

std::optional<cookie_view> take_cookie(std::string_view& rest) noexcept {
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        if (const auto cookie = parse_pair(pair))
            return cookie;
    }
    return std::nullopt;
}

std::optional<std::string_view> request_cookies::find(std::string_view name) const noexcept {
    std::optional<std::string_view> found;
    for_each([&](const cookie_view& cookie) {
        if (!found && cookie.name() == name)
            found = cookie.value();
    });
    return found;
}

}  // namespace eddy::http
