#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string_view>

namespace eddy::redis {

inline constexpr std::uint16_t hash_slots = 16384;

/// Which of a cluster's slots a key is in: CRC-16 (XMODEM) of the key, or of what stands in its first braces
/// if that is not empty, the hash tag (https://redis.io/docs/reference/cluster-spec/, "Key distribution
/// model"). Keys with the same tag are in the same slot.
[[nodiscard]] std::uint16_t hash_slot(std::string_view key) noexcept;

}  // namespace eddy::redis
