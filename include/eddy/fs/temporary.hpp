#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/file_path.hpp>

#include <string>
#include <utility>

namespace eddy {

namespace io {
class file_system;
}

/// A directory that goes, with all that it holds, when its owner does.
///
/// Ownership: moves, does not copy. Thread safety: none; any thread may destroy it.
class temporary_directory {
public:
    /// Made by fs::make_temporary_directory().
    temporary_directory(io::file_system& files, file_path path) noexcept
        : files_(&files), path_(std::move(path)) {}
    temporary_directory(temporary_directory&& other) noexcept
        : files_(std::exchange(other.files_, nullptr)), path_(std::move(other.path_)) {}
    temporary_directory& operator=(temporary_directory&& other) noexcept {
        std::swap(files_, other.files_);
        std::swap(path_, other.path_);
        return *this;
    }
    /// Removes what is there before it returns, for which it may have to wait for the device: let much be
    /// removed by remove(). What cannot be removed stays.
    ~temporary_directory();

    /// Where it is.
    [[nodiscard]] const file_path& path() const noexcept { return path_; }
    /// The path of something in it.
    [[nodiscard]] file_path at(std::string_view name) const { return path_.text() + '/' + std::string(name); }

    /// Removes it on the offload pool. Dropped: the destructor does the rest. Errors: std::system_error.
    /// Requires: it stays until then, on a worker.
    [[nodiscard]] task<> remove();
    /// Keeps it, and returns its path.
    file_path keep() noexcept {
        files_ = nullptr;
        return path_;
    }

private:
    io::file_system* files_;  // null once it is not to be removed
    file_path path_;
};

namespace fs {

/// Where temporary files go: what TMPDIR says, or /tmp.
[[nodiscard]] std::string temporary_place();

/// Makes a directory that is this user's only, in `below` or in temporary_place(). Dropped: nothing is left of
/// it. Errors: std::system_error. Requires: awaited on a worker.
[[nodiscard]] task<temporary_directory> make_temporary_directory(file_path below = temporary_place());

/// Makes a file for reading and writing that has no name, so that nothing but its content is left to
/// remove, which goes with the file, however the program ends. operation_not_supported where the file system
/// has no such thing (network file systems). Dropped, errors, requires: as above.
[[nodiscard]] task<file> make_temporary_file(file_path below = temporary_place());

}  // namespace fs

}  // namespace eddy
