#include "http/h2/http2_head.hpp"

#include "http/message/string_memory.hpp"

namespace eddy::http {

namespace {

constexpr std::size_t text_bytes_kept = 4096;
constexpr std::size_t name_bytes_max = 255;
// What a field counts beside its texts (RFC 9113 section 6.5.2).
constexpr std::size_t field_bytes_extra = 32;

}  // namespace

void http2_head::clear() noexcept {
    clear_keeping(text_, text_bytes_kept);
    list_bytes_ = 0;
    is_refused_ = false;
}

void http2_head::refuse(status code, std::string_view reason) noexcept {
    if (!is_refused_)
        error_ = {code, reason};
    is_refused_ = true;
}

bool http2_head::count(std::string_view name, std::string_view value, const message_limits& limits) noexcept {
    list_bytes_ += name.size() + value.size() + field_bytes_extra;
    if (text_.size() + name.size() + value.size() <= limits.head_bytes_max())
        return true;
    refuse(status::request_header_fields_too_large, "head over the limit");
    return false;
}

text_range http2_head::keep(std::string_view text) {
    if (text_.size() + text.size() > message_limits::head_bytes_cap) {
        refuse(status::request_header_fields_too_large, "head over the limit");
        return {};
    }
    const text_range kept{static_cast<std::uint16_t>(text_.size()), static_cast<std::uint16_t>(text.size())};
    text_.append(text);
    return kept;
}

void http2_head::add_line(head_layout& layout, std::string_view name, std::string_view value,
                          const message_limits& limits) {
    if (name.size() > name_bytes_max)
        return refuse(status::request_header_fields_too_large, "field name over the limit");
    if (layout.header_count >= limits.header_count_max())
        return refuse(status::request_header_fields_too_large, "too many fields");
    const field id = field_from(name);
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(id);
    if ((layout.seen & bit) == 0)
        layout.first[static_cast<std::size_t>(id)] = layout.header_count;
    layout.repeated |= layout.seen & bit;
    layout.seen |= bit;
    field_line& line = layout.lines[layout.header_count++];
    line.id = id;
    line.name_offset = keep(name).offset;
    line.name_size = static_cast<std::uint8_t>(name.size());
    line.value = keep(value);
}

}  // namespace eddy::http
