#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Files as a whole. Errors: std::system_error with a message that names the path. Requires: awaited on a
// worker.

namespace eddy::fs {

/// The default limit of read_file().
inline constexpr std::size_t read_limit_default = std::size_t{1} << 30;

/// Reads a whole file, also one that reports no size (those of /proc). file_too_large if there are more than
/// `limit` bytes; invalid_seek for a named pipe, which open_fifo_reader() reads. Dropped: nothing is left;
/// waits at most for the device. Cost: usually two reads: the second finds the end.
[[nodiscard]] task<std::string> read_file(file_path path, std::size_t limit = read_limit_default);

/// Writes a whole file, which it creates or truncates. Readers may see a part of it meanwhile, and after a
/// drop, an error or a crash only a part may be there: replace_file() avoids both.
[[nodiscard]] task<> write_file(file_path path, std::string content, std::uint32_t mode = 0666);

/// Replaces or creates a whole file atomically: a reader, also one after a crash, finds the old content or
/// the new one. The content is written to a file beside it and synchronised to the device; that file takes
/// the name, and the directory is synchronised too. The new file has the permissions of the old one, without its
/// set-user-id, set-group-id and sticky bits, or `mode` less the umask. A symbolic link is replaced itself.
///
/// Dropped: nothing waits; the file is replaced or not, and nothing else is left behind, nor after an error.
/// (A crash of the program half-way can leave a file whose name begins with ".eddy-".) Cost: the content
/// goes to one thread of the offload pool; it is moved, not copied.
[[nodiscard]] task<> replace_file(file_path path, std::string content, std::uint32_t mode = 0666);

}  // namespace eddy::fs
