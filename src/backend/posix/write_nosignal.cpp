#include "backend/posix/write_nosignal.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

namespace eddy::backends {

namespace {

// RWF_NOSIGNAL, since Linux 6.18; older headers lack it.
constexpr int no_signal = 0x100;

bool knows_flag() noexcept {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    char byte = 0;
    const iovec memory{&byte, 1};
    const bool is_taken = ::pwritev2(ends[1], &memory, 1, -1, no_signal) == 1;
    ::close(ends[0]);
    ::close(ends[1]);
    return is_taken;
}

sigset_t broken_pipe() noexcept {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    return set;
}

int block_signal() noexcept {
    const sigset_t set = broken_pipe();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    return 0;
}

}  // namespace

broken_pipe_silence::broken_pipe_silence() noexcept {
    const sigset_t set = broken_pipe();
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &set, &before);
    was_blocked_ = ::sigismember(&before, SIGPIPE) == 1;
}

broken_pipe_silence::~broken_pipe_silence() {
    if (was_blocked_)
        return;
    const sigset_t set = broken_pipe();
    constexpr timespec at_once{};
    if (may_be_raised_)
        ::sigtimedwait(&set, nullptr, &at_once);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int write_nosignal_flags() noexcept {
    static const bool is_flag_known = knows_flag();
    thread_local const int flags = is_flag_known ? no_signal : block_signal();
    return flags;
}

}  // namespace eddy::backends
