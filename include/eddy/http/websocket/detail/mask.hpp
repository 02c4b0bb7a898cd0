#pragma once

#include <eddy/detail/build.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::http {

/// The four bytes with which a client covers a frame's payload (RFC 6455 section 5.3), in the order in which
/// they are sent.
using websocket_mask_key = std::array<std::byte, 4>;

/// Covers or uncovers bytes in place. `phase` is where in the payload the bytes begin, of which the lower two
/// bits count: a payload may be treated in any pieces. Eight bytes at a time and more, at any alignment.
void apply_mask(std::span<std::byte> bytes, websocket_mask_key key, std::uint64_t phase) noexcept;

/// The same while copying `from` to `to`. Requires: `to` has room for all of `from` and does not overlap it.
void copy_masked(std::span<const std::byte> from, std::byte* to, websocket_mask_key key,
                 std::uint64_t phase) noexcept;

}  // namespace eddy::http
