#pragma once

#include <eddy/testing/report.hpp>
#include <eddy/testing/scenario.hpp>

namespace eddy::testing {

/// Runs the scenario again and again and drops its main task at every suspension in turn: in round n at the
/// n-th, until a round gets through undropped. Counted are the suspensions of all tasks on worker 0, which
/// all belong to the scenario. Each point is tried at three moments:
///
/// - at once: nothing else has run, and an operation is not submitted yet;
/// - after a turn of the backend that does not wait: an operation is in flight, or its completion is taken
///   and its task ready, but not resumed;
/// - once a task is ready, after turns that wait for that if need be: its operation or timer has ended, its
///   wait been signalled, but it is not resumed.
///
/// After each run all that the library counts must be as before it (see census), once what ends
/// asynchronously has ended. What is not, an exception that leaves the main task, and a run that does not end
/// are findings. Code under test that waits in a destructor, or for what never comes, is found by the bounds
/// of the options.
///
/// Requires: the caller is on no worker. Throws what making a runtime throws.
[[nodiscard]] report drop_everywhere(scenario tried, const scenario_options& options = {});

/// How drop_everywhere() works.
using drop_options = scenario_options;

}  // namespace eddy::testing
