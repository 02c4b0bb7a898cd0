#pragma once

#include <eddy/core/task.hpp>
#include <eddy/fs/file_path.hpp>
#include <eddy/io/owned_descriptor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace eddy {

/// Something that has happened in a folder that is watched.
struct folder_change {
    enum class change_kind : std::uint8_t {
        created,     ///< made here, or moved here from a place that is not watched
        removed,     ///< removed, or moved to a place that is not watched
        renamed,     ///< from `from` to `path`
        modified,    ///< its content is being written
        closed,      ///< somebody who could write to it has closed it
        attributes,  ///< permissions, times, number of names
        overflow,    ///< more has happened than the system keeps: look afresh at everything
    };
    change_kind kind = change_kind::created;
    bool is_folder = false;
    std::string path;  ///< from the folder that is watched
    std::string from;  ///< renamed only
};

namespace detail {
class watch_state;
}

/// What happens in a folder, or in a tree: an async sequence. It ends when the folder itself is removed.
///
///     auto changes = co_await fs::watch("site", watch_options().recursive());
///     while (const auto change = co_await changes.next())
///         look_at(change->path);
///
/// - A folder that is made in a tree is watched as soon as next() is asked; what it holds by then is given as
///   created, and may be given a second time. A folder that is renamed stays watched.
/// - The two ends of a renaming are one change if both are watched; whether there is a second end is waited
///   for, some milliseconds.
/// - Overflow: after that change the tree is watched anew as it is then.
/// - Ownership: moves, does not copy. Thread safety: none; it belongs to its worker.
/// - Cancellation: dropping next() loses no change. Dropping the watch ends it.
/// - Errors: std::system_error; no_space_on_device if the system watches no more folders for this user. One
///   may ask again.
class folder_watch {
public:
    explicit folder_watch(std::unique_ptr<detail::watch_state> state) noexcept;
    folder_watch(folder_watch&&) noexcept;
    folder_watch& operator=(folder_watch&&) noexcept;
    ~folder_watch();

    /// The next change; empty once the folder is gone. Requires: awaited by one task at a time, on the
    /// worker; the watch outlives it.
    [[nodiscard]] task<std::optional<folder_change>> next();

private:
    std::unique_ptr<detail::watch_state> state_;
};

/// What is watched.
class watch_options {
public:
    watch_options() noexcept = default;
    /// The folders below the folder as well, but not through symbolic links.
    watch_options& recursive(bool is_on = true) noexcept {
        is_recursive_ = is_on;
        return *this;
    }
    [[nodiscard]] bool is_recursive() const noexcept { return is_recursive_; }

private:
    bool is_recursive_ = false;
};

namespace fs {

/// Watches a folder: what happens after this has ended is not missed. Dropped: nothing is left. Errors:
/// std::system_error. Requires: awaited on a worker.
[[nodiscard]] task<folder_watch> watch(file_path path, watch_options options = {});

}  // namespace fs

}  // namespace eddy
