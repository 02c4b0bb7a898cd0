#pragma once

#include <eddy/detail/build.hpp>

#include <cstdint>
#include <string_view>

namespace eddy::io {

/// A change in a watched directory, reported by the system.
struct watch_event {
    /// What has happened to an entry.
    enum class event_kind : std::uint8_t {
        /// It was made.
        created,
        /// It was removed.
        removed,
        moved_from,  ///< this name is gone to another directory or name
        moved_to,    ///< it came from there
        /// Its contents or attributes have changed.
        modified,
        closed,      ///< by a process that could write to it
        attributes,  ///< permissions, times, number of names
        gone,        ///< the watched directory itself, which is watched no more
        overflow,    ///< more has happened than the system keeps
        /// Something else, such as the end of the watch.
        other,
    };
    /// What has happened.
    event_kind kind = event_kind::other;
    /// Whether it has happened to a directory.
    bool is_directory = false;
    int watch = -1;            ///< which directory, as add_watch() has said
    std::uint32_t cookie = 0;  ///< the same for the two ends of a move
    /// The name of the entry.
    std::string_view name;
};

}  // namespace eddy::io
