#include "support/pseudo_terminal.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/os/terminal.hpp>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <span>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace eddy::terminal_test {
namespace {

using test::pseudo_terminal;

TEST(a_terminal, is_told_from_what_is_none) {
    const pseudo_terminal terminal;
    EXPECT_TRUE(is_terminal(terminal.descriptor()));
    const int device = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    EXPECT_FALSE(is_terminal(device));
    EXPECT_FALSE(find_window_size(device).has_value());
    EXPECT_THROW(raw_mode{device}, std::system_error);
    ::close(device);
}

TEST(a_terminal, has_a_size) {
    const pseudo_terminal terminal;
    terminal.resize(80, 25);
    EXPECT_EQ(find_window_size(terminal.descriptor()), (window_size{80, 25}));
}

TEST(a_terminal, tells_each_change_of_its_size) {
    const pseudo_terminal terminal;
    terminal.resize(80, 25);
    test::run_bounded([](const pseudo_terminal& shown) -> task<> {
        auto sizes = window_sizes(shown.descriptor());
        EXPECT_EQ(co_await sizes.next(), (window_size{80, 25}));
        // The terminal is not this process's own, so the system tells it nothing. Another thread might take
        // what is sent to the whole process.
        ::raise(SIGWINCH);
        shown.resize(100, 30);
        ::raise(SIGWINCH);
        EXPECT_EQ(co_await sizes.next(), (window_size{100, 30}));
    }(terminal));
}

TEST(raw_mode, ends_with_its_guard) {
    const pseudo_terminal terminal;
    EXPECT_TRUE(terminal.echoes());
    {
        raw_mode raw(terminal.descriptor());
        EXPECT_FALSE(terminal.echoes());
        EXPECT_THROW(raw_mode{terminal.descriptor()}, std::system_error) << "it is in raw mode already";
        const raw_mode moved(std::move(raw));
        EXPECT_FALSE(terminal.echoes());
    }
    EXPECT_TRUE(terminal.echoes());
    const raw_mode again(terminal.descriptor());
    EXPECT_FALSE(terminal.echoes());
}

TEST(raw_mode, is_known_by_the_terminal_and_not_by_its_descriptor) {
    const pseudo_terminal terminal;
    const int other = ::dup(terminal.descriptor());
    {
        const raw_mode raw(terminal.descriptor());
        EXPECT_THROW(raw_mode{other}, std::system_error);
    }
    const raw_mode later(other);
    EXPECT_FALSE(terminal.echoes());
    ::close(other);
}

TEST(raw_mode, gives_each_byte_as_it_is_typed) {
    const pseudo_terminal terminal;
    const raw_mode raw(terminal.descriptor());
    test::run_bounded([](const pseudo_terminal& used) -> task<> {
        input_stream input(used.descriptor());
        for (const std::string_view typed : {"a", "\x03", "\x04"}) {
            used.type(typed);
            std::array<std::byte, 10> out{};
            const std::size_t count = co_await input.read(out);
            EXPECT_EQ(as_text(std::span(out).first(count)), typed);
        }
    }(terminal));
}

/// Runs `end` in a process of its own with the terminal in raw mode, and gives how it ended.
template <class End>
int end_in_raw_mode(const pseudo_terminal& terminal, End end) {
    const pid_t child = ::fork();
    if (child == 0) {
        // A program that nohup(1) or a shell has started in the background may ignore them.
        for (const int ignored : {SIGHUP, SIGINT})
            ::signal(ignored, SIG_DFL);
        auto* const raw = new raw_mode(terminal.descriptor());
        if (terminal.echoes())
            ::_exit(99);
        end();
        delete raw;
        ::_exit(98);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST(raw_mode, ends_when_the_program_exits) {
    const pseudo_terminal terminal;
    const int status = end_in_raw_mode(terminal, [] { std::exit(3); });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_TRUE(terminal.echoes());
}

TEST(raw_mode, goes_on_when_a_process_ends_that_was_forked_meanwhile) {
    const pseudo_terminal terminal;
    const raw_mode raw(terminal.descriptor());
    const pid_t child = ::fork();
    if (child == 0)
        std::exit(0);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(terminal.echoes());
}

TEST(raw_mode, ends_when_a_signal_ends_the_program) {
    for (const int number : {SIGTERM, SIGINT, SIGABRT, SIGHUP}) {
        const pseudo_terminal terminal;
        const int status = end_in_raw_mode(terminal, [number] { ::raise(number); });
        EXPECT_TRUE(WIFSIGNALED(status)) << status;
        EXPECT_EQ(WTERMSIG(status), number) << "it ends the way it would have";
        EXPECT_TRUE(terminal.echoes()) << number;
    }
}

}  // namespace
}  // namespace eddy::terminal_test
