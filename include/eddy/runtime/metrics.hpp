#pragma once

#include <eddy/io/backend.hpp>

#include <cstdint>

namespace eddy {

/// What a worker has done so far. Counts only grow, but for `connections` and `frames`; the latter may be
/// some turns old when another thread asks.
struct worker_metrics {
    std::uint64_t turns = 0;
    std::uint64_t resumptions = 0;
    std::uint64_t functions = 0;  ///< posted ones that were called
    std::uint64_t timers_fired = 0;
    std::uint64_t messages = 0;     ///< from other threads
    std::uint64_t connections = 0;  ///< open now
    std::int64_t frames = 0;        ///< coroutine frames and jobs allocated less freed by this thread
    io::backend_metrics backend;
};

}  // namespace eddy
