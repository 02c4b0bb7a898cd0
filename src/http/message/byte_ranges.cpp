#include "http/message/byte_range_spec.hpp"
#include "http/message/characters.hpp"

#include <eddy/http/message/detail/byte_ranges.hpp>

#include <algorithm>

namespace eddy::http {

namespace {

// The head of a part has about this size, so that a smaller gap is cheaper to send.
constexpr std::uint64_t gap_bytes = 80;

bool belong_together(const byte_range& a, const byte_range& b) noexcept {
    const byte_range& earlier = a.first() <= b.first() ? a : b;
    const byte_range& later = a.first() <= b.first() ? b : a;
    return later.first() <= earlier.last() || later.first() - earlier.last() <= gap_bytes;
}

}  // namespace

void byte_ranges::add(byte_range part) noexcept {
    // What has grown may touch others that it did not touch before.
    for (std::size_t at = 0; at < count_;) {
        if (!belong_together(parts_[at], part)) {
            ++at;
            continue;
        }
        part = byte_range::partial(std::min(part.first(), parts_[at].first()),
                                   std::max(part.last(), parts_[at].last()));
        std::copy(parts_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  parts_.begin() + static_cast<std::ptrdiff_t>(count_),
                  parts_.begin() + static_cast<std::ptrdiff_t>(at));
        --count_;
        at = 0;
    }
    parts_[count_++] = part;
}

byte_ranges parse_byte_ranges(std::string_view value, std::uint64_t size) noexcept {
    const auto specs = byte_range_specs(value);
    byte_ranges found(range_kind::partial);
    if (!specs)
        return byte_ranges(range_kind::whole);
    if (std::count(specs->begin(), specs->end(), ',') >= static_cast<std::ptrdiff_t>(byte_ranges::count_max))
        return byte_ranges(range_kind::whole);
    bool has_any = false;
    for (std::string_view rest = *specs; !rest.empty();) {
        const std::string_view text = take_element(rest);
        if (text.empty())
            continue;
        const byte_range one = parse_byte_range_spec(text, size);
        if (one.kind() == range_kind::whole)
            return byte_ranges(range_kind::whole);
        has_any = true;
        if (one.kind() == range_kind::partial)
            found.add(one);
    }
    if (!has_any)
        return byte_ranges(range_kind::whole);
    return found.parts().empty() ? byte_ranges(range_kind::unsatisfiable) : found;
}

multipart_ranges::multipart_ranges(const byte_ranges& ranges, std::uint64_t size, std::string_view media_type,
                                   std::string boundary)
    : ranges_(ranges),
      size_(size),
      media_type_(media_type),
      boundary_(std::move(boundary)),
      content_type_("multipart/byteranges; boundary=" + boundary_) {
    const auto parts = ranges_.parts();
    for (std::size_t part = 0; part < parts.size(); ++part)
        body_bytes_ += head(part).size() + parts[part].length();
    body_bytes_ += tail().size();
}

std::string multipart_ranges::head(std::size_t part) const {
    const content_range where(ranges_.parts()[part], size_);
    std::string text = part == 0 ? "--" : "\r\n--";
    text.append(boundary_).append("\r\nContent-Type: ").append(media_type_);
    text.append("\r\nContent-Range: ").append(where.text()).append("\r\n\r\n");
    return text;
}

std::string multipart_ranges::tail() const {
    return "\r\n--" + boundary_ + "--\r\n";
}

}  // namespace eddy::http
