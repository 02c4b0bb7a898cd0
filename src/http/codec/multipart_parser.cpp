#include "http/message/characters.hpp"
#include "http/message/field_syntax.hpp"
#include "http/message/parameters.hpp"

#include <eddy/http/codec/detail/multipart_parser.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace eddy::http {

namespace {

constexpr std::size_t boundary_size_max = 70;  // RFC 2046 section 5.1.1
// White space behind a boundary, which no program of today sends.
constexpr std::size_t padding_max = 64;

bool is_boundary_character(char byte) noexcept {
    return is_digit(byte) || (to_lower(byte) >= 'a' && to_lower(byte) <= 'z') ||
           std::string_view("'()+_,-./:=? ").find(byte) != std::string_view::npos;
}

// Where the end of the bytes could be the beginning of the delimiter.
std::size_t possible_delimiter(std::string_view bytes, std::string_view delimiter) noexcept {
    std::size_t at = bytes.size() - std::min(bytes.size(), delimiter.size() - 1);
    while ((at = bytes.find('\r', at)) != std::string_view::npos) {
        if (delimiter.starts_with(bytes.substr(at)))
            return at;
        ++at;
    }
    return bytes.size();
}

}  // namespace

std::expected<std::string, message_error> parse_multipart_boundary(std::string_view content_type) {
    const auto semicolon = std::min(content_type.find(';'), content_type.size());
    if (!equal_ignoring_case(trim(content_type.substr(0, semicolon)), "multipart/form-data"))
        return std::unexpected(message_error(status::unsupported_media_type, "not multipart/form-data"));
    std::string_view rest = content_type.substr(semicolon);
    while (auto parameter = take_parameter(rest)) {
        if (!equal_ignoring_case(parameter->name, "boundary"))
            continue;
        const std::string& value = parameter->value;
        if (value.empty() || value.size() > boundary_size_max || value.ends_with(' ') ||
            !std::ranges::all_of(value, is_boundary_character))
            return bad_request("a boundary that is not allowed");
        return value;
    }
    return bad_request("a multipart body without a boundary");
}

std::expected<multipart_header, message_error> multipart_header::parse(std::string_view fields) {
    multipart_header parsed;
    bool has_disposition = false;
    while (!fields.empty()) {
        const auto end = fields.find("\r\n");
        if (end == std::string_view::npos)
            return bad_request("a field of a part without its end");
        const std::string_view line = fields.substr(0, end);
        fields.remove_prefix(end + 2);
        const auto colon = line.find(':');
        if (colon == std::string_view::npos)
            return bad_request("a field of a part without a colon");
        const std::string_view name = line.substr(0, colon);
        const std::string_view value = trim(line.substr(colon + 1));
        if (!is_field(name, value))
            return bad_request("a field of a part that is not allowed");
        if (equal_ignoring_case(name, "content-disposition")) {
            if (std::exchange(has_disposition, true) || !parsed.take_disposition(value))
                return bad_request("a part whose Content-Disposition is malformed");
        } else if (equal_ignoring_case(name, "content-type")) {
            parsed.content_type_ = value;
        }
        parsed.fields_.emplace_back(name, value);
    }
    if (!has_disposition)
        return bad_request("a part without Content-Disposition");
    return parsed;
}

bool multipart_header::take_disposition(std::string_view value) {
    const auto semicolon = std::min(value.find(';'), value.size());
    if (!equal_ignoring_case(trim(value.substr(0, semicolon)), "form-data"))
        return false;
    std::string_view rest = value.substr(semicolon);
    std::optional<std::string> name;
    while (auto parameter = take_parameter(rest)) {
        if (equal_ignoring_case(parameter->name, "name")) {
            if (name)
                return false;
            name = std::move(parameter->value);
        } else if (equal_ignoring_case(parameter->name, "filename")) {
            if (file_name_)
                return false;
            file_name_ = std::move(parameter->value);
        }
    }
    if (!name || !rest.empty())
        return false;
    name_ = std::move(*name);
    return true;
}

std::optional<std::string_view> multipart_header::find(std::string_view name) const noexcept {
    for (const auto& field : fields_)
        if (equal_ignoring_case(field.first, name))
            return field.second;
    return std::nullopt;
}

multipart_parser::multipart_parser(std::string_view boundary, const multipart_limits& limits)
    : limits_(limits), delimiter_("\r\n--") {
    delimiter_ += boundary;
}

multipart_step multipart_parser::parse(std::string_view bytes) {
    multipart_step taken = step(bytes);
    if (taken.event() == multipart_event::error) {
        position_ = position::failed;
        error_ = taken.error();
        return taken;
    }
    total_bytes_ += taken.consumed();
    if (total_bytes_ > limits_.total_bytes_max()) {
        position_ = position::failed;
        error_ = message_error(status::content_too_large, "a multipart body over the limit");
        return {error_.status(), error_.reason()};
    }
    return taken;
}

multipart_step multipart_parser::step(std::string_view bytes) {
    switch (position_) {
        case position::preamble:
        case position::body:
            return find_delimiter(bytes);
        case position::boundary_end:
            return read_boundary_end(bytes);
        case position::header:
            return read_header(bytes);
        case position::epilogue:
            return {multipart_event::complete, bytes.size()};
        case position::failed:
            break;
    }
    return {error_.status(), error_.reason()};
}

multipart_step multipart_parser::find_delimiter(std::string_view bytes) {
    if (is_at_line_start_) {
        const std::string_view dashes = std::string_view(delimiter_).substr(2);
        if (bytes.starts_with(dashes))
            return pass_delimiter(dashes.size());
        if (dashes.starts_with(bytes))
            return {multipart_event::need_more, 0};
        is_at_line_start_ = false;
    }
    if (bytes.starts_with(delimiter_))
        return pass_delimiter(delimiter_.size());
    const auto found = bytes.find(delimiter_);
    const std::size_t before =
        found != std::string_view::npos ? found : possible_delimiter(bytes, delimiter_);
    if (before == 0)
        return {multipart_event::need_more, 0};
    return pass(before);
}

// Bytes in front of a delimiter.
multipart_step multipart_parser::pass(std::size_t count) {
    if (position_ == position::preamble)
        return {multipart_event::need_more, count};
    part_bytes_ += count;
    if (part_bytes_ > limits_.part_bytes_max())
        return {status::content_too_large, "a part over the limit"};
    return {multipart_event::data, count};
}

multipart_step multipart_parser::pass_delimiter(std::size_t count) {
    const bool ends_part = position_ == position::body;
    position_ = position::boundary_end;
    return {ends_part ? multipart_event::part_end : multipart_event::need_more, count};
}

multipart_step multipart_parser::read_boundary_end(std::string_view bytes) {
    if (bytes.starts_with("--")) {
        position_ = position::epilogue;
        return {multipart_event::complete, bytes.size()};
    }
    if (bytes == "-")
        return {multipart_event::need_more, 0};
    const auto text = std::ranges::find_if_not(bytes, is_white_space);
    const auto padding = static_cast<std::size_t>(text - bytes.begin());
    const std::string_view rest = bytes.substr(padding);
    if (padding > padding_max || (!rest.empty() && !std::string_view("\r\n").starts_with(rest.substr(0, 2))))
        return {status::bad_request, "a boundary with something behind it"};
    if (rest.size() < 2)
        return {multipart_event::need_more, 0};
    if (parts_ == limits_.parts_max())
        return {status::content_too_large, "too many parts"};
    ++parts_;
    position_ = position::header;
    return {multipart_event::need_more, padding + 2};
}

multipart_step multipart_parser::read_header(std::string_view bytes) {
    constexpr std::string_view empty_line = "\r\n\r\n";
    const auto end = bytes.starts_with("\r\n") ? 0 : bytes.find(empty_line);
    // What is last may be the beginning of the header's end.
    const std::size_t size_at_least =
        std::min(end, bytes.size() - std::min(bytes.size(), empty_line.size() - 1));
    if (size_at_least > limits_.header_bytes_max())
        return {status::content_too_large, "the header of a part over the limit"};
    if (end == std::string_view::npos)
        return {multipart_event::need_more, 0};
    if (end == 0)
        return {status::bad_request, "a part without Content-Disposition"};
    auto parsed = multipart_header::parse(bytes.substr(0, end + 2));
    if (!parsed)
        return {parsed.error().status(), parsed.error().reason()};
    header_ = std::move(*parsed);
    part_bytes_ = 0;
    is_at_line_start_ = true;
    position_ = position::body;
    return {multipart_event::part_begin, end + empty_line.size()};
}

}  // namespace eddy::http
