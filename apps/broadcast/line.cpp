#include "broadcast/line.hpp"

#include <eddy/http/websocket/utf8_validator.hpp>
#include <eddy/io/buffer.hpp>

namespace eddy::apps {

line::line(std::string_view text) : is_utf8_(http::is_utf8(as_bytes(text))) {
    bytes_.reserve(text.size() + 1);
    bytes_ += text;
    bytes_ += '\n';
}

}  // namespace eddy::apps
