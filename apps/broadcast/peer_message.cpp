#include "broadcast/peer_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace eddy::apps {

namespace {

std::string_view take_word(std::string_view& rest) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    return word;
}

bool take_number(std::string_view& rest, std::uint64_t& number) {
    const std::string_view word = take_word(rest);
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    return !word.empty() && failure == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::optional<peer_message> peer_message::parse(std::string_view payload) {
    peer_message made;
    const std::string_view name = take_word(payload);
    made.node = take_word(payload);
    if (made.node.empty())
        return std::nullopt;
    if (name == "who")
        return made;
    if (name == "line" || name == "last") {
        made.what = name == "line" ? kind::line : kind::last;
        if (!take_number(payload, made.number))
            return std::nullopt;
        made.text = payload;
        return made;
    }
    if (name != "again")
        return std::nullopt;
    made.what = kind::again;
    made.other = take_word(payload);
    if (!take_number(payload, made.number) || !take_number(payload, made.to))
        return std::nullopt;
    return made;
}

std::string peer_message::line_of(std::string_view node, std::uint64_t number, std::string_view text) {
    return fmt::format("line {} {} {}", node, number, text);
}
std::string peer_message::last_of(std::string_view node, std::uint64_t number) {
    return fmt::format("last {} {}", node, number);
}
std::string peer_message::who_of(std::string_view node) {
    return fmt::format("who {}", node);
}
std::string peer_message::again_of(std::string_view node, std::string_view other, std::uint64_t from,
                                   std::uint64_t to) {
    return fmt::format("again {} {} {} {}", node, other, from, to);
}

}  // namespace eddy::apps
