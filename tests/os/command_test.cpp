#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/command.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy {
namespace {

using test::run_bounded;
using namespace std::chrono_literals;

/// Whether this process has a child, one that has ended included.
bool has_child() {
    siginfo_t found{};
    return ::waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) == 0;
}

command shell(std::string script) {
    return command("sh").arguments({"-c", script});
}

task<std::string> read_all(pipe_reader& from) {
    std::string all;
    std::array<std::byte, 4096> out{};
    for (;;) {
        const std::size_t count = co_await from.read(out);
        if (count == 0)
            co_return all;
        all += as_text(std::span(out).first(count));
    }
}

task<std::string> output_of(command asked) {
    auto started = co_await asked.output(child_stream::pipe()).start();
    auto text = co_await read_all(started.output());
    const exit_status status = co_await started.wait();
    EXPECT_TRUE(status.is_success()) << status.code() << ' ' << status.signal();
    co_return text;
}

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

TEST(a_child, speaks_through_pipes) {
    run_bounded([]() -> task<> {
        auto started =
            co_await command("cat").input(child_stream::pipe()).output(child_stream::pipe()).start();
        const std::string sent(300'000, 'x');
        auto writing = spawn([](pipe_writer& to, std::string_view text) -> task<> {
            co_await to.write_all(as_bytes(text));
            to.close();
        }(started.input(), sent));
        EXPECT_EQ(co_await read_all(started.output()), sent);
        co_await writing;
        const exit_status status = co_await started.wait();
        EXPECT_TRUE(status.is_success());
    }());
}

TEST(a_child, has_an_error_output_of_its_own) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("echo out; echo err >&2")
                           .output(child_stream::pipe())
                           .error(child_stream::pipe())
                           .start();
        EXPECT_EQ(co_await read_all(started.output()), "out\n");
        EXPECT_EQ(co_await read_all(started.error()), "err\n");
    }());
}

TEST(a_child, reads_and_writes_files_and_descriptors) {
    std::string path = "/tmp/eddy_command_test_XXXXXX";
    ::close(::mkstemp(path.data()));
    run_bounded([](std::string file) -> task<> {
        auto first = co_await shell("echo one").output(child_stream::file(file)).start();
        co_await first.wait();
        auto second = co_await shell("echo two").output(child_stream::append_to(file)).start();
        co_await second.wait();
        const int opened = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        auto asked =
            shell("cat; echo three").input(child_stream::null()).output(child_stream::descriptor(opened));
        ::close(opened);
        auto third = co_await asked.start();
        co_await third.wait();
        EXPECT_EQ(co_await output_of(command("cat").input(child_stream::file(file))), "one\ntwo\nthree\n");
    }(path));
    ::unlink(path.c_str());
}

TEST(a_child, has_the_environment_and_the_folder_it_is_given) {
    ::setenv("EDDY_TEST_OWN", "own", 1);
    ::setenv("EDDY_TEST_HIDDEN", "hidden", 1);
    run_bounded([]() -> task<> {
        const std::string script = "echo $EDDY_TEST_OWN,$EDDY_TEST_HIDDEN,$EDDY_TEST_SET; pwd";
        EXPECT_EQ(co_await output_of(shell(script)
                                         .variable("EDDY_TEST_SET", "a=b")
                                         .without_variable("EDDY_TEST_HIDDEN")
                                         .folder("/usr")),
                  "own,,a=b\n/usr\n");
        EXPECT_EQ(co_await output_of(shell(script).variable("EDDY_TEST_OWN", "other").folder("/")),
                  "other,hidden,\n/\n");
        EXPECT_EQ(co_await output_of(command("env").without_environment().variable("A", "1")), "A=1\n");
    }());
}

TEST(a_child, that_cannot_be_started_is_an_error) {
    const std::size_t before = test::open_descriptors();
    run_bounded([]() -> task<> {
        const auto missing =
            co_await as_result(command("/no/such/program").output(child_stream::pipe()).start());
        EXPECT_TRUE(!missing && missing.error() == std::errc::no_such_file_or_directory);
        const auto unnamed = co_await as_result(command("eddy-no-such-program").start());
        EXPECT_TRUE(!unnamed && unnamed.error() == std::errc::no_such_file_or_directory);
        const auto forbidden = co_await as_result(command("/etc/passwd").start());
        EXPECT_TRUE(!forbidden && forbidden.error() == std::errc::permission_denied);
        const auto nowhere = co_await as_result(command("true").folder("/no/such/folder").start());
        EXPECT_TRUE(!nowhere && nowhere.error() == std::errc::no_such_file_or_directory);
        const auto no_file = co_await as_result(command("cat").input(child_stream::file("/no/such")).start());
        EXPECT_TRUE(!no_file && no_file.error() == std::errc::no_such_file_or_directory);
        EXPECT_THROW(static_cast<void>(child_stream::descriptor(-1)), std::system_error);
    }());
    EXPECT_EQ(test::open_descriptors(), before);
    EXPECT_FALSE(has_child());
}

TEST(a_child, has_no_descriptor_but_its_streams) {
    // One that others have opened, without a thought of children.
    const int leaking = ::open("/dev/null", O_RDONLY);
    run_bounded([]() -> task<> {
        EXPECT_EQ(co_await output_of(command("sh").arguments({"-c",
                                                              "cd /proc/self/fd; for each in *; do "
                                                              "if [ -e $each ]; then echo $each; fi; done"})),
                  "0\n1\n2\n");
    }());
    ::close(leaking);
}

TEST(a_child, has_no_signal_blocked_or_ignored) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("kill -PIPE $$; echo survived").start();
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.signal(), SIGPIPE);
        const auto blocked = co_await output_of(command("grep").arguments({"SigBlk", "/proc/self/status"}));
        EXPECT_EQ(blocked, "SigBlk:\t0000000000000000\n");
    }());
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

TEST(a_dropped_child, has_time_for_its_farewell) {
    std::string path = "/tmp/eddy_command_test_XXXXXX";
    ::close(::mkstemp(path.data()));
    run_bounded([](std::string file) -> task<> {
        {
            auto started = co_await shell("trap 'echo farewell > " + file +
                                          "; exit' TERM; echo ready; while :; do "
                                          "sleep 0.01; done")
                               .output(child_stream::pipe())
                               .grace(60s)
                               .start();
            std::array<std::byte, 6> out{};
            co_await started.output().read(out);
        }
        co_await test::turns_until([] { return !has_child(); });
    }(path));
    std::ifstream said(path);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(said), {}), "farewell\n");
    ::unlink(path.c_str());
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

TEST(a_dropped_start, leaves_no_child) {
    const std::size_t before = test::open_descriptors();
    run_bounded([]() -> task<> {
        for (int turn = 0; turn < 8; ++turn) {
            auto starting = spawn([]() -> task<> {
                co_await command("sleep").argument("1000").output(child_stream::pipe()).start();
            }());
            co_await test::turns(turn);
        }
    }());
    EXPECT_FALSE(has_child());
    EXPECT_EQ(test::open_descriptors(), before);
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
}  // namespace eddy
