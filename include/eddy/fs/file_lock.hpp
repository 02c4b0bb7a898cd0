#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file.hpp>
#include <eddy/fs/pooled_descriptor.hpp>
#include <eddy/io/file_system.hpp>

#include <optional>
#include <utility>

namespace eddy {

/// An advisory lock on a file (flock): it keeps off those who ask for one too, in this program through
/// another opening of the file, and in others. Destroying it unlocks the file, and so does the program's end.
///
/// Ownership: moves, does not copy; it does not need the file that it came from any more. Thread safety:
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

/// Locks a file for many readers (shared) or one writer (exclusive). Waits by asking again after 1 to 50 ms,
/// since the system can only wait with a thread; who waits for long is not favoured.
///
/// Dropped: nothing is locked, and nothing waits. Errors: std::system_error. Requires: the same opening of
/// the file has no other lock, which the system would take for the same one; awaited on a worker; the file
/// stays until then.
[[nodiscard]] task<file_lock> lock(const file& locked,
                                   io::file_lock_kind kind = io::file_lock_kind::exclusive);
/// The same without waiting: empty if somebody else has it.
[[nodiscard]] task<std::optional<file_lock>> try_lock(
    const file& locked, io::file_lock_kind kind = io::file_lock_kind::exclusive);

}  // namespace fs

}  // namespace eddy
