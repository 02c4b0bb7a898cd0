#pragma once

#include <eddy/testing/report.hpp>
#include <eddy/testing/scenario.hpp>

#include <cstdint>

namespace eddy::testing {

/// Runs the scenario once under each of the seeds 1 to `seeds` of runtime_options::shuffle_seed(), each in a
/// runtime of its own: ready tasks are resumed and completions reported in random order. An exception that
/// leaves the main task, a run that does not end, and what is left behind (see census) are findings that name
/// the seed; EDDY_SHUFFLE=seed repeats it for a whole program.
///
/// Requires: the caller is on no worker. Throws what making a runtime throws.
[[nodiscard]] report shuffle_everywhere(scenario tried, std::uint64_t seeds,
                                        const scenario_options& options = {});

}  // namespace eddy::testing
