#include "support/children.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::child_test {
namespace {

using test::has_child;
using test::read_all;
using test::run_bounded;
using test::shell;
using namespace std::chrono_literals;

TEST(a_child, gives_its_exit_code) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("exit 7").start();
        EXPECT_GT(started.id(), 0);
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.code(), 7);
        EXPECT_EQ(status.signal(), 0);
        EXPECT_FALSE(status.is_success());
        const exit_status again = co_await started.wait();
        EXPECT_EQ(again.code(), 7);
        EXPECT_FALSE(started.terminate()) << "it has ended";
    }());
    EXPECT_FALSE(has_child());
}

TEST(a_child, tells_the_signal_that_has_ended_it) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("kill -KILL $$").start();
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.signal(), SIGKILL);
        EXPECT_FALSE(status.is_success());
        auto waiting = co_await command("sleep").argument("1000").start();
        EXPECT_FALSE(waiting.poll().has_value());
        EXPECT_TRUE(waiting.terminate());
        const exit_status terminated = co_await waiting.wait();
        EXPECT_EQ(terminated.signal(), SIGTERM);
        EXPECT_TRUE(waiting.poll().has_value());
    }());
}

TEST(a_child, is_waited_for_by_several_tasks_and_for_some_time) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("read line; exit 5").input(child_stream::pipe()).start();
        const auto late = co_await as_result(with_timeout(started.wait(), 1ms));
        EXPECT_TRUE(!late && late.error() == std::errc::timed_out);
        const auto wait = [](child& awaited) -> task<int> {
            const exit_status status = co_await awaited.wait();
            co_return status.code();
        };
        auto first = spawn(wait(started));
        auto second = spawn(wait(started));
        co_await test::turns(2);
        EXPECT_FALSE(first.done() || second.done());
        started.input().close();
        EXPECT_EQ(co_await first, 5);
        EXPECT_EQ(co_await second, 5);
    }());
}

TEST(a_child, takes_all_that_belongs_to_another_when_it_is_assigned) {
    run_bounded([]() -> task<> {
        auto first = co_await command("sleep").argument("1000").start();
        auto second = co_await shell("exit 4").output(child_stream::pipe()).start();
        const int id = second.id();
        first = std::move(second);
        EXPECT_EQ(first.id(), id);
        EXPECT_EQ(co_await read_all(first.output()), "");
        const exit_status status = co_await first.wait();
        EXPECT_EQ(status.code(), 4);
        co_await test::turns_until([] { return !has_child(); });
    }());
}

TEST(a_child, that_somebody_else_has_collected_has_an_end_of_which_nothing_is_known) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("exit 4").start();
        ::waitpid(started.id(), nullptr, 0);
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.code(), -1);
        EXPECT_FALSE(started.kill());
        auto dropped = co_await command("true").start();
        ::waitpid(dropped.id(), nullptr, 0);
    }());
}

TEST(a_child, may_be_started_where_the_system_collects_all_children) {
    struct sigaction ignoring{};
    struct sigaction before{};
    ignoring.sa_handler = SIG_IGN;
    ::sigaction(SIGCHLD, &ignoring, &before);
    run_bounded([]() -> task<> {
        for (int time = 0; time < 20; ++time) {
            auto started = co_await command("true").start();
            const exit_status status = co_await started.wait();
            EXPECT_EQ(status.code(), -1);
        }
    }());
    ::sigaction(SIGCHLD, &before, nullptr);
}

TEST(a_dropped_child, is_killed_and_leaves_no_zombie) {
    const std::size_t before = test::open_descriptors();
    run_bounded([]() -> task<> {
        {
            auto started = co_await command("sleep").argument("1000").start();
        }
        co_await test::turns_until([] { return !has_child(); });
        auto first = co_await command("sleep").argument("1000").start();
        first = co_await command("sleep").argument("1000").start();
    }());
    EXPECT_FALSE(has_child()) << "the runtime has ended";
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(a_dropped_child, still_ends_for_whoever_waits_for_it) {
    run_bounded([]() -> task<> {
        auto started = std::make_unique<child>(co_await command("sleep").argument("1000").start());
        auto waiting = spawn([](child& awaited) -> task<int> {
            const exit_status status = co_await awaited.wait();
            co_return status.signal();
        }(*started));
        co_await test::turns(2);
        started.reset();
        EXPECT_EQ(co_await waiting, SIGKILL);
    }());
}

TEST(a_child, that_is_stopped_may_end_in_good_order) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("trap 'exit 3' TERM; echo ready; while :; do sleep 0.01; done")
                           .output(child_stream::pipe())
                           .start();
        std::array<std::byte, 6> out{};
        co_await started.output().read(out);
        const exit_status status = co_await started.stop(duration::max());
        EXPECT_EQ(status.code(), 3);
        const exit_status again = co_await started.stop(1h);
        EXPECT_EQ(again.code(), 3);
        EXPECT_FALSE(started.terminate());
    }());
    EXPECT_FALSE(has_child());
}

TEST(a_child, that_is_stopped_and_goes_on_is_killed) {
    run_bounded([]() -> task<> {
        for (const duration grace : {duration(20ms), duration::zero(), duration::min()}) {
            auto started = co_await shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")
                               .output(child_stream::pipe())
                               .start();
            std::array<std::byte, 6> out{};
            co_await started.output().read(out);
            const exit_status status = co_await started.stop(grace);
            EXPECT_EQ(status.signal(), SIGKILL);
        }
    }());
}

TEST(a_child, that_is_stopped_takes_its_group_along) {
    run_bounded([]() -> task<> {
        pipe_ends ends = pipe();
        // The grandchild heeds no SIGTERM and holds the pipe's other end, so its end is the pipe's.
        auto started = co_await shell("(trap '' TERM; echo ready; while :; do sleep 0.01; done) & wait")
                           .output(child_stream::descriptor(ends.writer.descriptor()))
                           .own_group()
                           .start();
        std::array<std::byte, 6> out{};
        co_await ends.reader.read(out);
        ends.writer.close();
        const exit_status status = co_await started.stop(1h);
        EXPECT_EQ(status.signal(), SIGTERM);
        EXPECT_EQ(co_await read_all(ends.reader), "");
    }());
    EXPECT_FALSE(has_child());
}

TEST(a_child, whose_stop_is_dropped_is_still_its_owners) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("trap 'echo asked' TERM; echo ready; read line; exit 6")
                           .input(child_stream::pipe())
                           .output(child_stream::pipe())
                           .start();
        std::array<std::byte, 6> out{};
        co_await started.output().read(out);
        {
            auto stopping = spawn(started.stop(1h));
            co_await started.output().read(out);
            EXPECT_FALSE(stopping.done());
        }
        started.input().close();
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.code(), 6);
    }());
}

TEST(a_dropped_child, has_time_for_its_farewell) {
    const test::scratch_directory place;
    run_bounded([](std::string file) -> task<> {
        {
            auto started = co_await shell("trap 'echo farewell > \"" + file +
                                          "\"; exit' TERM; echo ready; while :; do "
                                          "sleep 0.01; done")
                               .output(child_stream::pipe())
                               .grace(60s)
                               .start();
            std::array<std::byte, 6> out{};
            co_await started.output().read(out);
        }
        co_await test::turns_until([] { return !has_child(); });
    }(place.at("said")));
    EXPECT_EQ(place.read("said"), "farewell\n");
}

TEST(a_dropped_child, is_killed_when_its_time_is_over) {
    run_bounded([]() -> task<> {
        {
            auto started = co_await shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")
                               .output(child_stream::pipe())
                               .grace(20ms)
                               .start();
            std::array<std::byte, 6> out{};
            co_await started.output().read(out);
        }
        co_await test::turns_until([] { return !has_child(); });
    }());
}

TEST(a_dropped_child, takes_its_group_along) {
    run_bounded([]() -> task<> {
        pipe_ends ends = pipe();
        {
            // The grandchild holds the pipe's other end, so its end is the pipe's.
            auto started = co_await shell("sleep 1000 & echo ready; wait")
                               .output(child_stream::descriptor(ends.writer.descriptor()))
                               .own_group()
                               .start();
            std::array<std::byte, 6> out{};
            co_await ends.reader.read(out);
            ends.writer.close();
        }
        EXPECT_EQ(co_await read_all(ends.reader), "");
    }());
    EXPECT_FALSE(has_child());
}

TEST(a_dropped_child, has_no_more_time_once_the_runtime_ends) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")
                           .output(child_stream::pipe())
                           .grace(1h)
                           .start();
        std::array<std::byte, 6> out{};
        co_await started.output().read(out);
    }());
    EXPECT_FALSE(has_child());
}

TEST(a_detached_child, runs_on_when_the_runtime_ends) {
    const int id = run_bounded([]() -> task<int> {
        auto started = co_await shell("read line; exit 9").input(child_stream::pipe()).start();
        const int number = started.id();
        started.detach();
        co_return number;
    }());
    int status = 0;
    EXPECT_EQ(::waitpid(id, &status, 0), id) << "its input has ended with its pipe, and then it";
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST(a_detached_child, runs_on_and_is_collected) {
    run_bounded([]() -> task<> {
        pipe_ends ends = pipe();
        {
            auto started = co_await shell("read line; echo $line")
                               .input(child_stream::pipe())
                               .output(child_stream::descriptor(ends.writer.descriptor()))
                               .start();
            ends.writer.close();
            pipe_writer input = std::move(started.input());
            started.detach();
            co_await input.write_all(as_bytes("still there\n"));
        }
        EXPECT_EQ(co_await read_all(ends.reader), "still there\n");
        co_await test::turns_until([] { return !has_child(); });
    }());
}

task<> run_some(int count, int& ended) {
    for (int at = 0; at < count; ++at) {
        auto started = co_await command("true").start();
        const exit_status status = co_await started.wait();
        EXPECT_TRUE(status.is_success());
        ++ended;
    }
}

TEST(many_children, leave_neither_zombies_nor_descriptors) {
    constexpr int at_once = 32;
    constexpr int total = 2000;
    const std::size_t before = test::open_descriptors();
    int ended = 0;
    run_bounded([](int& counted) -> task<> {
        std::vector<handle<>> running;
        for (int at = 0; at < at_once; ++at)
            running.push_back(
                spawn(run_some(at < total % at_once ? total / at_once + 1 : total / at_once, counted)));
        for (auto& each : running)
            co_await each;
    }(ended));
    EXPECT_EQ(ended, total);
    EXPECT_FALSE(has_child());
    EXPECT_EQ(test::open_descriptors(), before);
}

}  // namespace
}  // namespace eddy::child_test
