// What becomes of a runtime where its user may lock little memory (RLIMIT_MEMLOCK). A worker's ring takes
// 52 KiB, and its buffer ring 64 KiB at first and 16 KiB at the least, with pages of 4 KiB.

#include "support/ordinary_user.hpp"
#include "support/program_output.hpp"

#include <gtest/gtest.h>

#include <string>
#include <unistd.h>

namespace eddy::locked_memory_test {
namespace {

class locked_memory : public ::testing::Test {
protected:
    void SetUp() override {
        if (!test::can_become_ordinary_user())
            GTEST_SKIP() << test::needs_own_user;
        if (run("8192 io_uring 1") != "io_uring: 1\n")
            GTEST_SKIP() << "[io_uring] no io_uring here, or not with 8 MiB of locked memory";
    }

    static std::string run(const std::string& arguments) {
        return test::output_of("env -u EDDY_BACKEND \"$LIMITED_EXCHANGE\" " + arguments);
    }

    static std::string said_of(const std::string& limit_kib) {
        return "eddy: io_uring is not available (Cannot allocate memory, where a user's programs may lock " +
               limit_kib + " KiB (RLIMIT_MEMLOCK)); using epoll\n";
    }
};

TEST_F(locked_memory, that_is_not_enough_for_a_ring_leaves_epoll_which_is_said_once) {
    EXPECT_EQ(run("64 auto 1 2"), said_of("64") + "epoll: 1\nepoll: 2\n");
    EXPECT_EQ(run("0 auto 1"), said_of("0") + "epoll: 1\n");
}

TEST_F(locked_memory, that_does_not_suffice_for_the_last_worker_leaves_epoll_to_all) {
    EXPECT_EQ(run("200 auto 1 4"), "io_uring: 1\n" + said_of("200") + "epoll: 4\n");
}

TEST_F(locked_memory, is_shared_by_workers_with_smaller_buffer_rings) {
    EXPECT_EQ(run("150 auto 2"), "io_uring: 2\n");
    EXPECT_EQ(run("8192 auto 90"), "io_uring: 90\n");
}

TEST_F(locked_memory, that_others_of_the_same_user_take_leaves_smaller_buffer_rings) {
    EXPECT_EQ(run("190 auto 1 1"), "io_uring: 1\nio_uring: 1\n");
}

TEST_F(locked_memory, of_runtimes_that_have_ended_comes_back) {
    std::string arguments = "150 io_uring";
    std::string expected;
    for (int round = 0; round < 20; ++round) {
        arguments += " 2 0";
        expected += "io_uring: 2\n";
    }
    EXPECT_EQ(run(arguments), expected);
}

TEST_F(locked_memory, that_does_not_suffice_is_an_error_where_io_uring_was_asked_for) {
    EXPECT_EQ(run("64 io_uring 1"),
              "error: the io_uring backend is not available, where a user's programs may lock 64 KiB "
              "(RLIMIT_MEMLOCK): Cannot allocate memory\n");
    EXPECT_EQ(run("200 io_uring 4"),
              "error: the io_uring backend is not available, where a user's programs may lock 200 KiB "
              "(RLIMIT_MEMLOCK): Cannot allocate memory\n");
}

TEST_F(locked_memory, is_not_needed_by_epoll) {
    EXPECT_EQ(run("0 epoll 1 4"), "epoll: 1\nepoll: 4\n");
}

}  // namespace
}  // namespace eddy::locked_memory_test
