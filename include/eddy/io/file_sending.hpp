#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace eddy::io {

/// What send_file() gives when it would have to wait for the device.
inline constexpr std::int64_t not_in_memory = std::numeric_limits<std::int64_t>::min();

/// Sends bytes that the program has, and behind them bytes of a file, which do not come into the program,
/// over a connection. Gives how many it has sent in all, some at least, or an error as a negative number:
/// -EAGAIN if the connection takes none, -EINVAL where the system does not move bytes between these
/// descriptors, not_in_memory. 0: `first` is empty and the file ends before `offset`.
///
/// - Never waits for the connection, whatever mode its descriptor is in; nor for the device, as far as can be
///   told: it looks at the file's cached pages in several places, and what is taken out of the cache just
///   then is read again. Raises no signal.
/// - Cost: for 1 MiB ten system calls, of which one does the work.
///
/// Requires: `size` is not 0. The connection is used by the calling thread only, and is not in the middle of
/// another write.
[[nodiscard]] std::int64_t send_file(int connection, std::string_view first, int file, std::uint64_t offset,
                                     std::uint64_t size) noexcept;

}  // namespace eddy::io
