#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::test {

/// The byte at a place of an endless stream in which a lost, doubled or moved byte shows.
inline std::byte numbered_byte(std::uint64_t place) noexcept {
    return static_cast<std::byte>((place * 0x9e3779b97f4a7c15U) >> 56);
}

inline void fill_numbered(std::span<std::byte> out, std::uint64_t from) noexcept {
    for (std::byte& byte : out)
        byte = numbered_byte(from++);
}

/// How many bytes from the front are those that stand at `from` in the stream.
inline std::size_t count_numbered(std::span<const std::byte> bytes, std::uint64_t from) noexcept {
    std::size_t count = 0;
    while (count < bytes.size() && bytes[count] == numbered_byte(from + count))
        ++count;
    return count;
}

}  // namespace eddy::test
