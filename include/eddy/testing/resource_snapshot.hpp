#pragma once

#include <eddy/detail/build.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace eddy::testing {

/// The objects of the library that are alive on a worker at one moment. Two of them, taken before and after,
/// show what was left behind.
///
/// - Cost: taken by walking lists on demand; nothing is recorded for it meanwhile. The descriptors are
///   those of the whole process, as the system lists them.
/// - Thread safety: a value. take() counts the calling thread's worker.
struct resource_snapshot {
    std::int64_t frames = 0;     ///< coroutine frames, jobs and states of sockets: blocks of the frame cache
    std::size_t ready = 0;       ///< jobs to be resumed
    std::size_t detached = 0;    ///< jobs without an owner
    std::size_t timers = 0;      ///< armed
    std::size_t operations = 0;  ///< under way with the backend
    std::size_t buffers = 0;     ///< receive buffers lent out
    std::size_t offloaded = 0;   ///< calls on the runtime's offload pool, waiting or under way
    std::size_t messages = 0;    ///< waiting in the inbox
    std::uint64_t connections = 0;  ///< open streams
    std::size_t descriptors = 0;    ///< open, of the process

    /// Counts. A job that runs at the time is not ready; its frames count. Throws std::bad_alloc, and
    /// std::system_error where the system does not list descriptors. Requires: the caller is on a worker.
    [[nodiscard]] static resource_snapshot take();

    /// Adds what another worker of the same runtime has: all but what is the process's or the runtime's.
    resource_snapshot& operator+=(const resource_snapshot& other) noexcept;
    bool operator==(const resource_snapshot&) const noexcept = default;

    /// Everything that is not zero: "frames 3, timers 1"; "nothing" if there is none.
    [[nodiscard]] std::string to_string() const;
};

/// What there is more or less of: "frames +2, timers -1"; empty if nothing differs.
[[nodiscard]] std::string difference(const resource_snapshot& before, const resource_snapshot& after);

}  // namespace eddy::testing
