#include "support/children.hpp"
#include "support/descriptors.hpp"
#include "support/environment_variable.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/command.hpp>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::command_test {
namespace {

using test::has_child;
using test::output_of;
using test::read_all;
using test::run_bounded;
using test::shell;

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
    const test::scratch_directory place;
    run_bounded([](std::string file) -> task<> {
        auto first = co_await shell("echo one").output(child_stream::file(file)).start();
        co_await first.wait();
        auto second = co_await shell("echo two").output(child_stream::append_to(file)).start();
        co_await second.wait();
        const int opened = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        auto requested =
            shell("cat; echo three").input(child_stream::null()).output(child_stream::descriptor(opened));
        ::close(opened);
        auto third = co_await requested.start();
        co_await third.wait();
        EXPECT_EQ(co_await output_of(command("cat").input(child_stream::file(file))), "one\ntwo\nthree\n");
    }(place.at("file")));
}

TEST(a_child, has_the_environment_and_the_directory_it_is_given) {
    ::setenv("EDDY_TEST_OWN", "own", 1);
    ::setenv("EDDY_TEST_HIDDEN", "hidden", 1);
    run_bounded([]() -> task<> {
        const std::string script = "echo $EDDY_TEST_OWN,$EDDY_TEST_HIDDEN,$EDDY_TEST_SET; pwd";
        EXPECT_EQ(co_await output_of(shell(script)
                                         .variable("EDDY_TEST_SET", "a=b")
                                         .without_variable("EDDY_TEST_HIDDEN")
                                         .directory("/usr")),
                  "own,,a=b\n/usr\n");
        EXPECT_EQ(co_await output_of(shell(script).variable("EDDY_TEST_OWN", "other").directory("/")),
                  "other,hidden,\n/\n");
        EXPECT_EQ(co_await output_of(command("env").without_environment().variable("A", "1")), "A=1\n");
    }());
}

TEST(a_child, that_cannot_be_started_is_an_error) {
    const test::scratch_directory place;
    place.write("odd", "no program");
    ::chmod(place.at("odd").c_str(), 0700);
    // What is in directories that this user may not look into is forbidden, and not missing.
    const test::environment_variable path("PATH", "/usr/bin:/bin");
    const std::size_t before = test::open_descriptors();
    run_bounded([](std::string no_program) -> task<> {
        const auto missing =
            co_await as_result(command("/no/such/program").output(child_stream::pipe()).start());
        EXPECT_TRUE(!missing && missing.error() == std::errc::no_such_file_or_directory);
        const auto unnamed = co_await as_result(command("eddy-no-such-program").start());
        EXPECT_TRUE(!unnamed && unnamed.error() == std::errc::no_such_file_or_directory);
        const auto forbidden = co_await as_result(command("/etc/passwd").start());
        EXPECT_TRUE(!forbidden && forbidden.error() == std::errc::permission_denied);
        const auto odd = co_await as_result(command(no_program).start());
        EXPECT_TRUE(!odd && odd.error() == std::errc::executable_format_error);
        const auto nowhere = co_await as_result(command("true").directory("/no/such/directory").start());
        EXPECT_TRUE(!nowhere && nowhere.error() == std::errc::no_such_file_or_directory);
        const auto no_file = co_await as_result(command("cat").input(child_stream::file("/no/such")).start());
        EXPECT_TRUE(!no_file && no_file.error() == std::errc::no_such_file_or_directory);
        EXPECT_THROW(static_cast<void>(child_stream::descriptor(-1)), std::system_error);
    }(place.at("odd")));
    EXPECT_EQ(test::open_descriptors(), before);
    EXPECT_FALSE(has_child());
}

TEST(a_child, has_no_descriptor_but_its_streams) {
    // One that others have opened, without a thought of children.
    const int leaking = ::open("/dev/null", O_RDONLY);
    run_bounded([]() -> task<> {
        EXPECT_EQ(co_await output_of(command("sh").arguments("-c",
                                                             "cd /proc/self/fd; for each in *; do "
                                                             "if [ -e $each ]; then echo $each; fi; done")),
                  "0\n1\n2\n");
    }());
    ::close(leaking);
}

TEST(a_child, has_no_signal_blocked_or_ignored) {
    run_bounded([]() -> task<> {
        auto started = co_await shell("kill -PIPE $$; echo survived").start();
        const exit_status status = co_await started.wait();
        EXPECT_EQ(status.signal(), SIGPIPE);
        const auto blocked = co_await output_of(command("grep").arguments("SigBlk", "/proc/self/status"));
        EXPECT_EQ(blocked, "SigBlk:\t0000000000000000\n");
    }());
}

TEST(a_child, may_be_given_a_named_pipe_and_never_waits_for_its_other_end) {
    const test::scratch_directory place;
    ASSERT_EQ(::mkfifo(place.at("fifo").c_str(), 0600), 0);
    run_bounded([](std::string fifo) -> task<> {
        const auto alone = co_await as_result(shell("echo abc").output(child_stream::file(fifo)).start());
        EXPECT_TRUE(!alone && alone.error() == std::errc::no_such_device_or_address) << "nobody reads";
        auto reader = co_await open_fifo_reader(fifo);
        auto started = co_await shell("echo abc").output(child_stream::file(fifo)).start();
        EXPECT_EQ(co_await read_all(reader), "abc\n");
        co_await started.wait();
    }(place.at("fifo")));
}

TEST(a_child, has_this_programs_streams_unless_it_is_told_otherwise) {
    const test::scratch_directory place;
    const int file = ::open(place.at("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int kept = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
    ::dup2(file, 1);
    run_bounded([]() -> task<> {
        auto started = co_await shell("echo inherited").start();
        co_await started.wait();
    }());
    ::dup2(kept, 1);
    ::close(kept);
    ::close(file);
    EXPECT_EQ(place.read("out"), "inherited\n");
}

TEST(a_child, has_its_streams_in_their_places_where_this_program_has_none) {
    const int kept = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
    ::close(0);
    const std::string seen = run_bounded([]() -> task<std::string> {
        auto started =
            co_await command("cat").input(child_stream::pipe()).output(child_stream::pipe()).start();
        co_await started.input().write_all(as_bytes("abc"));
        started.input().close();
        std::string text = co_await read_all(started.output());
        const exit_status status = co_await started.wait();
        EXPECT_TRUE(status.is_success());
        co_return text;
    }());
    ::dup2(kept, 0);
    ::close(kept);
    EXPECT_EQ(seen, "abc");
}

TEST(several_children, are_joined_by_pipes) {
    run_bounded([]() -> task<> {
        auto first = co_await shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done")
                         .output(child_stream::pipe())
                         .start();
        auto second = co_await command("sort")
                          .argument("-r")
                          .input(child_stream::pipe_end(std::move(first.output())))
                          .output(child_stream::pipe())
                          .start();
        const std::string sorted = co_await read_all(second.output());
        EXPECT_EQ(sorted.substr(0, 11), "line 9999\nl");
        const exit_status status = co_await second.wait();
        EXPECT_TRUE(status.is_success());
        co_await first.wait();
    }());
}

TEST(a_pipes_end, that_is_given_to_a_child_is_in_blocking_mode) {
    run_bounded([]() -> task<> {
        pipe_ends ends = pipe();
        auto started =
            co_await shell("exec 3>&1; grep flags /proc/$$/fdinfo/3 >&2; exec 2>&-; yes | head -n 100000")
                .output(child_stream::pipe_end(std::move(ends.writer)))
                .error(child_stream::pipe())
                .start();
        const std::string said = co_await read_all(started.error());
        EXPECT_EQ(said, "flags:\t01\n") << "O_WRONLY, and no O_NONBLOCK";
        const std::string seen = co_await read_all(ends.reader);
        EXPECT_EQ(seen.size(), 200'000U);
        co_await started.wait();
    }());
    EXPECT_FALSE(has_child());
}

TEST(several_children, are_one_group) {
    run_bounded([]() -> task<> {
        auto leader = co_await shell("read line").input(child_stream::pipe()).own_group().start();
        const std::string seen = co_await output_of(
            command("cut").arguments("-d", " ", "-f", "5", "/proc/self/stat").group(leader));
        EXPECT_EQ(seen, std::to_string(leader.id()) + "\n");
        auto member = co_await command("sleep").argument("1000").group(leader).start();
        EXPECT_TRUE(member.terminate());
        const exit_status status = co_await member.wait();
        EXPECT_EQ(status.signal(), SIGTERM);
        EXPECT_FALSE(leader.poll().has_value()) << "the signal was for the member alone";
        leader.input().close();
        co_await leader.wait();
        const auto late = co_await as_result(command("true").group(leader).start());
        EXPECT_TRUE(!late && late.error() == std::errc::operation_not_permitted);
    }());
}

TEST(a_command, that_holds_a_nul_byte_is_refused) {
    run_bounded([]() -> task<> {
        const std::string bad("a\0b", 3);
        for (const command& cmd :
             {command(bad), command("true").argument(bad), command("true").variable("A", bad),
              command("true").directory(bad), command("true").input(child_stream::file(bad))}) {
            const auto refused = co_await as_result(cmd.start());
            EXPECT_TRUE(!refused && refused.error() == std::errc::invalid_argument);
        }
    }());
}

TEST(a_command, may_be_started_many_times) {
    run_bounded([]() -> task<> {
        const command cmd = shell("exit 3");
        auto first = co_await cmd.start();
        auto second = co_await cmd.start();
        EXPECT_NE(first.id(), second.id());
        const exit_status one = co_await first.wait();
        const exit_status two = co_await second.wait();
        EXPECT_EQ(one.code() + two.code(), 6);
    }());
}

TEST(a_start, that_finds_no_free_descriptor_fails_and_the_next_one_succeeds) {
    const std::size_t before = test::open_descriptors();
    run_bounded([]() -> task<> {
        auto warmed = co_await command("true").start();  // whatever the runtime opens, it has opened
        co_await warmed.wait();
        rlimit usual{};
        EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &usual), 0);
        // Until there is room for all that it takes.
        std::error_code error;
        int failures = 0;
        for (rlim_t limit = test::open_descriptors(); failures == 0 || error; ++limit) {
            const rlimit narrow{limit, usual.rlim_max};
            ::setrlimit(RLIMIT_NOFILE, &narrow);
            const auto starting = co_await as_result(
                command("cat").input(child_stream::pipe()).output(child_stream::pipe()).start());
            ::setrlimit(RLIMIT_NOFILE, &usual);
            error = starting ? std::error_code() : starting.error();
            EXPECT_TRUE(!error || error == std::errc::too_many_files_open) << error.message();
            failures += error ? 1 : 0;
        }
        EXPECT_GE(failures, 3);
        auto started = co_await command("cat").input(child_stream::pipe()).start();
        started.input().close();
        const exit_status status = co_await started.wait();
        EXPECT_TRUE(status.is_success());
    }());
    EXPECT_FALSE(has_child());
    EXPECT_EQ(test::open_descriptors(), before);
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

}  // namespace
}  // namespace eddy::command_test
