#pragma once

#include "http/message/characters.hpp"

#include <eddy/http/message/field.hpp>

#include <cstddef>
#include <cstdint>
#include <nghttp2/nghttp2.h>
#include <span>
#include <string_view>

namespace eddy::http {

/// How many trailer fields a response may have.
inline constexpr std::size_t trailers_max = 64;

/// A field for nghttp2, which copies both texts and writes the name in lower case. Refers to them.
[[nodiscard]] inline nghttp2_nv field_pair(std::string_view name, std::string_view value) noexcept {
    // nghttp2 does not write through them.
    return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
            reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
            NGHTTP2_NV_FLAG_NONE};
}

/// Whether a field concerns one connection of HTTP/1 (RFC 9113 section 8.2.2).
[[nodiscard]] inline bool is_of_the_connection(std::string_view name) noexcept {
    switch (field_from(name)) {
        case field::connection:
        case field::transfer_encoding:
        case field::upgrade:
            return true;
        case field::other:
            return equal_ignoring_case(name, "Keep-Alive") || equal_ignoring_case(name, "Proxy-Connection");
        default:
            return false;
    }
}

/// Takes the next of whole field lines off the front. Requires: there is one.
struct field_text {
    std::string_view name;
    std::string_view value;
};
[[nodiscard]] inline field_text take_field_line(std::string_view& lines) noexcept {
    const std::size_t colon = lines.find(':');
    const std::size_t end = lines.find('\r', colon);
    const field_text taken{lines.substr(0, colon), lines.substr(colon + 2, end - colon - 2)};
    lines.remove_prefix(end + 2);
    return taken;
}

/// As many fields of whole lines as fit. Returns their number.
[[nodiscard]] inline std::size_t split_field_lines(std::string_view lines,
                                                   std::span<nghttp2_nv> to) noexcept {
    std::size_t count = 0;
    while (!lines.empty() && count < to.size()) {
        const field_text line = take_field_line(lines);
        to[count++] = field_pair(line.name, line.value);
    }
    return count;
}

}  // namespace eddy::http
