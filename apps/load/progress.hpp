#pragma once

#include "load/load_options.hpp"

#include <eddy/core/task.hpp>

#include <atomic>
#include <cstdint>

namespace eddy::apps {

/// What all workers have done so far, for the line that shows it.
struct load_counts {
    std::atomic<std::uint64_t> answered = 0;
    std::atomic<std::uint64_t> failed = 0;
};

/// Draws a bar on standard error, several times a second, if that is a terminal; otherwise prints nothing.
/// Runs until it is dropped, and then removes the bar.
[[nodiscard]] task<> show_progress(const load_options& options, const load_counts& counts);

}  // namespace eddy::apps
