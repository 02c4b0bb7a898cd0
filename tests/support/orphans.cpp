#include "support/orphans.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace eddy::test {

namespace {

/// Kills the group once no process has the pipe's other end. As a grandchild, so that the test has no child
/// that it did not start.
[[noreturn]] void watch(pid_t group, int end_of_group) {
    if (::fork() != 0)
        ::_exit(0);
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int standard : {0, 1, 2})
        ::dup2(nothing, standard);
    char byte = 0;
    while (::read(end_of_group, &byte, 1) < 0) {
    }
    ::kill(-group, SIGKILL);
    ::_exit(0);
}

/// Above the standard ones, which may be closed.
std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0)
        for (int& end : ends)
            ::close(std::exchange(end, ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)));
    return ends;
}

}  // namespace

void end_children_with_this() {
    if (::isatty(STDIN_FILENO) != 0 || ::isatty(STDERR_FILENO) != 0 ||
        (::getpgrp() != ::getpid() && ::setpgid(0, 0) != 0))
        return;
    // No signal of the terminal reaches this group.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const auto [end_of_group, kept] = make_pipe();
    const pid_t group = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(kept);
        watch(group, end_of_group);
    }
    ::close(end_of_group);
    if (child > 0)
        ::waitpid(child, nullptr, 0);
}

}  // namespace eddy::test
