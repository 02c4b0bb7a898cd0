#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/detail/pooled_descriptor.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/io/detail/file_system.hpp>

#include <optional>
#include <utility>

namespace eddy {

/// An advisory lock on a file (flock): it excludes other locks on the file, by this program through another
/// open file description, and by other programs. Destroying it unlocks the file, and so does the program's
/// end.
///
/// Ownership: moves, does not copy; it does not need the file object. Thread safety:
/// none; any thread may destroy it.
class file_lock {
public:
    explicit file_lock(detail::pooled_descriptor locked) noexcept : locked_(std::move(locked)) {}
    file_lock(file_lock&&) noexcept = default;
    file_lock& operator=(file_lock&&) noexcept = default;
    ~file_lock() {
        if (locked_.get() >= 0)
            static_cast<void>(locked_.files().lock(locked_.get(), io::file_lock_kind::none));
    }

private:
    detail::pooled_descriptor locked_;
};

namespace fs {

/// Locks a file for many readers (shared) or one writer (exclusive). Waits by trying again every 1 to 50 ms,
/// since the system can only block a thread; the order of waiters is not kept.
///
/// Dropped: nothing is locked, and nothing waits. Errors: std::system_error. Requires: the same open file
/// description has no other lock, which the system would take for the same one; awaited on a worker; the file
/// stays until then.
[[nodiscard]] task<file_lock> lock(const file& locked,
                                   io::file_lock_kind kind = io::file_lock_kind::exclusive);
/// The same without waiting: empty if another holds it. Dropped: nothing is locked.
[[nodiscard]] task<std::optional<file_lock>> try_lock(
    const file& locked, io::file_lock_kind kind = io::file_lock_kind::exclusive);

}  // namespace fs

}  // namespace eddy
