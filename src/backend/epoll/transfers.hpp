#pragma once

#include "backend/epoll/descriptor_table.hpp"

#include <eddy/io/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace eddy::backends {

/// What an attempt gives when the descriptor is not ready. No error number is that large.
inline constexpr std::int32_t not_ready = std::numeric_limits<std::int32_t>::min();

/// The most that one transfer moves, as of the system's own calls.
inline constexpr std::uint64_t transfer_bytes_max = 0x7ffff000;

// Each of these makes the operation's system call, which does not wait, and gives its result or not_ready.
// They note in the descriptor's state what the call tells of its readiness: after a short transfer the next
// call would find nothing to do, so a change will be reported (epoll(7)).

[[nodiscard]] std::int32_t try_accept(descriptor_state& state) noexcept;
[[nodiscard]] std::int32_t try_receive(descriptor_state& state, void* into, std::uint64_t size) noexcept;
[[nodiscard]] std::int32_t try_read(descriptor_state& state, io::operation& asked) noexcept;

/// The operation's mark: whether the connection has been begun.
[[nodiscard]] std::int32_t try_connect(descriptor_state& state, io::operation& asked) noexcept;

/// The operation's mark: how many bytes have been sent.
[[nodiscard]] std::int32_t try_send(descriptor_state& state, io::operation& asked) noexcept;
[[nodiscard]] std::int32_t try_send_vectored(descriptor_state& state, io::operation& asked) noexcept;

}  // namespace eddy::backends
