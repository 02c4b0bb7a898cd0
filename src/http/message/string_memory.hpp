#pragma once

#include <cstddef>
#include <string>

namespace eddy::http {

/// Empties a string that is used again and again, and frees its memory if that is more than
/// `bytes_kept`. Assigning an empty string would keep it.
inline void clear_keeping(std::string& text, std::size_t bytes_kept) noexcept {
    text.clear();
    if (text.capacity() > bytes_kept)
        std::string().swap(text);
}

}  // namespace eddy::http
