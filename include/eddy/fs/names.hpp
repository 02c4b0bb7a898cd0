#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/fs/open_options.hpp>
#include <eddy/io/file_status.hpp>

#include <cstdint>
#include <string>

namespace eddy::fs {

/// Copies a file's content and permission bits (0777 of them), and returns the number of bytes. The copy gets
/// its name when it is complete, and replaces a file of that name. Where the file system can, both share
/// their blocks; else the kernel copies; else the bytes pass through memory.
///
/// Dropped, or after an error: the copying stops within milliseconds, no task waits for that, and nothing is
/// left behind. Errors: std::system_error; invalid_argument if it is no file. Not synchronised to the device.
/// Requires: awaited on a worker.
[[nodiscard]] task<std::uint64_t> copy_file(file_path from, file_path to);
/// The same, but file_exists if something has the name `to`. Dropped: as copy_file().
[[nodiscard]] task<std::uint64_t> copy_file_new(file_path from, file_path to);

/// Removes a file, a symbolic link, or a directory with all that it holds, and returns their number: 0 if there
/// was nothing. Never follows a symbolic link, not even one that replaces a directory meanwhile.
///
/// Dropped: stops within milliseconds, and no task waits for that; what has been removed is gone. Errors:
/// std::system_error at the first that cannot be removed. Cost: some milliseconds of the offload pool at a
/// time. Requires: awaited on a worker.
[[nodiscard]] task<std::uint64_t> remove_all(file_path path);

/// Opens a file by its path, for reading or for what the options say. Never waits for the other end of a
/// named pipe: opening one to write that has no reader is an error (no_such_device_or_address). For untrusted
/// names use directory::open_file, which stays below its directory.
///
/// Dropped: the descriptor is closed; a file that was to be made may have been made. Errors:
/// std::system_error with a message that names the path. Requires: awaited on a worker.
[[nodiscard]] task<file> open(file_path path, open_options options = {});

}  // namespace eddy::fs

// What is done with the names of files and directories. Every one of these goes to the offload pool with
// arguments of its own: dropped, it is done or not, and nothing waits. Errors: std::system_error with the
// system's code and a message that names the path. Requires: awaited on a worker.

namespace eddy::fs {

/// What is known of a file; of a symbolic link's target. Dropped: nothing waits.
[[nodiscard]] task<io::file_status> status(file_path path);
/// The same, of a symbolic link itself. Dropped: nothing waits.
[[nodiscard]] task<io::file_status> symlink_status(file_path path);
/// Whether there is something of that name; a symbolic link that leads nowhere is nothing. Other errors than
/// that there is nothing are thrown. Dropped: nothing waits.
[[nodiscard]] task<bool> exists(file_path path);

/// Renames a file or directory atomically. Replaces a file of that name, or an empty directory if it is a directory.
/// cross_device_link between file systems. Dropped: it is done or not, and nothing waits.
[[nodiscard]] task<> rename(file_path from, file_path to);
/// The same, but file_exists if something has the name `to`. Dropped: it is done or not, and nothing waits.
[[nodiscard]] task<> rename_new(file_path from, file_path to);

/// Adds a name to a file (a hard link). Dropped: it is done or not, and nothing waits.
[[nodiscard]] task<> link(file_path existing, file_path added);
/// Makes a symbolic link `added` with the text `target`, which need not lead anywhere. Dropped: it is done
/// or not, and nothing waits.
[[nodiscard]] task<> symlink(file_path target, file_path added);
/// The text of a symbolic link. Dropped: nothing waits.
[[nodiscard]] task<std::string> read_link(file_path path);

/// Removes a name of a file; of a symbolic link, the link. A directory is an error (is_a_directory).
/// Dropped: it is done or not, and nothing waits.
[[nodiscard]] task<> remove(file_path path);

/// Makes a directory with permission bits, less those of the program's umask. Dropped: it is done or not,
/// and nothing waits.
[[nodiscard]] task<> create_directory(file_path path, std::uint32_t mode = 0777);
/// The same with the directories that lead there. One that is there is no error; a file is (not_a_directory, or
/// file_exists for the last). Dropped: any number of them may have been made, and nothing waits.
[[nodiscard]] task<> create_directories(file_path path, std::uint32_t mode = 0777);
/// Removes a directory, which must be empty. Dropped: it is done or not, and nothing waits.
[[nodiscard]] task<> remove_directory(file_path path);

}  // namespace eddy::fs
