#pragma once

#include <eddy/detail/build.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

// Percent-encoding (RFC 3986 section 2.1): "%" and two hexadecimal digits for a byte.

/// Encodes all but the unreserved characters (letters, digits, "-._~"), so that the text may stand anywhere
/// in a URL: as a segment of a path, or as a name or value in a query. Throws std::bad_alloc.
[[nodiscard]] std::string percent_encode(std::string_view text);

/// Encodes only what may not stand in a URL at all: white space, control characters, bytes over 0x7f and
/// "<>\^`{|}. For URLs as people and other programs write them. Escapes that are there stay.
[[nodiscard]] std::string percent_encode_invalid(std::string_view url);

/// Nothing if a "%" is not followed by two hexadecimal digits. "+" stays "+".
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view text);

}  // namespace eddy::http
