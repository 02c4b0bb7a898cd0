#pragma once

#include "load/load_options.hpp"
#include "load/load_result.hpp"
#include "load/load_target.hpp"
#include "load/progress.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>

#include <atomic>
#include <cstdint>
#include <optional>

namespace eddy::apps {

/// What all connections of a run share. Read by all workers; what changes is atomic.
struct load_run {
    load_run(const load_options& chosen, load_target found)
        : options(chosen),
          target(std::move(found)),
          requests_left(static_cast<std::int64_t>(chosen.requests)) {}

    /// Whether there is another request to be made, and takes it.
    [[nodiscard]] bool take_request() noexcept {
        return options.requests == 0 || requests_left.fetch_sub(1, std::memory_order_relaxed) > 0;
    }

    /// When it ends; never, if it is not limited by time.
    [[nodiscard]] time_point end() const {
        const auto length = options.length();
        return length ? start + *length : time_point::max();
    }

    const load_options& options;
    load_target target;
    time_point start{};
    std::atomic<std::int64_t> requests_left;
    load_counts counts;
};

/// Drives the connections of one worker, those whose number is its own modulo the number of workers: from the
/// run's start to its end. Connections that fail are made anew.
[[nodiscard]] task<load_result> drive_connections(load_run& run, std::size_t worker);

}  // namespace eddy::apps
