#pragma once

#include <sys/resource.h>

namespace bench {

// Lets this process, and those that it starts, have as many descriptors as the system allows it.
inline void raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace bench
