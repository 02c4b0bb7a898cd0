#include "load/echo.hpp"

#include <cstring>
#include <random>

namespace bench {

echo_protocol::echo_protocol(std::size_t message_size)
    : message_size_(message_size), pattern_(message_size + variants), scratch_(message_size + 1) {
    std::minstd_rand random(1);
    for (char& byte : pattern_)
        byte = static_cast<char>(random() >> 8);
}

std::span<const char> echo_protocol::message_of(const connection& c) const {
    return std::span(pattern_).subspan((c.index + c.sequence) % variants, message_size_);
}

std::span<const char> echo_protocol::next_request(connection& c) {
    ++c.sequence;
    c.received = 0;
    return message_of(c);
}

verdict echo_protocol::consume(connection& c, std::size_t count) {
    if (count > message_size_ - c.received)
        return verdict::wrong;
    if (c.sequence % 64 == 1 && std::memcmp(scratch_.data(), message_of(c).data() + c.received, count) != 0)
        return verdict::wrong;
    c.received += count;
    return c.received == message_size_ ? verdict::complete : verdict::incomplete;
}

}  // namespace bench
