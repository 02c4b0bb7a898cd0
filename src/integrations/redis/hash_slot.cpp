#include <eddy/integrations/redis/detail/hash_slot.hpp>

#include <array>

namespace eddy::redis {

namespace {

constexpr std::array<std::uint16_t, 256> make_table() {
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
        table[byte] = static_cast<std::uint16_t>(crc);
    }
    return table;
}

constexpr std::array<std::uint16_t, 256> table = make_table();

std::string_view tag_of(std::string_view key) noexcept {
    const auto open = key.find('{');
    if (open == std::string_view::npos)
        return key;
    const auto close = key.find('}', open + 1);
    if (close == std::string_view::npos || close == open + 1)
        return key;
    return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint16_t hash_slot(std::string_view key) noexcept {
    unsigned crc = 0;
    for (const char each : tag_of(key))
        crc = (crc << 8 & 0xffff) ^ table[(crc >> 8) ^ static_cast<unsigned char>(each)];
    return static_cast<std::uint16_t>(crc % hash_slots);
}

}  // namespace eddy::redis
