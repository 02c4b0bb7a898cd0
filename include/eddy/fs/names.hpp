#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/io/file_status.hpp>

#include <cstdint>
#include <string>

// What is done with the names of files and folders. Every one of these goes to the offload pool with
// arguments of its own: dropped, it is done or not, and nothing waits. Errors: std::system_error with the
// system's code and a message that names the path. Requires: awaited on a worker.

namespace eddy::fs {

/// What is known of a file; of a symbolic link's target.
[[nodiscard]] task<io::file_status> status(file_path path);
/// The same, of a symbolic link itself.
[[nodiscard]] task<io::file_status> symlink_status(file_path path);
/// Whether there is something of that name; a symbolic link that leads nowhere is nothing. Other errors than
/// that there is nothing are thrown.
[[nodiscard]] task<bool> exists(file_path path);

/// Renames a file or folder, at once for all who look. Takes the place of a file that has the name, or of an
/// empty folder if it is a folder. cross_device_link between file systems.
[[nodiscard]] task<> rename(file_path from, file_path to);
/// The same, but file_exists if something has the name `to`.
[[nodiscard]] task<> rename_new(file_path from, file_path to);

/// Gives a file another name.
[[nodiscard]] task<> link(file_path existing, file_path added);
/// Makes a symbolic link `added` with the text `target`, which need not lead anywhere.
[[nodiscard]] task<> symlink(file_path target, file_path added);
/// The text of a symbolic link.
[[nodiscard]] task<std::string> read_link(file_path path);

/// Removes a name of a file; of a symbolic link, the link. A folder is an error (is_a_directory).
[[nodiscard]] task<> remove(file_path path);

/// Makes a folder with permission bits, less those of the program's umask.
[[nodiscard]] task<> create_folder(file_path path, std::uint32_t mode = 0777);
/// The same with the folders that lead there. One that is there is no error; a file is (not_a_directory, or
/// file_exists for the last).
[[nodiscard]] task<> create_folders(file_path path, std::uint32_t mode = 0777);
/// Removes a folder, which must be empty.
[[nodiscard]] task<> remove_folder(file_path path);

}  // namespace eddy::fs
