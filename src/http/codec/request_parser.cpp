#include "http/codec/head_parsing.hpp"
#include "http/message/request_target.hpp"

#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/detail/authority.hpp>

namespace eddy::http {

using detail::range_of;

void request_parser::reset() noexcept {
    restart();
    layout_.clear();
}

parse_result request_parser::parse(std::string_view received) noexcept {
    return parse_lines(*this, received);
}

bool request_parser::take_empty_line() noexcept {
    return ++empty_lines_ <= limits_->leading_empty_lines_max() ||
           refuse(status::bad_request, "empty line instead of a request");
}

bool request_parser::take_start_line(const char* base, std::size_t begin, std::size_t end) noexcept {
    const std::string_view line(base + begin, end - begin);
    std::size_t method_end = 0;
    while (method_end < line.size() && line[method_end] != ' ') {
        ++method_end;
    }
    constexpr std::string_view usual_end = " HTTP/1.1";
    const auto target_end = line.ends_with(usual_end) ? line.size() - usual_end.size() : line.rfind(' ');
    if (method_end == line.size() || target_end <= method_end + 1) {
        return refuse(status::bad_request, "malformed request line");
    }
    const auto name = line.substr(0, method_end);
    const auto target = line.substr(method_end + 1, target_end - method_end - 1);
    const auto version = line.substr(target_end + 1);

    layout_.method = method_from(name);
    if (layout_.method == method::other) {
        if (!is_token(name)) {
            return refuse(status::bad_request, "malformed method");
        }
        if (name.size() > limits_->method_bytes_max()) {
            return refuse(status::not_implemented, "method name over the limit");
        }
    }
    const int minor_version = detail::minor_version_of(version);
    if (minor_version < 0) {
        return refuse(detail::version_error(version));
    }
    request_target parts;
    if (!all_are(target, character::target) || !split_request_target(layout_.method, target, parts)) {
        return refuse(status::bad_request, "malformed request target");
    }
    layout_.minor_version = static_cast<std::uint8_t>(minor_version);
    layout_.form = parts.form;
    layout_.method_name = range_of(name, base);
    layout_.target = range_of(target, base);
    layout_.authority = range_of(parts.authority, base);
    layout_.path = range_of(parts.path, base);
    layout_.query = range_of(parts.query, base);
    phase_ = phase::fields;
    return true;
}

// All lines are there: what they mean together.
bool request_parser::take_end(const char* base) noexcept {
    const request_head head(layout_, base);
    const bool is_1_0 = layout_.minor_version == 0;

    if (const auto host = head.only(field::host)) {
        if (!parse_authority(*host)) {
            return refuse(status::bad_request, "malformed Host");
        }
        if (layout_.authority.size == 0) {
            layout_.authority = range_of(*host, base);
        }
    } else if (head.has(field::host)) {
        return refuse(status::bad_request, "repeated Host");
    } else if (!is_1_0) {
        return refuse(status::bad_request, "missing Host");
    }

    if (!take_connection(layout_, head)) {
        return false;
    }

    layout_.expects_continue = false;
    if (head.has(field::expect) && !is_1_0) {
        const auto expectation = head.only(field::expect);
        if (!expectation || !equal_ignoring_case(*expectation, "100-continue")) {
            return refuse(status::expectation_failed, "unknown expectation");
        }
        layout_.expects_continue = true;
    }

    const auto framing = request_body_framing(head, *limits_);
    if (!framing) {
        return refuse(framing.error());
    }
    layout_.framing = *framing;
    phase_ = phase::complete;
    return true;
}

}  // namespace eddy::http
