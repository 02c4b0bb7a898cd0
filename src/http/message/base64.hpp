#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace eddy::http {

/// RFC 4648 section 4, with padding. Throws std::bad_alloc.
[[nodiscard]] std::string base64_encode(std::string_view bytes);

/// The same back, also without the padding. Nothing for what is malformed.
[[nodiscard]] std::optional<std::string> base64_decode(std::string_view text);

}  // namespace eddy::http
