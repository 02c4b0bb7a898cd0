#pragma once

#include <eddy/detail/build.hpp>

#include <chrono>

namespace eddy {

/// The clock of all timers and deadlines. It never goes back and does not follow changes of the wall clock. A
/// worker gets its time from its backend, so that a simulated world can have a time of its own.
using clock = std::chrono::steady_clock;
/// A length of time, in nanoseconds.
using duration = clock::duration;
/// A moment of the monotonic clock.
using time_point = clock::time_point;

static_assert(std::is_same_v<duration, std::chrono::nanoseconds>);

}  // namespace eddy
