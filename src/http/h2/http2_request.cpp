#include "http/h2/http2_request.hpp"

#include "http/message/characters.hpp"
#include "http/message/request_target.hpp"

#include <eddy/http/message/detail/authority.hpp>
#include <eddy/http/message/detail/body_framing.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// A WebSocket's key has no use where the protocol has the right answer anyway (RFC 8441 section 5), but a
// handshake is checked for one.
constexpr std::string_view unused_key = "AAAAAAAAAAAAAAAAAAAAAA==";

}  // namespace

void http2_request::clear() noexcept {
    layout_.clear();
    layout_.method_name = layout_.target = layout_.authority = layout_.path = layout_.query = {};
    layout_.method = method::other;
    layout_.form = target_form::origin;
    layout_.expects_continue = false;
    layout_.framing = {};
    layout_.upgrades = false;
    http2_head::clear();
    protocol_ = {};
    is_connect_ = false;
}

void http2_request::add(std::string_view name, std::string_view value, const message_limits& limits) {
    if (!count(name, value, limits))
        return;
    if (name.starts_with(':'))
        add_pseudo(name, value);
    else
        add_line(layout_, name, value, limits);
}

void http2_request::add_pseudo(std::string_view name, std::string_view value) {
    if (name == ":path") {
        layout_.target = keep(value);
    } else if (name == ":method") {
        layout_.method = method_from(value);
        layout_.method_name = keep(value);
    } else if (name == ":authority") {
        layout_.authority = keep(value);
    } else if (name == ":protocol") {
        protocol_ = keep(value);
    }
}

http2_request::verdict http2_request::finish(bool is_ended, const message_limits& limits) {
    layout_.major_version = 2;
    layout_.minor_version = 1;
    layout_.keep_alive = true;
    if (is_refused())
        return verdict::refused;
    if (!is_token(view(layout_.method_name)))
        return verdict::malformed;
    if (layout_.method == method::other && layout_.method_name.size > limits.method_bytes_max())
        refuse(status::not_implemented, "method name over the limit");
    if (layout_.target.size > limits.request_line_bytes_max())
        refuse(status::uri_too_long, "target over the limit");
    is_connect_ = layout_.method == method::connect;
    if (!take_target(limits) || !take_authority(limits))
        return verdict::malformed;
    if (layout_.repeats(field::cookie))
        join_cookies();
    if (layout_.has(field::expect)) {
        const auto expectation = head().only(field::expect);
        if (expectation && equal_ignoring_case(*expectation, "100-continue"))
            layout_.expects_continue = true;
        else
            refuse(status::expectation_failed, "unknown expectation");
    }
    take_body(is_ended, limits);
    return is_refused() ? verdict::refused : verdict::good;
}

bool http2_request::take_target(const message_limits& limits) {
    if (is_connect_ && !has_protocol()) {
        layout_.form = target_form::authority;
        layout_.target = layout_.authority;
        return true;
    }
    if (has_protocol()) {
        if (view(protocol_) != "websocket")
            refuse(status::not_implemented, "this protocol is not spoken in a stream");
        layout_.method = method::get;
        layout_.method_name = keep("GET");
        layout_.upgrades = true;
        add_line(layout_, "upgrade", "websocket", limits);
        add_line(layout_, "sec-websocket-key", unused_key, limits);
    }
    const std::string_view target = view(layout_.target);
    request_target parts;
    if (target.empty() || !all_are(target, character::target) ||
        !split_request_target(layout_.method, target, parts))
        return false;
    if (parts.form != target_form::origin && parts.form != target_form::asterisk)
        return false;
    const auto range_of = [this](std::string_view part) {
        const auto offset = part.empty() ? 0 : part.data() - text().data();
        return text_range{static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(part.size())};
    };
    layout_.form = parts.form;
    layout_.path = range_of(parts.path);
    layout_.query = range_of(parts.query);
    return true;
}

bool http2_request::take_authority(const message_limits& limits) {
    const std::string_view own = view(layout_.authority);
    if (layout_.has(field::host)) {
        const auto host = head().only(field::host);
        if (!host || (!own.empty() && !equal_ignoring_case(*host, own)))
            return false;
        const field_line& line = layout_.lines[layout_.first[static_cast<std::size_t>(field::host)]];
        layout_.authority = line.value;
    } else if (!own.empty()) {
        // Handlers look for it there.
        add_line(layout_, "host", {}, limits);
        layout_.lines[layout_.header_count - 1].value = layout_.authority;
    }
    return parse_authority(view(layout_.authority)).has_value();
}

// One line for those into which compression has split it (RFC 9113 section 8.2.3).
void http2_request::join_cookies() {
    std::string joined;
    head().for_each(field::cookie, [&joined](std::string_view value) {
        joined.append(joined.empty() ? "" : "; ").append(value);
    });
    const std::uint8_t first = layout_.first[static_cast<std::size_t>(field::cookie)];
    layout_.lines[first].value = keep(joined);
    const auto begin = layout_.lines.begin();
    const auto end = std::remove_if(begin + first + 1, begin + layout_.header_count,
                                    [](const field_line& line) { return line.id == field::cookie; });
    layout_.header_count = static_cast<std::uint8_t>(end - begin);
    layout_.repeated &= ~(std::uint64_t{1} << static_cast<unsigned>(field::cookie));
    for (std::uint8_t at = layout_.header_count; at-- > 0;)
        layout_.first[static_cast<std::size_t>(layout_.lines[at].id)] = at;
}

void http2_request::take_body(bool is_ended, const message_limits& limits) noexcept {
    if (is_ended || is_connect_)
        return;
    layout_.framing = body_framing::until_close();
    if (const auto length = head().only(field::content_length)) {
        const auto bytes = parse_content_length(*length);
        if (!bytes)
            return refuse(bytes.error().status(), bytes.error().reason());
        if (*bytes > limits.body_bytes_max())
            return refuse(status::content_too_large, "body over the limit");
        layout_.framing = body_framing::of_length(*bytes);
    }
}

}  // namespace eddy::http
