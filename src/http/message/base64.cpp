#include "http/message/base64.hpp"

#include <openssl/evp.h>

#include <cstddef>
#include <cstdint>

namespace eddy::http {

std::string base64_encode(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL writes a NUL behind it
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.ends_with('=')) {
        if (text.size() % 4 != 0)
            return std::nullopt;
        text.remove_suffix(text.ends_with("==") ? 2 : 1);
    }
    std::string out;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char byte : text) {
        const auto value = alphabet.find(byte);
        if (value == std::string_view::npos)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out += static_cast<char>(bits >> count);
        }
    }
    // What is left over is less than a byte, and zero.
    if (count >= 6 || (bits & ((1U << count) - 1)) != 0)
        return std::nullopt;
    return out;
}

}  // namespace eddy::http
