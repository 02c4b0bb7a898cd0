#pragma once

#include <eddy/core/task.hpp>

namespace eddy::apps {

/// Gives back to the system, every few seconds, what bursts have left free between what is in use: malloc
/// keeps that otherwise (malloc_trim(3)). Runs until it is dropped, on the offload pool.
task<> trim_heap();

}  // namespace eddy::apps
