#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace bench {

// Bytes to send. `buffer` is the provided buffer that they lie in, which is given back when they are sent;
// no_buffer for bytes that live longer.
struct piece {
    static constexpr int no_buffer = -1;
    std::string_view bytes;
    int buffer = no_buffer;
};

struct ring_connection {
    int fd;
    bool receiving = false;
    bool sending = false;
    bool ending = false;        // receives no more; goes when nothing is under way
    piece under_way{};          // what is being sent
    std::deque<piece> queue{};  // what is sent after it
    std::string unparsed{};     // http: input that makes no whole request yet
};

}  // namespace bench
