#include <eddy/http/websocket/detail/mask.hpp>

#include <cstring>

namespace eddy::http {

namespace {

/// Eight bytes of the key's repetition, from a place on. Made byte by byte, so it is right in any byte order.
std::uint64_t pattern_from(websocket_mask_key key, std::uint64_t phase) noexcept {
    std::array<std::byte, 8> bytes{};
    for (std::size_t at = 0; at < bytes.size(); ++at)
        bytes[at] = key[(phase + at) % 4];
    std::uint64_t pattern = 0;
    std::memcpy(&pattern, bytes.data(), sizeof pattern);
    return pattern;
}

/// Whole words first: a loop without a dependency, of which compilers make wide instructions.
void mask_words(const std::byte* from, std::byte* to, std::size_t size, std::uint64_t pattern) noexcept {
    const std::size_t words = size / 8;
    for (std::size_t at = 0; at < words; ++at) {
        std::uint64_t word = 0;
        std::memcpy(&word, from + at * 8, 8);
        word ^= pattern;
        std::memcpy(to + at * 8, &word, 8);
    }
    std::array<std::byte, 8> rest{};
    std::memcpy(rest.data(), &pattern, 8);
    for (std::size_t at = words * 8; at < size; ++at)
        to[at] = from[at] ^ rest[at % 8];
}

}  // namespace

void apply_mask(std::span<std::byte> bytes, websocket_mask_key key, std::uint64_t phase) noexcept {
    mask_words(bytes.data(), bytes.data(), bytes.size(), pattern_from(key, phase));
}

void copy_masked(std::span<const std::byte> from, std::byte* to, websocket_mask_key key,
                 std::uint64_t phase) noexcept {
    mask_words(from.data(), to, from.size(), pattern_from(key, phase));
}

}  // namespace eddy::http
