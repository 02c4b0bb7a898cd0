#pragma once

#include <cstdint>
#include <string_view>

namespace eddy::io {

/// What the system tells of a folder that is watched.
struct watch_event {
    enum class event_kind : std::uint8_t {
        created,
        removed,
        moved_from,  ///< this name is gone to another folder or name
        moved_to,    ///< it came from there
        modified,
        closed,      ///< by somebody who could write to it
        attributes,  ///< permissions, times, number of names
        gone,        ///< the watched folder itself, which is watched no more
        overflow,    ///< more has happened than the system keeps
        other,
    };
    event_kind kind = event_kind::other;
    bool is_folder = false;
    int watch = -1;            ///< which folder, as add_watch() has said
    std::uint32_t cookie = 0;  ///< the same for the two ends of a move
    std::string_view name;
};

}  // namespace eddy::io
