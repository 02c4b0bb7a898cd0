#pragma once

#include <algorithm>
#include <sys/resource.h>

namespace eddy::test {

/// Whether this process may have so many descriptors, after its soft limit was raised where that is allowed:
///
///     if (!test::may_have_descriptors(2100))
///         GTEST_SKIP() << test::needs_descriptors;
inline bool may_have_descriptors(rlim_t count) {
    rlimit allowed{};
    ::getrlimit(RLIMIT_NOFILE, &allowed);
    if (allowed.rlim_cur < count) {
        allowed.rlim_cur = std::min(count, allowed.rlim_max);
        ::setrlimit(RLIMIT_NOFILE, &allowed);
    }
    return allowed.rlim_cur >= count;
}

inline constexpr const char* needs_descriptors = "[descriptors] this process may not have enough descriptors";

}  // namespace eddy::test
