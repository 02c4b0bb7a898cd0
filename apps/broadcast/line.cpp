#include "broadcast/line.hpp"

#include <eddy/http/websocket/utf8_validator.hpp>
#include <eddy/io/buffer.hpp>

#include <fmt/format.h>

namespace eddy::apps {

line::line(std::string_view text) : is_utf8_(http::is_utf8(as_bytes(text))) {
    bytes_.reserve(text.size() + 1);
    bytes_ += text;
    bytes_ += '\n';
}

shared_line make_too_long_line(std::size_t bytes_max) {
    return make_line(fmt::format("error: a line has {} bytes at the most", bytes_max));
}

}  // namespace eddy::apps
