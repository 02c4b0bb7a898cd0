#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace eddy::apps {

/// What nodes say to each other on their channel:
///
///     line NODE NUMBER TEXT     a line that was said there; a node numbers its lines from 1
///     last NODE NUMBER          the number of the last line that it has sent
///     who NODE                  all nodes are to send "last"
///     again NODE OTHER FROM TO  the other one is to send those lines once more
class peer_message {
public:
    enum class kind : std::uint8_t { line, last, who, again };

    kind what = kind::who;
    std::string_view node;     // the sender
    std::string_view other;    // again
    std::uint64_t number = 0;  // line, last; the first of again
    std::uint64_t to = 0;      // again
    std::string_view text;     // line

    /// Views into the text; nothing if it is none of these.
    [[nodiscard]] static std::optional<peer_message> parse(std::string_view payload);

    [[nodiscard]] static std::string line_of(std::string_view node, std::uint64_t number,
                                             std::string_view text);
    [[nodiscard]] static std::string last_of(std::string_view node, std::uint64_t number);
    [[nodiscard]] static std::string who_of(std::string_view node);
    [[nodiscard]] static std::string again_of(std::string_view node, std::string_view other,
                                              std::uint64_t from, std::uint64_t to);
};

}  // namespace eddy::apps
