#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/readiness.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>

namespace eddy::readiness_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

TEST(readiness, waits_for_pipes_of_others_one_after_the_other) {
    const auto main = []() -> task<> {
        for (int round = 0; round < 10; ++round) {
            // The same numbers again and again, closed without a word to the library.
            std::array<int, 2> pipe{};
            EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
            co_await writable(pipe[1]);
            const auto wait = [&]() -> task<> { co_await readable(pipe[0]); };
            auto waiting = spawn(wait());
            for (int turns = 0; turns < 5; ++turns)
                co_await yield();
            EXPECT_FALSE(waiting.done());
            EXPECT_EQ(::write(pipe[1], "x", 1), 1);
            co_await with_timeout(std::move(waiting), 30s);
            ::close(pipe[0]);
            ::close(pipe[1]);
        }
    };
    run_bounded(main());
}

TEST(readiness, may_be_given_up) {
    const auto main = []() -> task<> {
        std::array<int, 2> pipe{};
        EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
        const auto late = co_await as_result(with_timeout(readable(pipe[0]), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        ::close(pipe[0]);
        ::close(pipe[1]);
    };
    run_bounded(main());
}

TEST(readiness, refuses_what_is_no_descriptor) {
    const auto main = []() -> task<> {
        const auto refused = co_await as_result(readable(19'999));
        EXPECT_EQ(refused.error(), std::errc::bad_file_descriptor);
    };
    run_bounded(main());
}

TEST(readiness, is_at_once_that_of_files_and_of_ends) {
    const auto main = []() -> task<> {
        const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        co_await with_timeout(readable(file), 30s);
        co_await with_timeout(writable(file), 30s);
        ::close(file);
        std::array<int, 2> pipe{};
        EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
        ::close(pipe[1]);
        co_await with_timeout(readable(pipe[0]), 30s);
        char byte = 0;
        EXPECT_EQ(::read(pipe[0], &byte, 1), 0);
        ::close(pipe[0]);
    };
    run_bounded(main());
}

TEST(readiness, of_writing_comes_with_room) {
    const auto main = []() -> task<> {
        std::array<int, 2> pipe{};
        EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK), 0);
        std::array<char, 4096> block{};
        while (::write(pipe[1], block.data(), block.size()) > 0) {
        }
        const auto wait = [&]() -> task<> { co_await writable(pipe[1]); };
        auto waiting = spawn(wait());
        for (int turns = 0; turns < 5; ++turns)
            co_await yield();
        EXPECT_FALSE(waiting.done());
        EXPECT_EQ(::read(pipe[0], block.data(), block.size()), 4096);
        co_await with_timeout(std::move(waiting), 30s);
        ::close(pipe[0]);
        ::close(pipe[1]);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::readiness_test
