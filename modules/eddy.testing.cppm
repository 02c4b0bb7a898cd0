// The module eddy.testing: what proves code that uses the library.
// Written by scripts/check_tree.py --update-modules from the public headers.
module;

#include <eddy/testing/drop_everywhere.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/report.hpp>
#include <eddy/testing/resource_snapshot.hpp>
#include <eddy/testing/scenario.hpp>
#include <eddy/testing/shift_clocks.hpp>
#include <eddy/testing/shuffle.hpp>
#include <eddy/testing/testing.hpp>

export module eddy.testing;

export import eddy;

export namespace eddy::testing {
using eddy::testing::difference;
using eddy::testing::drop_everywhere;
using eddy::testing::drop_options;
using eddy::testing::fail_allocation_everywhere;
using eddy::testing::pretend_suspension;
using eddy::testing::report;
using eddy::testing::resource_snapshot;
using eddy::testing::scenario;
using eddy::testing::scenario_options;
using eddy::testing::set_wall_clock_ahead;
using eddy::testing::shuffle_everywhere;
}  // namespace eddy::testing
