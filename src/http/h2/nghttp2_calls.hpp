#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

namespace eddy::http {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) noexcept {
    return {reinterpret_cast<const char*>(bytes), size};
}

/// The calls for which this is used fail for want of memory only.
inline void require_memory(int result) {
    if (result != 0)
        throw std::bad_alloc();
}

}  // namespace eddy::http
