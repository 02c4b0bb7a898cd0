#pragma once

#include "http/message/characters.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace eddy::http {

// Each find_control finds the first control character other than HTAB in bytes [from, size), or `size`.
// That is where a line ends or is broken. They never read outside [0, size).

[[nodiscard]] inline std::size_t find_control_portable(const char* bytes, std::size_t from,
                                                       std::size_t size) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    while (size - from >= 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes + from, 8);
        const std::uint64_t del = word ^ (ones * 0x7f);
        // The high bit of a byte is set in the first term when it is below 0x20, in the second when it is
        // 0x7f; borrows make false alarms possible, which the loop below sorts out.
        const std::uint64_t suspects = ((word - ones * 0x20) & ~word) | ((del - ones) & ~del);
        if ((suspects & (ones * 0x80)) != 0) {
            for (std::size_t i = from; i < from + 8; ++i) {
                if (!is(bytes[i], character::field)) {
                    return i;
                }
            }
        }
        from += 8;
    }
    while (from < size && is(bytes[from], character::field)) {
        ++from;
    }
    return from;
}

#if defined(__SSE2__)

// Bit i is set when byte i of the 16 at `bytes` is such a character.
[[nodiscard]] inline unsigned control_mask(const char* bytes) noexcept {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
    const __m128i tab = _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'));
    const __m128i del = _mm_cmpeq_epi8(block, _mm_set1_epi8(0x7f));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_andnot_si128(tab, low), del)));
}

[[nodiscard]] inline std::size_t find_control(const char* bytes, std::size_t from,
                                              std::size_t size) noexcept {
    while (size - from >= 16) {
        if (const unsigned mask = control_mask(bytes + from); mask != 0) {
            return from + static_cast<unsigned>(std::countr_zero(mask));
        }
        from += 16;
    }
    if (size < 16) {
        return find_control_portable(bytes, from, size);
    }
    // The last bytes, by a block that ends where they end; what it sees again is shifted out.
    const std::size_t seen_again = 16 - (size - from);
    const unsigned mask = control_mask(bytes + size - 16) >> seen_again;
    return mask != 0 ? from + static_cast<unsigned>(std::countr_zero(mask)) : size;
}

// Bit i is set when byte i of the 16 at `bytes` is a colon.
[[nodiscard]] inline unsigned colon_mask(const char* bytes) noexcept {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(':'))));
}

#else

[[nodiscard]] inline std::size_t find_control(const char* bytes, std::size_t from,
                                              std::size_t size) noexcept {
    return find_control_portable(bytes, from, size);
}

#endif

// The first colon in bytes [from, size), or `size`. Reads nothing outside [0, size).
[[nodiscard]] inline std::size_t find_colon(const char* bytes, std::size_t from, std::size_t size) noexcept {
#if defined(__SSE2__)
    while (size - from >= 16) {
        if (const unsigned mask = colon_mask(bytes + from); mask != 0) {
            return from + static_cast<unsigned>(std::countr_zero(mask));
        }
        from += 16;
    }
    if (size >= 16) {
        const std::size_t seen_again = 16 - (size - from);
        const unsigned mask = colon_mask(bytes + size - 16) >> seen_again;
        return mask != 0 ? from + static_cast<unsigned>(std::countr_zero(mask)) : size;
    }
#endif
    while (from < size && bytes[from] != ':') {
        ++from;
    }
    return from;
}

}  // namespace eddy::http
