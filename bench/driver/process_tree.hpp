#pragma once

#include <sys/types.h>
#include <vector>

namespace bench {

// `root` and all processes that descend from it, from one look at /proc.
std::vector<pid_t> processes_below(pid_t root);

}  // namespace bench
