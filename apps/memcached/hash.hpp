#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace eddy::apps::memcached {

/// Hashes keys in an order that others cannot foresee: 16 bytes a step, each multiplied and folded.
class key_hash {
public:
    explicit key_hash(std::uint64_t secret) noexcept : secret_(secret | 1) {}

    [[nodiscard]] std::uint64_t operator()(std::string_view key) const noexcept {
        const char* at = key.data();
        std::size_t left = key.size();
        std::uint64_t state = secret_ ^ left * multiplier;
        for (; left > 16; at += 16, left -= 16)
            state = fold(word(at) ^ multiplier, word(at + 8) ^ state);
        if (left >= 8)
            return finish(word(at), word(at + left - 8), state);
        if (left >= 4)
            return finish(half(at), half(at + left - 4), state);
        return finish(left == 0 ? 0 : few(at, left), 0, state);
    }

private:
    __extension__ using wide = unsigned __int128;
    static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;

    [[nodiscard]] static std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
        const wide product = static_cast<wide>(a) * b;
        return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    [[nodiscard]] std::uint64_t finish(std::uint64_t a, std::uint64_t b, std::uint64_t state) const noexcept {
        return fold(fold(a ^ secret_, b ^ state) ^ secret_, multiplier);
    }
    [[nodiscard]] static std::uint64_t word(const char* at) noexcept {
        std::uint64_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    [[nodiscard]] static std::uint64_t half(const char* at) noexcept {
        std::uint32_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    [[nodiscard]] static std::uint64_t few(const char* at, std::size_t count) noexcept {
        const auto byte = [at](std::size_t index) {
            return std::uint64_t{static_cast<unsigned char>(at[index])};
        };
        return byte(0) << 16 | byte(count / 2) << 8 | byte(count - 1);
    }

    std::uint64_t secret_;
};

}  // namespace eddy::apps::memcached
