#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/fs/open_options.hpp>

namespace eddy::fs {

/// Opens a file by its path, for reading or for what the options say. Never waits for the other end of a
/// named pipe: opening one to write that nobody reads is an error (no_such_device_or_address). To open what
/// untrusted names say, take folder::open_file, which stays below its folder.
///
/// Dropped: the descriptor is closed; a file that was to be made may have been made. Errors:
/// std::system_error with a message that names the path. Requires: awaited on a worker.
[[nodiscard]] task<file> open(file_path path, open_options options = {});

}  // namespace eddy::fs
