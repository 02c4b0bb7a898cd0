#pragma once

#include <eddy/http/message/detail/content_coding.hpp>

#include <array>
#include <string>
#include <string_view>

namespace eddy::http {

/// The codings that responses are encoded with on their way, the best first.
inline constexpr std::array codings_on_the_way = {content_coding::brotli, content_coding::gzip};

/// The tag of what such a coding makes of a response: W/"a-gzip" of "a" or W/"a". Weak, since another encoder
/// makes other bytes of the same text. Requires: a tag.
[[nodiscard]] inline std::string coded_tag(std::string_view tag, content_coding coding) {
    std::string text(tag.starts_with("W/") ? "" : "W/");
    text.append(tag.substr(0, tag.size() - 1)).append("-").append(to_string(coding)).append("\"");
    return text;
}

/// Whether `opaque` is that of such a form of what has the tag `plain`. Requires: both have their quotes.
[[nodiscard]] inline bool is_coded_tag(std::string_view opaque, std::string_view plain) noexcept {
    plain.remove_suffix(1);
    if (!opaque.starts_with(plain))
        return false;
    opaque.remove_prefix(plain.size());
    opaque.remove_suffix(1);
    for (const content_coding coding : codings_on_the_way)
        if (opaque.starts_with('-') && opaque.substr(1) == to_string(coding))
            return true;
    return false;
}

}  // namespace eddy::http
