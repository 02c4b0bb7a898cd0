#include "load/echo.hpp"

#include <random>

namespace bench {

echo_protocol::echo_protocol(std::size_t message_size)
    : message_size_(message_size), pattern_(message_size + variants, '\0') {
    std::minstd_rand random(1);
    for (char& byte : pattern_)
        byte = static_cast<char>(random() >> 8);
}

std::string_view echo_protocol::message_of(const connection& c) const {
    return std::string_view(pattern_).substr((c.index + c.sequence) % variants, message_size_);
}

std::string_view echo_protocol::next_request(connection& c) {
    ++c.sequence;
    c.received = 0;
    return message_of(c);
}

verdict echo_protocol::consume(connection& c, std::string_view bytes) {
    return take_expected(c, message_of(c), bytes);
}

}  // namespace bench
