#pragma once

#include "load/connection.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

// Sends a message, expects the same bytes back. Every length is checked, the contents of one message in 64.
// Neighbouring connections and successive messages differ, so bytes that went astray do not match.
class echo_protocol {
public:
    explicit echo_protocol(std::size_t message_size);

    std::span<const char> next_request(connection& c);
    std::span<char> room(connection&) { return scratch_; }
    verdict consume(connection& c, std::size_t count);

private:
    std::span<const char> message_of(const connection& c) const;

    static constexpr std::size_t variants = 61;
    std::size_t message_size_;
    std::vector<char> pattern_;
    std::vector<char> scratch_;
};

}  // namespace bench
