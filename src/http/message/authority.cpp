#include "http/message/escapes.hpp"

#include <eddy/http/message/detail/authority.hpp>

namespace eddy::http {
namespace {

// The text between the brackets. Lenient about the order of groups: no name can look like this, and an
// address that does not exist matches no host that is served.
bool is_ipv6_literal(std::string_view text) noexcept {
    constexpr std::size_t longest = 45;
    if (text.size() < 2 || text.size() > longest || text.find(':') == std::string_view::npos) {
        return false;
    }
    for (char byte : text) {
        if (!is(byte, character::hex) && byte != ':' && byte != '.') {
            return false;
        }
    }
    return true;
}

// A "%" starts two hexadecimal digits.
bool has_valid_escapes(std::string_view text) noexcept {
    for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
        if (!begins_with_escape(text.substr(at))) {
            return false;
        }
    }
    return true;
}

// The length of the host at the start of the text; 0 when there is none.
std::size_t host_size(std::string_view text) noexcept {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        const bool valid = end != std::string_view::npos && is_ipv6_literal(text.substr(1, end - 1));
        return valid ? end + 1 : 0;
    }
    const auto host = text.substr(0, text.find(':'));
    const bool valid = all_are(host, character::host) && (!host.contains('%') || has_valid_escapes(host));
    return valid ? host.size() : 0;
}

}  // namespace

std::optional<authority> parse_authority(std::string_view text) noexcept {
    const std::size_t size = host_size(text);
    if (size == 0) {
        return std::nullopt;
    }
    const auto host = text.substr(0, size);
    auto rest = text.substr(size);
    if (rest.empty()) {
        return authority(host, std::nullopt);
    }
    if (rest.front() != ':' || rest.size() > 6) {
        return std::nullopt;
    }
    rest.remove_prefix(1);
    unsigned port = 0;
    for (char byte : rest) {
        if (!is_digit(byte)) {
            return std::nullopt;
        }
        port = port * 10 + static_cast<unsigned>(byte - '0');
    }
    if (port > 65535) {
        return std::nullopt;
    }
    return rest.empty() ? authority(host, std::nullopt) : authority(host, static_cast<std::uint16_t>(port));
}

}  // namespace eddy::http
