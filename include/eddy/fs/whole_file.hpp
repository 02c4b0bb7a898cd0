#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

// Files as a whole. Errors: std::system_error with a message that names the path. Requires: awaited on a
// worker.

namespace eddy::fs {

/// Up to how many bytes read_file() reads if it is not told.
inline constexpr std::size_t read_limit_default = std::size_t{1} << 30;

/// Reads a whole file, also one that tells no size (those of /proc). file_too_large if there are more than
/// `limit` bytes. Dropped: nothing is left, and nothing waits but for the device. Cost: the file is read in
/// pieces of its size, so twice for most: the second finds the end.
[[nodiscard]] task<std::string> read_file(file_path path, std::size_t limit = read_limit_default);

/// Writes a whole file, which it makes or empties. Whoever looks meanwhile sees a part of it, and after a
/// drop, an error or a crash a part may be all that there is: replace_file() has none of this. Requires:
/// `bytes` stay until then.
[[nodiscard]] task<> write_file(file_path path, std::span<const std::byte> bytes, std::uint32_t mode = 0666);

/// Puts a whole file in the place of another, or where none was, at once: whoever looks, and whoever comes
/// after a crash, finds the old content or the new one. The content is written to a file beside it and
/// carried to the device; that takes the name, and the names are carried to the device too. The new file has
/// the permission bits of the old one, or `mode` less the umask. A symbolic link is replaced itself.
///
/// Dropped: nothing waits; the file is replaced or not, and nothing else is left behind, nor after an error.
/// (A crash of the program half-way can leave a file whose name begins with ".eddy-".) Cost: the content
/// goes to one thread of the offload pool; it is moved, not copied.
[[nodiscard]] task<> replace_file(file_path path, std::string content, std::uint32_t mode = 0666);

}  // namespace eddy::fs
