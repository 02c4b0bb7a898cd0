#pragma once

#include "load/connection.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

// Sends a binary message to a WebSocket (RFC 6455) at `path`, expects the same back, unmasked and in one
// frame. Frames are made and masked beforehand; neighbouring connections and successive messages differ.
// Every length is checked, the contents of one message in 64. Opening a WebSocket counts into its first
// message's time.
class websocket_protocol : public protocol_base {
public:
    websocket_protocol(const std::string& path, std::size_t message_size);

    void connected(connection& c);
    // Begins a request; the bytes stay as they are for the life of this object.
    std::string_view next_request(connection& c);
    std::string_view reply(connection& c);
    verdict consume(connection& c, std::string_view bytes);

private:
    struct variant {
        std::string sent;      // a masked frame
        std::string expected;  // what comes back
    };

    static constexpr std::size_t variant_count = 61;

    const variant& variant_of(const connection& c) const {
        return variants_[(c.index + c.sequence) % variant_count];
    }
    static verdict open(connection& c, std::string_view bytes);

    std::string request_;
    std::array<variant, variant_count> variants_;
};

}  // namespace bench
