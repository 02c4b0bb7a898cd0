#include <eddy/io/endpoint.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace eddy {

namespace {

using ipv4_bytes = std::array<std::uint8_t, 4>;
using ipv6_bytes = std::array<std::uint8_t, 16>;

template <class Number>
std::optional<Number> parse_number(std::string_view text, int base, std::size_t digits_max) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || text.size() > digits_max || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<ipv4_bytes> parse_ipv4(std::string_view text) {
    ipv4_bytes bytes{};
    for (std::size_t part = 0; part < bytes.size(); ++part) {
        const bool is_last = part + 1 == bytes.size();
        const std::size_t dot = is_last ? text.size() : text.find('.');
        if (dot == std::string_view::npos)
            return std::nullopt;
        const auto digits = text.substr(0, dot);
        const auto value = parse_number<std::uint8_t>(digits, 10, 3);
        if (!value || (digits.size() > 1 && digits.front() == '0'))
            return std::nullopt;
        bytes[part] = *value;
        text.remove_prefix(is_last ? dot : dot + 1);
    }
    return bytes;
}

// Groups of hexadecimal digits, with an IPv4 tail allowed at the end of the whole address. Returns the number
// of bytes written, or nothing.
std::optional<std::size_t> parse_groups(std::string_view text, bool is_tail, std::uint8_t* out,
                                        std::size_t capacity) {
    std::size_t written = 0;
    while (!text.empty()) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const auto group = text.substr(0, colon);
        if (is_tail && colon == text.size() && group.find('.') != std::string_view::npos) {
            const auto tail = parse_ipv4(group);
            if (!tail || capacity - written < tail->size())
                return std::nullopt;
            std::copy(tail->begin(), tail->end(), out + written);
            return written + tail->size();
        }
        const auto value = parse_number<std::uint16_t>(group, 16, 4);
        if (!value || capacity - written < 2)
            return std::nullopt;
        out[written++] = static_cast<std::uint8_t>(*value >> 8);
        out[written++] = static_cast<std::uint8_t>(*value & 0xff);
        if (colon == text.size())
            break;
        text.remove_prefix(colon + 1);
        if (text.empty())
            return std::nullopt;
    }
    return written;
}

std::optional<ipv6_bytes> parse_ipv6(std::string_view text) {
    ipv6_bytes bytes{};
    const std::size_t gap = text.find("::");
    if (gap == std::string_view::npos) {
        const auto written = parse_groups(text, true, bytes.data(), bytes.size());
        return written == bytes.size() ? std::optional(bytes) : std::nullopt;
    }
    const auto tail_text = text.substr(gap + 2);
    if (tail_text.find("::") != std::string_view::npos)
        return std::nullopt;
    const auto head = parse_groups(text.substr(0, gap), false, bytes.data(), bytes.size());
    ipv6_bytes tail_bytes{};
    const auto tail = parse_groups(tail_text, true, tail_bytes.data(), tail_bytes.size());
    if (!head || !tail || *head + *tail > bytes.size() - 2)
        return std::nullopt;
    std::copy_n(tail_bytes.begin(), *tail, bytes.end() - static_cast<std::ptrdiff_t>(*tail));
    return bytes;
}

void append_number(std::string& text, unsigned value, int base = 10) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
    text.append(digits.data(), end);
}

void append_ipv4(std::string& text, const std::uint8_t* bytes) {
    for (int part = 0; part < 4; ++part) {
        if (part != 0)
            text += '.';
        append_number(text, bytes[part]);
    }
}

// RFC 5952: the longest run of two or more zero groups, the first of equals, is shortened.
void append_ipv6(std::string& text, const ipv6_bytes& bytes) {
    const auto group = [&](std::size_t at) { return bytes[2 * at] << 8 | bytes[2 * at + 1]; };
    std::size_t gap = 8;
    std::size_t gap_size = 1;
    for (std::size_t at = 0; at < 8; ++at) {
        std::size_t end = at;
        while (end < 8 && group(end) == 0)
            ++end;
        if (end - at > gap_size) {
            gap = at;
            gap_size = end - at;
        }
        at = std::max(at, end);
    }
    const bool is_mapped = gap == 0 && gap_size == 5 && group(5) == 0xffff;
    for (std::size_t at = 0; at < 8; ++at) {
        if (at == gap) {
            text += "::";
            at += gap_size - 1;
            continue;
        }
        if (is_mapped && at == 6) {
            text += ':';
            return append_ipv4(text, bytes.data() + 12);
        }
        if (at != 0 && at != gap + gap_size)
            text += ':';
        append_number(text, static_cast<unsigned>(group(at)), 16);
    }
}

}  // namespace

endpoint endpoint::ipv4(std::array<std::uint8_t, 4> address, std::uint16_t port) noexcept {
    endpoint made;
    std::copy(address.begin(), address.end(), made.address_.begin());
    made.port_ = port;
    return made;
}

endpoint endpoint::ipv6(std::array<std::uint8_t, 16> address, std::uint16_t port,
                        std::uint32_t scope) noexcept {
    endpoint made;
    made.address_ = address;
    made.scope_ = scope;
    made.port_ = port;
    made.family_ = family::ipv6;
    return made;
}

std::expected<endpoint, std::error_code> endpoint::parse(std::string_view address, std::uint16_t port) {
    if (const auto bytes = parse_ipv4(address))
        return ipv4(*bytes, port);
    if (address.size() > 1 && address.front() == '[' && address.back() == ']')
        address = address.substr(1, address.size() - 2);
    std::uint32_t scope = 0;
    bool is_valid = true;
    if (const std::size_t percent = address.find('%'); percent != std::string_view::npos) {
        const auto parsed = parse_number<std::uint32_t>(address.substr(percent + 1), 10, 10);
        is_valid = parsed.has_value();
        scope = parsed.value_or(0);
        address = address.substr(0, percent);
    }
    if (const auto bytes = parse_ipv6(address); bytes && is_valid)
        return ipv6(*bytes, port, scope);
    return std::unexpected(std::make_error_code(std::errc::invalid_argument));
}

std::string endpoint::to_string() const {
    std::string text;
    if (family_ == family::ipv4) {
        append_ipv4(text, address_.data());
    } else {
        text += '[';
        append_ipv6(text, address_);
        if (scope_ != 0) {
            text += '%';
            append_number(text, scope_);
        }
        text += ']';
    }
    text += ':';
    append_number(text, port_);
    return text;
}

}  // namespace eddy
