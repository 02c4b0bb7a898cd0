#include "load/reply_header.hpp"

#include <charconv>

namespace bench {
namespace {

bool same_name(std::string_view name, std::string_view lower) {
    if (name.size() != lower.size())
        return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char letter = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] + 32) : name[i];
        if (letter != lower[i])
            return false;
    }
    return true;
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

std::optional<std::size_t> parse_decimal(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string_view take_line(std::string_view& block) {
    const std::size_t end = block.find("\r\n");
    if (end == block.npos)
        return block = {};
    const std::string_view line = block.substr(0, end);
    block.remove_prefix(end + 2);
    return line;
}

}  // namespace

std::optional<std::size_t> parse_reply_header(std::string_view block) {
    if (!take_line(block).starts_with("HTTP/1.1 200 "))
        return std::nullopt;
    std::optional<std::size_t> length;
    for (std::string_view line = take_line(block); !line.empty(); line = take_line(block)) {
        const std::size_t colon = line.find(':');
        if (colon == line.npos || colon == 0 || same_name(line.substr(0, colon), "transfer-encoding"))
            return std::nullopt;
        if (!same_name(line.substr(0, colon), "content-length"))
            continue;
        if (length)
            return std::nullopt;
        length = parse_decimal(without_blanks(line.substr(colon + 1)));
        if (!length)
            return std::nullopt;
    }
    return block.empty() ? length : std::nullopt;
}

}  // namespace bench
