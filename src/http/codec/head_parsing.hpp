#pragma once

#include "http/message/characters.hpp"
#include "http/message/connection_header.hpp"
#include "http/message/scan.hpp"

#include <eddy/http/codec/detail/head_parser.hpp>
#include <eddy/http/message/method.hpp>

// The unit of work is a line. Bytes are scanned once, by blocks, for the first control character after
// `scanned_`; when that is the CR of a line end, the whole line is taken at once, otherwise the head is
// refused there. Limits are checked against the position where the scan stopped before anything else is,
// so that the verdict depends on the bytes alone, never on how they were cut.

namespace eddy::http::detail {

inline text_range range_of(std::string_view part, const char* base) noexcept {
    if (part.empty()) {
        return {0, 0};
    }
    return {static_cast<std::uint16_t>(part.data() - base), static_cast<std::uint16_t>(part.size())};
}

// Why this is no version that can be understood. Requires: it is neither HTTP/1.1 nor HTTP/1.0.
inline message_error version_error(std::string_view text) noexcept {
    const bool has_minor = text.size() == 8 && text[6] == '.' && is_digit(text[7]);
    const bool has_form = text.starts_with("HTTP/") && (has_minor || text.size() == 6) && is_digit(text[5]);
    if (has_form && text[5] != '1') {
        return {status::http_version_not_supported, "HTTP version not supported"};
    }
    return {status::bad_request, "malformed HTTP version"};
}

// 0 or 1; -1 when it is no HTTP/1.x.
inline int minor_version_of(std::string_view text) noexcept {
    constexpr std::string_view version_1_1 = "HTTP/1.1";
    if (text == version_1_1) {
        return 1;
    }
    const bool is_1_x = text.size() == version_1_1.size() && text.starts_with("HTTP/1.") && is_digit(text[7]);
    return !is_1_x ? -1 : text[7] == '0' ? 0 : 1;
}

// What is wrong with a line that does not begin with a token and a colon.
inline std::string_view field_line_fault(std::string_view line) noexcept {
    std::size_t size = 0;
    while (size < line.size() && is(line[size], character::token)) {
        ++size;
    }
    return is_white_space(line.front()) ? folded_field_line
           : size == 0                  ? "empty field name"
           : size == line.size()        ? "field line without a colon"
           : is_white_space(line[size]) ? "white space in a field name"
                                        : "malformed field name";
}

template <class Parser>
parse_result head_parser::parse_lines(Parser& self, std::string_view received) noexcept {
    const char* const base = received.data();
    std::size_t line = self.line_start_;
    std::size_t scanned = self.scanned_;
    while (self.phase_ < phase::complete) {
        const std::size_t stop = find_control(base, scanned, received.size());
        if (!self.template within_limits<Parser>(stop, stop - line)) {
            break;
        }
        if (stop == received.size() || (base[stop] == '\r' && stop + 1 == received.size())) {
            self.scanned_ = static_cast<std::uint32_t>(stop);
            return parse_result::need_more();
        }
        if (base[stop] != '\r' || base[stop + 1] != '\n') {
            (void)self.refuse(status::bad_request, base[stop] == '\r'   ? "CR without LF"
                                                   : base[stop] == '\n' ? "LF without CR"
                                                                        : "control character in the head");
            break;
        }
        if (!take_line(self, base, line, stop)) {
            break;
        }
        line = scanned = stop + 2;
        self.line_start_ = static_cast<std::uint32_t>(line);
    }
    return self.phase_ == phase::failed ? parse_result::refused(self.error_)
                                        : parse_result::complete(self.line_start_);
}

template <class Parser>
bool head_parser::within_limits(std::size_t line_end, std::size_t line_size) noexcept {
    const bool head_fits = line_end + 2 <= limits_->head_bytes_max();
    if (phase_ == phase::fields) {
        return head_fits || refuse(status::request_header_fields_too_large, "head over the limit");
    }
    const bool fits = head_fits && line_size <= limits_->request_line_bytes_max();
    return fits || refuse(Parser::start_line_too_long());
}

template <class Parser>
bool head_parser::take_line(Parser& self, const char* base, std::size_t begin, std::size_t end) noexcept {
    if (self.phase_ == phase::fields) {
        return begin == end ? self.take_end(base) : self.take_field_line(self.layout_, base, begin, end);
    }
    return begin == end ? self.take_empty_line() : self.take_start_line(base, begin, end);
}

inline bool head_parser::take_field_line(head_layout& layout, const char* base, std::size_t begin,
                                         std::size_t line_end) noexcept {
    const std::size_t colon = find_colon(base, begin, line_end);
    const std::size_t name_size = colon - begin;
    const std::string_view name(base + begin, name_size);
    // The line has no control characters: what is a field's name is a token.
    const field id = field_from(name);
    if (colon == line_end || (id == field::other && !is_token(name))) [[unlikely]] {
        return refuse(status::bad_request, field_line_fault({base + begin, line_end - begin}));
    }
    if (name_size > 255) {
        return refuse(status::request_header_fields_too_large, "field name over the limit");
    }
    if (layout.header_count >= limits_->header_count_max()) {
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

    field_line& line = layout.lines[layout.header_count];
    line.value = {static_cast<std::uint16_t>(value), static_cast<std::uint16_t>(value_end - value)};
    line.name_offset = static_cast<std::uint16_t>(begin);
    line.name_size = static_cast<std::uint8_t>(name_size);
    line.id = id;

    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(id);
    if ((layout.seen & bit) == 0) {
        layout.first[static_cast<std::size_t>(id)] = layout.header_count;
    }
    layout.repeated |= layout.seen & bit;
    layout.seen |= bit;
    ++layout.header_count;
    return true;
}

template <class Head>
bool head_parser::take_connection(head_layout& layout, const Head& head) noexcept {
    const bool is_1_0 = layout.minor_version == 0;
    connection_header options;
    if (head.has(field::connection)) {
        head.for_each(field::connection, [&options](std::string_view line) { options.add_line(line); });
        if (options.malformed()) {
            return refuse(status::bad_request, "malformed Connection");
        }
    }
    layout.keep_alive = !options.close() && (!is_1_0 || options.keep_alive());
    layout.upgrades = options.upgrade() && !is_1_0 && head.has(field::upgrade);
    return true;
}

}  // namespace eddy::http::detail
