#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/io/detail/owned_descriptor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace eddy {

/// Something that has happened in a directory that is watched.
struct directory_change {
    /// What has happened to an entry.
    enum class change_kind : std::uint8_t {
        created,     ///< made here, or moved here from a place that is not watched
        removed,     ///< removed, or moved to a place that is not watched
        renamed,     ///< from `from` to `path`
        modified,    ///< its content is being written
        closed,      ///< a descriptor that was open for writing has been closed
        attributes,  ///< permissions, times, number of names
        overflow,    ///< more has happened than the system keeps: look afresh at everything
    };
    /// What has happened.
    change_kind kind = change_kind::created;
    /// Whether it has happened to a directory.
    bool is_directory = false;
    std::string path;  ///< from the directory that is watched
    std::string from;  ///< renamed only
};

namespace detail {
class watch_state;
}

/// What happens in a directory, or in a tree: an async sequence. It ends when the directory itself is removed.
///
///     auto changes = co_await fs::watch("site", watch_options().recursive());
///     while (const auto change = co_await changes.next())
///         look_at(change->path);
///
/// - A directory that is made in a tree is watched by the next call of next(); what it holds by then is reported
///   as created, and may be reported a second time. A directory that is renamed stays watched.
/// - The two ends of a renaming are one change if both are watched; the watch waits some milliseconds for the
///   second end.
/// - Overflow: after that change the tree is watched anew in its state of then.
/// - Ownership: moves, does not copy. Thread safety: none; it belongs to its worker.
/// - Cancellation: dropping next() loses no change. Dropping the watch ends it.
/// - Errors: std::system_error; no_space_on_device if the system watches no more directories for this user.
///   next() may be called again.
class directory_watch {
public:
    /// Made by fs::watch().
    explicit directory_watch(std::unique_ptr<detail::watch_state> state) noexcept;
    directory_watch(directory_watch&&) noexcept;
    directory_watch& operator=(directory_watch&&) noexcept;
    ~directory_watch();

    /// The next change; empty once the directory is gone. Requires: awaited by one task at a time, on the
    /// worker; the watch outlives it.
    [[nodiscard]] task<std::optional<directory_change>> next();

private:
    std::unique_ptr<detail::watch_state> state_;
};

/// What is watched.
class watch_options {
public:
    watch_options() noexcept = default;
    /// The directories below the directory as well, but not through symbolic links.
    watch_options& recursive(bool is_on = true) noexcept {
        is_recursive_ = is_on;
        return *this;
    }
    /// Whether directories below are watched, too.
    [[nodiscard]] bool is_recursive() const noexcept { return is_recursive_; }

private:
    bool is_recursive_ = false;
};

namespace fs {

/// Watches a directory: what happens after this has ended is not missed. Dropped: nothing is left. Errors:
/// std::system_error. Requires: awaited on a worker.
[[nodiscard]] task<directory_watch> watch(file_path path, watch_options options = {});

}  // namespace fs

}  // namespace eddy
