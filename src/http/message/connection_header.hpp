#pragma once

#include "http/message/characters.hpp"

#include <string_view>

namespace eddy::http {

// The options of all Connection lines of a message, which count as one list (RFC 9110 section 7.6.1).
class connection_header {
public:
    void add_line(std::string_view line) noexcept {
        do {
            add(take_element(line));
        } while (!line.empty());
    }

    [[nodiscard]] bool close() const noexcept { return close_; }
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_; }
    [[nodiscard]] bool upgrade() const noexcept { return upgrade_; }
    // An element was no token. Empty ones are passed over (RFC 9110 section 5.6.1.2).
    [[nodiscard]] bool malformed() const noexcept { return malformed_; }

private:
    void add(std::string_view option) noexcept {
        close_ |= equal_ignoring_case(option, "close");
        keep_alive_ |= equal_ignoring_case(option, "keep-alive");
        upgrade_ |= equal_ignoring_case(option, "upgrade");
        malformed_ |= !all_are(option, character::token);
    }

    bool close_ = false;
    bool keep_alive_ = false;
    bool upgrade_ = false;
    bool malformed_ = false;
};

}  // namespace eddy::http
