#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>

#include <cstdint>

namespace eddy::fs {

/// Removes a file, a symbolic link, or a folder with all that it holds, and gives their number: 0 if there
/// was nothing. Never follows a symbolic link: not one that it finds, and not one that somebody puts in the
/// place of a folder meanwhile.
///
/// Dropped: stops within milliseconds, without anybody waiting for it; what has been removed is gone. Errors:
/// std::system_error at the first that cannot be removed. Cost: some milliseconds of the offload pool at a
/// time. Requires: awaited on a worker.
[[nodiscard]] task<std::uint64_t> remove_all(file_path path);

}  // namespace eddy::fs
