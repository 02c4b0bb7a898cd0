#include "http/characters.hpp"
#include "http/connection_options.hpp"
#include "http/request_target.hpp"
#include "http/scan.hpp"

#include <eddy/http/authority.hpp>
#include <eddy/http/request_parser.hpp>

// The unit of work is a line. Bytes are scanned once, by blocks, for the first control character after
// `scanned_`; when that is the CR of a line end, the whole line is taken at once, otherwise the head is
// refused there. Limits are checked against the position where the scan stopped before anything else is,
// so that the verdict depends on the bytes alone, never on how they were cut.

namespace eddy::http {
namespace {

constexpr std::string_view version_1_1 = "HTTP/1.1";

text_range range_of(std::string_view part, const char* base) noexcept {
    if (part.empty()) {
        return {0, 0};
    }
    return {static_cast<std::uint16_t>(part.data() - base), static_cast<std::uint16_t>(part.size())};
}

// Why this is no version that can be served. Requires: it is neither HTTP/1.1 nor HTTP/1.0.
message_error version_error(std::string_view text) noexcept {
    const bool has_minor = text.size() == 8 && text[6] == '.' && is_digit(text[7]);
    const bool has_form = text.starts_with("HTTP/") && (has_minor || text.size() == 6) && is_digit(text[5]);
    if (has_form && text[5] != '1') {
        return {status::http_version_not_supported, "HTTP version not supported"};
    }
    return {status::bad_request, "malformed HTTP version"};
}

// 0 or 1; -1 when it is no HTTP/1.x.
int minor_version_of(std::string_view text) noexcept {
    if (text == version_1_1) {
        return 1;
    }
    const bool is_1_x = text.size() == version_1_1.size() && text.starts_with("HTTP/1.") && is_digit(text[7]);
    return !is_1_x ? -1 : text[7] == '0' ? 0 : 1;
}

}  // namespace

void request_parser::reset() noexcept {
    line_start_ = 0;
    scanned_ = 0;
    empty_lines_ = 0;
    phase_ = phase::request_line;
    layout_.seen = 0;
    layout_.repeated = 0;
    layout_.header_count = 0;
}

parse_result request_parser::parse(std::string_view received) noexcept {
    const char* const base = received.data();
    while (phase_ < phase::complete) {
        const std::size_t stop = find_control(base, scanned_, received.size());
        if (!within_limits(stop)) {
            break;
        }
        scanned_ = static_cast<std::uint32_t>(stop);
        if (stop == received.size() || (base[stop] == '\r' && stop + 1 == received.size())) {
            return parse_result::need_more();
        }
        if (base[stop] != '\r' || base[stop + 1] != '\n') {
            (void)refuse(status::bad_request, base[stop] == '\r'   ? "CR without LF"
                                              : base[stop] == '\n' ? "LF without CR"
                                                                   : "control character in the head");
            break;
        }
        if (!take_line(base, stop)) {
            break;
        }
        line_start_ = scanned_ = static_cast<std::uint32_t>(stop + 2);
    }
    return phase_ == phase::failed ? parse_result::refused(error_) : parse_result::complete(line_start_);
}

bool request_parser::within_limits(std::size_t line_end) noexcept {
    const bool head_fits = line_end + 2 <= limits_->head_bytes_max();
    if (phase_ == phase::fields) {
        return head_fits || refuse(status::request_header_fields_too_large, "head over the limit");
    }
    const bool fits = head_fits && line_end - line_start_ <= limits_->request_line_bytes_max();
    return fits || refuse(status::uri_too_long, "request line over the limit");
}

bool request_parser::take_line(const char* base, std::size_t line_end) noexcept {
    const bool is_empty = line_end == line_start_;
    if (phase_ == phase::fields) {
        return is_empty ? take_end(base) : take_field_line(base, line_end);
    }
    if (is_empty) {
        return ++empty_lines_ <= limits_->leading_empty_lines_max() ||
               refuse(status::bad_request, "empty line instead of a request");
    }
    return take_request_line(base, line_end);
}

bool request_parser::take_request_line(const char* base, std::size_t line_end) noexcept {
    const std::string_view line(base + line_start_, line_end - line_start_);
    const auto method_end = line.find(' ');
    const auto target_end = line.rfind(' ');
    if (method_end == std::string_view::npos || target_end <= method_end + 1) {
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
    const int minor_version = minor_version_of(version);
    if (minor_version < 0) {
        return refuse(version_error(version));
    }
    const auto parts =
        all_are(target, character::target) ? split_request_target(layout_.method, target) : std::nullopt;
    if (!parts) {
        return refuse(status::bad_request, "malformed request target");
    }
    layout_.minor_version = static_cast<std::uint8_t>(minor_version);
    layout_.form = parts->form;
    layout_.method_name = range_of(name, base);
    layout_.target = range_of(target, base);
    layout_.authority = range_of(parts->authority, base);
    layout_.path = range_of(parts->path, base);
    layout_.query = range_of(parts->query, base);
    phase_ = phase::fields;
    return true;
}

bool request_parser::take_field_line(const char* base, std::size_t line_end) noexcept {
    std::size_t colon = line_start_;
    while (is(base[colon], character::token)) {  // stops at the CR at the latest
        ++colon;
    }
    const std::size_t name_size = colon - line_start_;
    if (base[colon] != ':' || name_size == 0) {
        return refuse(status::bad_request, is_white_space(base[line_start_]) ? "folded field line"
                                           : name_size == 0                  ? "empty field name"
                                           : base[colon] == '\r'             ? "field line without a colon"
                                           : is_white_space(base[colon])     ? "white space in a field name"
                                                                             : "malformed field name");
    }
    if (name_size > 255) {
        return refuse(status::request_header_fields_too_large, "field name over the limit");
    }
    if (layout_.header_count >= limits_->header_count_max()) {
        return refuse(status::request_header_fields_too_large, "too many fields");
    }
    std::size_t value = colon + 1;
    std::size_t value_end = line_end;
    while (value < value_end && is_white_space(base[value])) {
        ++value;
    }
    while (value < value_end && is_white_space(base[value_end - 1])) {
        --value_end;
    }

    const field id = field_from({base + line_start_, name_size});
    field_line& line = layout_.lines[layout_.header_count];
    line.value = {static_cast<std::uint16_t>(value), static_cast<std::uint16_t>(value_end - value)};
    line.name_offset = static_cast<std::uint16_t>(line_start_);
    line.name_size = static_cast<std::uint8_t>(name_size);
    line.id = id;

    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(id);
    if ((layout_.seen & bit) == 0) {
        layout_.first[static_cast<std::size_t>(id)] = layout_.header_count;
    }
    layout_.repeated |= layout_.seen & bit;
    layout_.seen |= bit;
    ++layout_.header_count;
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

    connection_options options;
    if (head.has(field::connection)) {
        head.for_each(field::connection, [&options](std::string_view line) { options.add_line(line); });
        if (options.malformed()) {
            return refuse(status::bad_request, "malformed Connection");
        }
    }
    layout_.keep_alive = !options.close() && (!is_1_0 || options.keep_alive());
    layout_.upgrades = options.upgrade() && !is_1_0 && head.has(field::upgrade);

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

bool request_parser::refuse(status code, std::string_view reason) noexcept {
    return refuse(message_error(code, reason));
}

bool request_parser::refuse(const message_error& error) noexcept {
    error_ = error;
    phase_ = phase::failed;
    return false;
}

}  // namespace eddy::http
