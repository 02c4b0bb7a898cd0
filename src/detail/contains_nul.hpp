#pragma once

#include <string_view>

namespace eddy::detail {

/// Whether a C string could say only a part of the text, so that the system would see another one.
[[nodiscard]] inline bool contains_nul(std::string_view text) noexcept {
    return text.find('\0') != std::string_view::npos;
}

}  // namespace eddy::detail
