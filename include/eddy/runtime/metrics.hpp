#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/io/detail/backend.hpp>

#include <cstddef>
#include <cstdint>

namespace eddy {

/// What an offload pool does and has done. Each number is right by itself; taken while threads run, they may
/// be some instructions apart. Long: work_kind::long_running; all else is short, files of a backend's
/// included.
struct offload_metrics {
    std::size_t threads = 0;  ///< that have been started
    std::size_t idle = 0;     ///< of those, asleep

    // Not begun.
    /// Calls of short work that wait for a thread.
    std::size_t queued_short = 0;
    /// Calls of long work that wait for a thread.
    std::size_t queued_long = 0;
    std::size_t waiting_for_room = 0;  ///< since the queue of their kind is full

    // Begun, and not ended.
    /// Calls of short work that run.
    std::size_t running_short = 0;
    /// Calls of long work that run.
    std::size_t running_long = 0;

    // Since the start; these only grow.
    /// Calls that have ended.
    std::uint64_t done = 0;
    std::uint64_t stolen = 0;           ///< begun by another thread than the one of the pool that posted it
    std::uint64_t waited_for_room = 0;  ///< that found the queue of their kind full
    duration longest_wait_short{};      ///< from the call to its beginning
    /// The same of long work.
    duration longest_wait_long{};
};

/// What a worker has done so far. Counts only grow, except `connections` and `frames`; the latter may be some
/// turns old when read by another thread.
struct worker_metrics {
    /// Turns of the worker's loop.
    std::uint64_t turns = 0;
    /// Tasks that were resumed.
    std::uint64_t resumptions = 0;
    std::uint64_t functions = 0;  ///< posted ones that were called
    /// Timers that expired.
    std::uint64_t timers_fired = 0;
    std::uint64_t messages = 0;     ///< from other threads
    std::uint64_t connections = 0;  ///< open now
    std::int64_t frames = 0;        ///< coroutine frames and jobs allocated less freed by this thread
    /// What the backend counts.
    io::backend_metrics backend;
};

}  // namespace eddy
