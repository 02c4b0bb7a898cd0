#pragma once

#include <eddy/core/task.hpp>

namespace eddy::apps {

/// Returns to the system, every few seconds, the free memory that bursts have left between blocks in use:
/// malloc keeps that otherwise (malloc_trim(3)). Runs until it is dropped, on the offload pool.
task<> trim_heap();

}  // namespace eddy::apps
