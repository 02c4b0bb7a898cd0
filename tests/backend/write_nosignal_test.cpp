#include "backend/posix/write_nosignal.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace eddy::backends::write_nosignal_test {
namespace {

// Raised while the silence lives; the process would end where it is left pending.
bool survives(std::int64_t result, std::uint64_t wanted_bytes) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    {
        broken_pipe_silence silence;
        ::raise(SIGPIPE);
        EXPECT_EQ(result, silence.note(result, wanted_bytes));
    }
    sigset_t pending;
    ::sigpending(&pending);
    return ::sigismember(&pending, SIGPIPE) == 0;
}

TEST(a_broken_pipe_silence, takes_the_signal_of_a_call_that_has_failed) {
    EXPECT_TRUE(survives(-EPIPE, 20));
}

TEST(a_broken_pipe_silence, takes_the_signal_of_a_call_that_breaks_off_in_its_middle) {
    EXPECT_TRUE(survives(10, 20));
}

}  // namespace
}  // namespace eddy::backends::write_nosignal_test
