#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>

#include <cstdint>

namespace eddy::fs {

/// Copies a file's content and permission bits (0777 of them), and gives the number of bytes. The copy takes
/// its name when it is whole, and the place of what had the name before. Where the file system can, both
/// share their blocks; else the system copies by itself; else it goes through memory.
///
/// Dropped, or after an error: the copying stops within milliseconds, without anybody waiting for it, and
/// nothing is left behind. Errors: std::system_error; invalid_argument if it is no file. Not carried to the
/// device. Requires: awaited on a worker.
[[nodiscard]] task<std::uint64_t> copy_file(file_path from, file_path to);
/// The same, but file_exists if something has the name `to`.
[[nodiscard]] task<std::uint64_t> copy_file_new(file_path from, file_path to);

}  // namespace eddy::fs
