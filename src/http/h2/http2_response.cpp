#include "http/h2/http2_response.hpp"

#include <charconv>

namespace eddy::http {

void http2_response::clear() noexcept {
    http2_head::clear();
    layout_.clear();
    layout_.framing = {};
    layout_.status = status::ok;
}

void http2_response::add(std::string_view name, std::string_view value, const message_limits& limits) {
    if (!count(name, value, limits))
        return;
    if (name != ":status")
        return add_line(layout_, name, value, limits);
    // Three digits, as nghttp2 has checked.
    unsigned code = 0;
    std::from_chars(value.data(), value.data() + value.size(), code);
    layout_.status = static_cast<http::status>(code);
}

bool http2_response::finish(method requested, bool is_ended, const message_limits& limits) noexcept {
    layout_.major_version = 2;
    layout_.minor_version = 0;
    layout_.keep_alive = true;
    if (is_refused())
        return false;
    const auto framing = response_body_framing(head(), requested, limits);
    if (!framing)
        refuse(framing.error().status(), framing.error().reason());
    else if (!is_ended)
        layout_.framing = *framing;
    return !is_refused();
}

}  // namespace eddy::http
