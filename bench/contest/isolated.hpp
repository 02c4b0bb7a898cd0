#pragma once

#include "contest/sample.hpp"

#include <functional>
#include <vector>

namespace bench {

// Calls `measured` in a process of its own, pinned to these cores (none: not pinned), and gives its result:
// memory, caches and threads of one measurement are not there for the next. Its peak memory is noted, unless
// it has told one. Throws failure when it throws, crashes, or has not ended after `seconds_max`, in which
// case it is killed. Requires: the caller is the only thread of its process.
sample measure_isolated(const std::function<sample()>& measured, const std::vector<int>& cores,
                        double seconds_max);

}  // namespace bench
