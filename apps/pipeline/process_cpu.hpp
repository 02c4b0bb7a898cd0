#pragma once

#include <eddy/core/clock.hpp>

namespace eddy::apps {

/// The CPU time that a process has used so far, all its threads together; zero for process 0. Throws
/// std::system_error if there is no such process.
[[nodiscard]] duration cpu_time_of(int process);

}  // namespace eddy::apps
