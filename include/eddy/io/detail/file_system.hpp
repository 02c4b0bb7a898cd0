#pragma once

#include <eddy/io/detail/directory_reader.hpp>
#include <eddy/io/file_status.hpp>
#include <eddy/io/watch_event.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace eddy::io {

/// How a file is locked against other programs that use such locks.
enum class file_lock_kind : std::uint8_t { none, shared, exclusive };

/// The calls on files and directories that may wait for a device: the backends have no operation for them, since
/// the system would only hand them to threads of its own. They are made on the offload pool.
///
/// Thread safety: any thread, any number at once. It outlives the offload pool. Results are the system calls'
/// own, with errors as negative error numbers; an interrupted call is made again. Descriptors that are opened
/// here are closed here.
class file_system {
public:
    file_system() = default;
    file_system(const file_system&) = delete;
    file_system& operator=(const file_system&) = delete;
    virtual ~file_system() = default;

    // -- names --

    [[nodiscard]] virtual int status(const char* path, bool follows_link, file_status& out) noexcept = 0;
    /// Takes the place of what has the name `to`, unless that is kept: EEXIST then.
    [[nodiscard]] virtual int rename(const char* from, const char* to, bool keeps_existing) noexcept = 0;
    [[nodiscard]] virtual int link(const char* existing, const char* added) noexcept = 0;
    [[nodiscard]] virtual int symlink(const char* target, const char* added) noexcept = 0;
    /// Throws std::bad_alloc.
    [[nodiscard]] virtual int read_link(const char* path, std::string& out) = 0;
    [[nodiscard]] virtual int remove(const char* path) noexcept = 0;
    [[nodiscard]] virtual int create_directory(const char* path, std::uint32_t permissions) noexcept = 0;
    [[nodiscard]] virtual int remove_directory(const char* path) noexcept = 0;
    /// Carries the names in a directory to the device.
    [[nodiscard]] virtual int sync_directory(const char* path) noexcept = 0;

    // -- descriptors --

    /// Opens a file by its path; flags: open_flags.
    [[nodiscard]] virtual int open(const char* path, std::uint64_t flags,
                                   std::uint32_t permissions) noexcept = 0;
    virtual void close(int descriptor) noexcept = 0;
    [[nodiscard]] virtual int status_of(int descriptor, file_status& out) noexcept = 0;
    /// Another descriptor of the same open file, none of the standard streams' places.
    [[nodiscard]] virtual int duplicate(int descriptor) noexcept = 0;
    /// Writes everything, at the place where the descriptor is.
    [[nodiscard]] virtual int write_all(int descriptor, std::span<const std::byte> bytes) noexcept = 0;
    [[nodiscard]] virtual int set_permissions(int descriptor, std::uint32_t permissions) noexcept = 0;
    [[nodiscard]] virtual int truncate(int descriptor, std::uint64_t size) noexcept = 0;
    [[nodiscard]] virtual int allocate(int descriptor, std::uint64_t offset, std::uint64_t size) noexcept = 0;
    /// Carries what was written to the device; with `only_data` not the times of change.
    [[nodiscard]] virtual int sync(int descriptor, bool only_data) noexcept = 0;
    /// Locks the open file or unlocks it. Never waits: EWOULDBLOCK.
    [[nodiscard]] virtual int lock(int descriptor, file_lock_kind kind) noexcept = 0;
    /// Makes `to`, which is empty, share the content of `from` where the file system can.
    [[nodiscard]] virtual int clone(int from, int to) noexcept = 0;
    /// Copies from and to the positions of the descriptors. Returns the number of bytes, 0 at the end.
    [[nodiscard]] virtual std::int64_t copy_some(int from, int to, std::uint64_t bytes_max) noexcept = 0;

    // -- named pipes --

    /// Opens one end without waiting for the other. ENXIO for the writing end if there is no reader, EINVAL if
    /// the path leads to something else.
    [[nodiscard]] virtual int open_named_pipe(const char* path, bool is_writing) noexcept = 0;
    /// With these mode bits, less the process's mask.
    [[nodiscard]] virtual int make_named_pipe(const char* path, std::uint32_t mode) noexcept = 0;

    // -- directories --

    /// Reads a directory and what is below it, down to a depth: 1 for its own entries only. Follows no symbolic
    /// links, or only that at the path's end. Opens nothing yet. Throws std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<directory_reader> read_directory(std::string path,
                                                                           bool follows_link,
                                                                           std::uint32_t depth_max) = 0;
    /// Removes a file, a symbolic link, or a directory with all that it holds. Follows no symbolic links. What
    /// is not there is gone already. Throws std::bad_alloc.
    [[nodiscard]] virtual std::unique_ptr<tree_removal> remove_tree(std::string path) = 0;

    // -- watching --

    /// A descriptor that becomes readable when something happens in a directory that it watches.

    [[nodiscard]] virtual int open_watch() noexcept = 0;
    /// Has a directory watched, and returns the number by which events name it: the same as before if it was
    /// watched already.
    [[nodiscard]] virtual int add_watch(int descriptor, const char* path, bool follows_link) noexcept = 0;
    virtual void remove_watch(int descriptor, int watch) noexcept = 0;
    /// Takes the next event from what was read. False if nothing is left. Its name stays in what was read.
    [[nodiscard]] virtual bool take_event(std::span<const std::byte>& rest, watch_event& out) noexcept = 0;
    /// How many bytes could be read without waiting.
    [[nodiscard]] virtual int unread_bytes(int descriptor) noexcept = 0;
};

}  // namespace eddy::io
