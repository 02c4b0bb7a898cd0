#pragma once

#include "load/connection.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

// Sends a message, expects the same bytes back. Every length is checked, the contents of one message in 64.
// Neighbouring connections and successive messages differ, so bytes that went astray do not match.
class echo_protocol : public protocol_base {
public:
    explicit echo_protocol(std::size_t message_size);

    // Begins a request; the bytes stay as they are for the life of this object.
    std::string_view next_request(connection& c);
    verdict consume(connection& c, std::string_view bytes);

private:
    std::string_view message_of(const connection& c) const;

    static constexpr std::size_t variants = 61;
    std::size_t message_size_;
    std::string pattern_;
};

}  // namespace bench
