#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench {

// One connection with at most one request under way.
struct connection {
    int fd = -1;
    unsigned index = 0;
    std::uint64_t sequence = 0;  // requests begun so far
    std::uint64_t answered = 0;
    std::uint64_t begun_ns = 0;  // when the one under way was sent
    std::size_t received = 0;    // bytes of its reply's body or message so far
    bool in_body = false;        // http: the reply's header is whole
    bool is_upgraded = false;    // websocket: the server has switched protocols
    std::string partial;         // http: the header so far, when it did not come in one piece
};

// What bytes that have come mean for the request under way. `replies`: more has to be sent before it goes on.
enum class verdict { incomplete, replies, complete, wrong };

// Takes the next bytes of what must come back: every length is checked, the contents one time in 64.
inline verdict take_expected(connection& c, std::string_view expected, std::string_view bytes) {
    if (bytes.size() > expected.size() - c.received)
        return verdict::wrong;
    if (c.sequence % 64 == 1 && bytes != expected.substr(c.received, bytes.size()))
        return verdict::wrong;
    c.received += bytes.size();
    return c.received == expected.size() ? verdict::complete : verdict::incomplete;
}

// What a protocol does unless it says otherwise.
class protocol_base {
public:
    // The connection is new, the first time and each time that it is opened again.
    void connected(connection&) {}
    // How many requests a turn of a connection stands for.
    std::uint64_t requests_at_once() const { return 1; }
    // What to send after `verdict::replies`.
    std::string_view reply(connection&) { return {}; }
    // The server has ended the connection.
    verdict ended(connection&) { return verdict::wrong; }
};

}  // namespace bench
