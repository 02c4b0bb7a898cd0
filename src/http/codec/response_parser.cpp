#include "http/codec/head_parsing.hpp"

#include <eddy/http/codec/detail/response_parser.hpp>

namespace eddy::http {

namespace {

bool announces_body(const response_head& head) noexcept {
    return head.has(field::transfer_encoding) ||
           (head.has(field::content_length) && head.only(field::content_length) != "0");
}

}  // namespace

void response_parser::reset(method requested) noexcept {
    restart();
    layout_.clear();
    requested_ = requested;
}

parse_result response_parser::parse(std::string_view received) noexcept {
    return parse_lines(*this, received);
}

bool response_parser::take_empty_line() noexcept {
    return refuse(status::bad_request, "empty line instead of a response");
}

// HTTP-version SP 3DIGIT [SP reason]
bool response_parser::take_start_line(const char* base, std::size_t begin, std::size_t end) noexcept {
    const std::string_view line(base + begin, end - begin);
    const auto version = line.substr(0, line.find(' '));
    const int minor_version = detail::minor_version_of(version);
    if (minor_version < 0) {
        return refuse(detail::version_error(version));
    }
    const auto rest = line.substr(version.size());
    const bool has_code = rest.size() >= 4 && is_digit(rest[1]) && is_digit(rest[2]) && is_digit(rest[3]);
    if (!has_code || rest[1] == '0' || (rest.size() > 4 && rest[4] != ' ')) {
        return refuse(status::bad_request, "malformed status line");
    }
    const auto code = (rest[1] - '0') * 100 + (rest[2] - '0') * 10 + (rest[3] - '0');
    layout_.minor_version = static_cast<std::uint8_t>(minor_version);
    layout_.status = static_cast<status>(code);
    layout_.reason = rest.size() > 5 ? detail::range_of(rest.substr(5), base) : text_range{0, 0};
    phase_ = phase::fields;
    return true;
}

// All lines are there: what they mean together.
bool response_parser::take_end(const char* base) noexcept {
    const response_head head(layout_, base);
    if (!take_connection(layout_, head)) {
        return false;
    }
    const auto framing = response_body_framing(head, requested_, *limits_);
    if (!framing) {
        return refuse(framing.error());
    }
    layout_.framing = *framing;
    // A server that announces a body where there is none may yet send it: that would be the next response.
    if (announces_body(head) && forbids_body(head.status()) && head.status() != status::not_modified) {
        layout_.keep_alive = false;
    }
    phase_ = phase::complete;
    return true;
}

}  // namespace eddy::http
