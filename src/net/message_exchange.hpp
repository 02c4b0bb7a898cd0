#pragma once

#include <eddy/io/detail/backend.hpp>
#include <eddy/net/passed_descriptors.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace eddy::detail {

/// Takes a message with its descriptors if there is one: its size, or an error, EAGAIN if there is none. What
/// came is owned by `out` at once.
[[nodiscard]] std::int32_t receive_message_now(io::backend& backend, int descriptor,
                                               std::span<std::byte> into, received_message& out) noexcept;

/// Sends a message with descriptors if there is room for it: its size, or an error, EAGAIN if there is none.
/// `to` may be null.
[[nodiscard]] std::int32_t send_message_now(io::backend& backend, int descriptor,
                                            std::span<const std::byte> bytes, std::span<const int> passed,
                                            const local_endpoint* to) noexcept;

}  // namespace eddy::detail
