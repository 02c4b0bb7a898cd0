#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace eddy::test {

/// Whether become_ordinary_user() works: root alone can be a user with nothing else running, whose processes
/// would share the limit.
inline bool can_become_ordinary_user() {
    return ::geteuid() == 0;
}
inline constexpr const char* needs_own_user = "[own-user] only root can be a user who runs nothing else";

/// Makes this process one of a user who has nothing else running, with a limit of locked memory. Returns
/// false on failure.
inline bool become_ordinary_user(rlim_t locked_bytes_max) {
    const rlimit locked{locked_bytes_max, locked_bytes_max};
    if (::setrlimit(RLIMIT_MEMLOCK, &locked) != 0)
        return false;
    const auto user = 1'000'000 + static_cast<uid_t>(::getpid());
    return ::setgid(user) == 0 && ::setuid(user) == 0;
}

}  // namespace eddy::test
