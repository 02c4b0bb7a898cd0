#pragma once

#include <cstddef>
#include <cstdint>

namespace eddy::backends {

// Reads and writes that do not wait, of descriptors that may be in blocking mode, are shared with others and
// so keep their mode. They return what the system call does; -1 with EAGAIN in errno: it would have had to
// wait.

/// Whether it is a regular file or a block device: always ready, and only the device makes a transfer wait.
[[nodiscard]] bool is_plain_file(int descriptor) noexcept;

/// What poll(2) says of it at once: events, 0 for none, or an error's negative number.
[[nodiscard]] std::int64_t poll_now(int descriptor, short events) noexcept;

/// Where the system has no read that does not wait it is polled first; another reader may be faster than the
/// read that follows, which then waits.
[[nodiscard]] std::int64_t read_gently(int descriptor, void* into, std::uint64_t size) noexcept;

/// The same for a write. `size`: what was offered to the system, which may be less than requested.
[[nodiscard]] std::int64_t write_gently(int descriptor, const void* bytes, std::uint64_t& size) noexcept;

/// A write that raises no SIGPIPE, and waits where the descriptor is in blocking mode.
[[nodiscard]] std::int64_t write_quietly(int descriptor, const void* bytes, std::uint64_t size) noexcept;

}  // namespace eddy::backends
