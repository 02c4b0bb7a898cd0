#include <eddy/http/websocket/utf8_validator.hpp>

#include <cstring>

namespace eddy::http {

namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080U;

/// How many bytes from the front are ASCII, by whole words.
std::size_t ascii_words(const std::byte* bytes, std::size_t size) noexcept {
    std::size_t at = 0;
    for (; at + 32 <= size; at += 32) {
        std::uint64_t words[4];
        std::memcpy(words, bytes + at, sizeof words);
        if (((words[0] | words[1] | words[2] | words[3]) & high_bits) != 0)
            break;
    }
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, sizeof word);
        if ((word & high_bits) != 0)
            break;
    }
    return at;
}

}  // namespace

bool utf8_validator::append(std::span<const std::byte> bytes) noexcept {
    if (missing_ == failed)
        return false;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto byte = static_cast<std::uint8_t>(bytes[at]);
        if (missing_ == 0) {
            if (byte < 0x80) {
                const std::size_t run = ascii_words(bytes.data() + at, bytes.size() - at);
                at += run != 0 ? run : 1;
                continue;
            }
            if (!begin_character(byte))
                return false;
        } else if (byte < low_ || byte > high_) {
            missing_ = failed;
            return false;
        } else {
            --missing_;
            low_ = 0x80;
            high_ = 0xbf;
        }
        ++at;
    }
    return true;
}

bool utf8_validator::begin_character(std::uint8_t lead) noexcept {
    // Table 3-7 of the Unicode standard: only the second byte has ranges of its own.
    if (lead >= 0xc2 && lead <= 0xdf) {
        missing_ = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        missing_ = 2;
        if (lead == 0xe0)
            low_ = 0xa0;  // shorter forms exist
        if (lead == 0xed)
            high_ = 0x9f;  // surrogates
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        missing_ = 3;
        if (lead == 0xf0)
            low_ = 0x90;
        if (lead == 0xf4)
            high_ = 0x8f;  // above U+10FFFF
    } else {
        missing_ = failed;
        return false;
    }
    return true;
}

}  // namespace eddy::http
