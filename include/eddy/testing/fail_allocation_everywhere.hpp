#pragma once

#include <eddy/testing/report.hpp>
#include <eddy/testing/scenario.hpp>

namespace eddy::testing {

/// Runs the scenario again and again and lets its allocations fail in turn, on one worker after the other: in
/// round n of a worker the n-th there by std::bad_alloc, until a round gets through without one. Coroutine
/// frames, jobs and the states of sockets are always among them; those of the global operator new are where
/// the program includes <eddy/testing/replace_new.hpp>.
///
/// A run may succeed in spite of it, or end by std::bad_alloc, or by std::system_error with
/// not_enough_memory. Another exception, a run that does not end, and what is left behind (see census) are
/// findings. The library does not allocate where it cannot fail; code under test that does so ends the
/// program.
///
/// Requires: the caller is on no worker. Throws what making a runtime throws.
[[nodiscard]] report fail_allocation_everywhere(scenario tried, const scenario_options& options = {});

}  // namespace eddy::testing
