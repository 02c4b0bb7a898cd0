#include "memcached/base64.hpp"

#include <array>
#include <cstdint>

namespace eddy::apps::memcached {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr std::array<std::uint8_t, 256> make_digits() {
    std::array<std::uint8_t, 256> digits{};
    digits.fill(no_digit);
    for (std::size_t value = 0; value < alphabet.size(); ++value)
        digits[static_cast<unsigned char>(alphabet[value])] = static_cast<std::uint8_t>(value);
    return digits;
}
constexpr std::array<std::uint8_t, 256> base64_digits = make_digits();

std::uint8_t digit_of(char letter) noexcept {
    return base64_digits[static_cast<unsigned char>(letter)];
}

std::uint32_t byte_of(char byte) noexcept {
    return static_cast<unsigned char>(byte);
}

}  // namespace

std::optional<std::size_t> decode_base64(std::string_view text, std::span<char> room) noexcept {
    if (text.empty() || text.size() % 4 != 0)
        return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && text[text.size() - 1 - padding] == '=')
        ++padding;
    const std::size_t size = text.size() / 4 * 3 - padding;
    if (size > room.size())
        return std::nullopt;
    const std::size_t digit_count = text.size() - padding;
    std::size_t written = 0;
    std::uint32_t bits = 0;
    for (std::size_t at = 0; at < digit_count; ++at) {
        const std::uint8_t digit = digit_of(text[at]);
        if (digit == no_digit)
            return std::nullopt;
        bits = bits << 6 | digit;
        // Each digit but the first of four completes a byte.
        if (const std::size_t place = at % 4; place != 0)
            room[written++] = static_cast<char>(bits >> (6 - 2 * place) & 0xFF);
    }
    // What is left over of the last digit.
    const std::uint32_t unused = padding == 2 ? bits & 0xF : padding == 1 ? bits & 0x3 : 0;
    if (unused != 0)
        return std::nullopt;
    return size;
}

std::size_t encode_base64(std::string_view bytes, char* room) noexcept {
    char* const begin = room;
    for (; !bytes.empty(); bytes.remove_prefix(bytes.size() < 3 ? bytes.size() : 3)) {
        const std::uint32_t bits = byte_of(bytes[0]) << 16 | (bytes.size() > 1 ? byte_of(bytes[1]) << 8 : 0) |
                                   (bytes.size() > 2 ? byte_of(bytes[2]) : 0);
        *room++ = alphabet[bits >> 18];
        *room++ = alphabet[bits >> 12 & 63];
        *room++ = bytes.size() > 1 ? alphabet[bits >> 6 & 63] : '=';
        *room++ = bytes.size() > 2 ? alphabet[bits & 63] : '=';
    }
    return static_cast<std::size_t>(room - begin);
}

}  // namespace eddy::apps::memcached
