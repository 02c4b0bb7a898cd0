#pragma once

#include "support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace eddy::test {

namespace detail {

inline bool mount_small(const std::string& where, int size_kib) {
    const std::string options = "size=" + std::to_string(size_kib) + "k";
    return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("none", where.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

}  // namespace detail

/// Calls the function with a directory that is a file system of its own and full after so many KiB. It is called
/// in a child process, which alone sees that (threads that the system has begun for this one do not). False
/// if this user may not mount anything. Requires: no other threads.
inline bool with_small_device(int size_kib, void (*function)(const scratch_directory&)) {
    constexpr int refused = 77;
    const scratch_directory place;
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        if (!detail::mount_small(place.root(), size_kib))
            ::_exit(refused);
        function(place);
        std::fflush(nullptr);
        ::_exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == refused)
        return false;
    EXPECT_EQ(status, 0) << "the child process has failed";
    return true;
}

}  // namespace eddy::test
