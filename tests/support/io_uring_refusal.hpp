#pragma once

#include <cerrno>
#include <linux/io_uring.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace eddy::test {

/// Why the system refuses io_uring (an errno), or 0. What the library makes of a ring is not tried: that may
/// fail.
///
///     if (test::refusal_of_io_uring() != 0)
///         GTEST_SKIP() << test::needs_io_uring;
inline int refusal_of_io_uring() {
    io_uring_params params{};
    const long made = ::syscall(SYS_io_uring_setup, 1, &params);
    if (made < 0)
        return errno;
    ::close(static_cast<int>(made));
    return 0;
}

inline constexpr const char* needs_io_uring = "[io_uring] the system refuses io_uring";

}  // namespace eddy::test
