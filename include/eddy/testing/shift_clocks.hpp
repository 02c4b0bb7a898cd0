#pragma once

#include <eddy/core/clock.hpp>

namespace eddy::testing {

/// Lets the calling worker believe that the wall clock was set ahead by `length`, or back if it is negative.
/// Waits follow it as they would; the system's clock stays as it is. Requires: the caller is on a worker.
void set_wall_clock_ahead(duration length) noexcept;

/// Lets the calling worker believe that the machine has been suspended for `length`: the wall clock and
/// boot_clock have gone on meanwhile, eddy::clock has not. Requires: the caller is on a worker.
void pretend_suspension(duration length) noexcept;

}  // namespace eddy::testing
