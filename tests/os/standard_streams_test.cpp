#include "support/pseudo_terminal.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/standard_streams.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace eddy::standard_streams_test {
namespace {

using test::run_bounded;
using lines = std::vector<std::string>;

/// What standard input can be redirected from, with a text in it and an end after that.
class redirected_input {
public:
    explicit redirected_input(const std::string& kind, std::string_view text) {
        if (kind == "file") {
            std::string path = "/tmp/eddy_stream_test_XXXXXX";
            reading_ = ::mkstemp(path.data());
            ::unlink(path.c_str());
            static_cast<void>(::write(reading_, text.data(), text.size()));
            ::lseek(reading_, 0, SEEK_SET);
            return;
        }
        std::array<int, 2> ends{};
        EXPECT_EQ(kind == "pipe" ? ::pipe2(ends.data(), O_CLOEXEC)
                                 : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()),
                  0);
        reading_ = ends[0];
        static_cast<void>(::write(ends[1], text.data(), text.size()));
        ::close(ends[1]);
    }
    redirected_input(const redirected_input&) = delete;
    redirected_input& operator=(const redirected_input&) = delete;
    ~redirected_input() { ::close(reading_); }
    [[nodiscard]] int descriptor() const noexcept { return reading_; }

private:
    int reading_ = -1;
};

task<lines> read_lines(int descriptor) {
    input_stream input(descriptor);
    lines seen;
    for (;;) {
        auto line = co_await input.read_line();
        if (!line)
            break;
        seen.push_back(std::move(*line));
    }
    co_return seen;
}

TEST(standard_input, gives_the_lines_of_a_file_a_pipe_and_a_socket) {
    for (const std::string kind : {"file", "pipe", "socket"}) {
        SCOPED_TRACE(kind);
        const redirected_input input(kind, "one\n\nthree\nwithout an end");
        const int before = ::fcntl(input.descriptor(), F_GETFL);
        EXPECT_EQ(run_bounded(read_lines(input.descriptor())), (lines{"one", "", "three", "without an end"}));
        EXPECT_EQ(::fcntl(input.descriptor(), F_GETFL), before) << "others share it";
    }
}

TEST(standard_input, gives_lines_longer_than_a_read) {
    for (const std::string kind : {"file", "pipe"}) {
        const std::string longer(20'000, 'x');
        const redirected_input input(kind, longer + "\n" + longer + "y\n");
        EXPECT_EQ(run_bounded(read_lines(input.descriptor())), (lines{longer, longer + "y"}));
    }
}

TEST(standard_input, may_be_nothing) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(run_bounded(read_lines(nothing)), lines());
    ::close(nothing);
}

static_assert(byte_source<input_stream> && byte_sink<output_stream>);

void move_descriptor(int from, int to) {
    if (from == to)
        return;
    EXPECT_EQ(::dup3(from, to, O_CLOEXEC), to);
    ::close(from);
}

TEST(standard_input, may_be_closed_by_others_while_it_is_read) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    run_bounded([](int reading, int writing) -> task<> {
        for (int time = 0; time < 3; ++time) {
            // Each time another pipe has the number.
            std::array<int, 2> other{};
            EXPECT_EQ(::pipe2(other.data(), O_CLOEXEC), 0);
            move_descriptor(other[0], reading);
            move_descriptor(other[1], writing);
            auto waiting = spawn([](int descriptor) -> task<std::optional<std::string>> {
                input_stream input(descriptor);
                co_return co_await input.read_line();
            }(reading));
            co_await test::turns(2);
            EXPECT_FALSE(waiting.done());
            ::close(reading);
            EXPECT_EQ(::write(writing, "line\n", 5), 5);
            EXPECT_EQ(co_await waiting, "line");
        }
    }(ends[0], ends[1]));
    ::close(ends[1]);
}

TEST(standard_input, that_is_closed_is_an_error) {
    constexpr int closed = 123'456;
    run_bounded([](int descriptor) -> task<> {
        try {
            input_stream input(descriptor);
            ADD_FAILURE() << "there is nothing to read";
        } catch (const std::system_error& error) {
            EXPECT_EQ(error.code(), std::errc::bad_file_descriptor);
        }
        co_return;
    }(closed));
}

TEST(standard_input, may_be_an_odd_descriptor_that_has_nothing_yet) {
    for (const int flags : {0, int{EFD_NONBLOCK}}) {
        const int counter = ::eventfd(0, EFD_CLOEXEC | flags);
        run_bounded([](int descriptor) -> task<> {
            auto waiting = spawn([](int from) -> task<std::size_t> {
                input_stream input(from);
                std::array<std::byte, 8> out{};
                co_return co_await input.read(out);
            }(descriptor));
            co_await test::turns(3);
            EXPECT_FALSE(waiting.done());
            const std::uint64_t one = 1;
            EXPECT_EQ(::write(descriptor, &one, sizeof(one)), 8);
            EXPECT_EQ(co_await waiting, 8U);
        }(counter));
        ::close(counter);
    }
}

TEST(standard_input, may_be_a_watch_of_files_that_has_nothing_to_tell_yet) {
    const test::scratch_directory place;
    const int watch = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    ASSERT_GE(::inotify_add_watch(watch, place.root().c_str(), IN_CREATE), 0);
    run_bounded([](int descriptor, const std::string& made) -> task<> {
        auto waiting = spawn([](int from) -> task<std::size_t> {
            input_stream input(from);
            std::array<std::byte, 400> out{};
            co_return co_await input.read(out);
        }(descriptor));
        co_await test::turns(3);
        EXPECT_FALSE(waiting.done());
        ::close(::open(made.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR));
        EXPECT_GE(co_await waiting, sizeof(inotify_event));
    }(watch, place.at("new")));
    ::close(watch);
}

TEST(standard_input, that_is_a_directory_is_an_error) {
    const int directory = ::open("/", O_RDONLY | O_CLOEXEC);
    run_bounded([](int descriptor) -> task<> {
        input_stream input(descriptor);
        const auto line = co_await as_result(input.read_line());
        EXPECT_TRUE(!line && line.error() == std::errc::is_a_directory);
    }(directory));
    ::close(directory);
}

TEST(standard_input, refuses_a_line_beyond_the_limit_and_loses_nothing) {
    const redirected_input input("pipe", "1234567\n12345678\nend");
    run_bounded([](int descriptor) -> task<> {
        input_stream from(descriptor);
        EXPECT_EQ(co_await from.read_line(7), "1234567");
        const auto refused = co_await as_result(from.read_line(7));
        EXPECT_TRUE(!refused && refused.error() == std::errc::message_size);
        EXPECT_EQ(co_await from.read_line(8), "12345678");
        std::array<std::byte, 2> out{};
        const std::size_t count = co_await from.read(out);
        EXPECT_EQ(as_text(std::span(out).first(count)), "en") << "what came with a line is read next";
    }(input.descriptor()));
}

TEST(a_dropped_line, is_read_whole_by_the_next_read) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    run_bounded([](int reading, int writing) -> task<> {
        input_stream input(reading);
        auto waiting = spawn([](input_stream& from) -> task<> { co_await from.read_line(); }(input));
        co_await test::turns(2);
        EXPECT_EQ(::write(writing, "first ", 6), 6);
        co_await test::turns(4);
        waiting.cancel();
        EXPECT_EQ(::write(writing, "half\nsecond\n", 12), 12);
        EXPECT_EQ(co_await input.read_line(), "first half");
        EXPECT_EQ(co_await input.read_line(), "second");
    }(ends[0], ends[1]));
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(standard_input, may_be_a_terminal) {
    const test::pseudo_terminal terminal;
    const int before = ::fcntl(terminal.descriptor(), F_GETFL);
    run_bounded([](const test::pseudo_terminal& used) -> task<> {
        input_stream input(used.descriptor());
        EXPECT_TRUE(input.is_terminal());
        auto waiting = spawn([](input_stream& from) -> task<std::optional<std::string>> {
            co_return co_await from.read_line();
        }(input));
        co_await test::turns(3);
        EXPECT_FALSE(waiting.done());
        used.type("hello\n");
        EXPECT_EQ(co_await waiting, "hello");
        used.type("\x04");  // what a user types for the end
        EXPECT_EQ(co_await input.read_line(), std::nullopt);
        used.type("again\n");
        EXPECT_EQ(co_await input.read_line(), "again") << "a terminal's end is not for ever";
    }(terminal));
    EXPECT_EQ(::fcntl(terminal.descriptor(), F_GETFL), before);
}

TEST(standard_input, may_be_a_terminal_that_is_hung_up) {
    auto terminal = std::make_unique<test::pseudo_terminal>();
    run_bounded([](std::unique_ptr<test::pseudo_terminal>& used) -> task<> {
        input_stream input(used->descriptor());
        auto waiting = spawn([](input_stream& from) -> task<bool> {
            const auto line = co_await as_result(from.read_line());
            co_return line ? !line->has_value() : line.error() == std::errc::io_error;
        }(input));
        co_await test::turns(3);
        EXPECT_FALSE(waiting.done());
        used.reset();
        EXPECT_TRUE(co_await waiting) << "that is the end";
    }(terminal));
}

std::size_t see_all(const test::pseudo_terminal& from) {
    std::size_t seen = 0;
    while (const std::size_t next = from.see().size())
        seen += next;
    return seen;
}

TEST(standard_output, may_be_a_terminal_that_shows_nothing_for_a_while) {
    const test::pseudo_terminal terminal;
    run_bounded([](const test::pseudo_terminal& used) -> task<> {
        output_stream output(used.descriptor());
        EXPECT_TRUE(output.is_terminal());
        const std::string much(200'000, 'x');
        auto writing = spawn([](output_stream& to, std::string_view text) -> task<std::size_t> {
            co_return co_await to.write_all(as_bytes(text));
        }(output, much));
        co_await test::turns(5);
        EXPECT_FALSE(writing.done()) << "the worker goes on meanwhile";
        std::size_t seen = 0;
        for (bool is_written = false; !is_written;) {
            is_written = writing.done();
            seen += see_all(used);
            co_await test::turns(1);
        }
        EXPECT_EQ(co_await writing, much.size());
        EXPECT_EQ(seen, much.size());
    }(terminal));
}

// io_uring: threads that write to the device make the kernel interrupt the worker, to start more of them.
TEST(standard_output, may_be_a_terminal_while_files_are_written) {
    const test::pseudo_terminal terminal;
    const test::scratch_directory directory;
    run_bounded([](const test::pseudo_terminal& used, std::string path) -> task<> {
        output_stream output(used.descriptor());
        std::size_t written = 0;
        std::size_t seen = 0;
        for (int round = 0; round < 20; ++round) {
            task_set writers;
            for (int at = 0; at < 8; ++at)
                writers.spawn([](std::string to) -> task<> {
                    const auto options = open_options().write().create().synchronous();
                    const file opened = co_await fs::open(to, options);
                    co_await opened.write_all_at(as_bytes("abc"), 0);
                }(path + std::to_string(at)));
            while (!writers.empty()) {
                written += co_await output.write_all(as_bytes("0123456789"));
                seen += see_all(used);
                co_await test::turns(1);
            }
        }
        while (seen < written)
            seen += see_all(used);
    }(terminal, directory.at("file")));
}

TEST(standard_output, writes_at_the_end_of_what_others_have_written_to_the_file) {
    std::string path = "/tmp/eddy_stream_test_XXXXXX";
    const int file = ::mkstemp(path.data());
    ::unlink(path.c_str());
    ASSERT_EQ(::write(file, "before ", 7), 7);
    run_bounded([](int descriptor) -> task<> {
        output_stream output(descriptor);
        co_await output.write_all(as_bytes("between "));
    }(file));
    ASSERT_EQ(::write(file, "after", 5), 5);
    std::array<char, 100> content{};
    const auto size = ::pread(file, content.data(), content.size(), 0);
    EXPECT_EQ(std::string_view(content.data(), static_cast<std::size_t>(size)), "before between after");
    ::close(file);
}

TEST(standard_output, that_nobody_reads_gives_an_error_and_no_signal) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ::close(ends[0]);
    run_bounded([](int descriptor) -> task<> {
        output_stream output(descriptor);
        const auto written = co_await as_result(output.write_all(as_bytes("abc")));
        EXPECT_TRUE(!written && written.error() == std::errc::broken_pipe);
    }(ends[1]));
    EXPECT_EQ(::fcntl(ends[1], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC) << "it stays open";
    ::close(ends[1]);
}

TEST(standard_output, may_be_a_socket_whose_other_end_has_gone) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    ::close(ends[0]);
    run_bounded([](int descriptor) -> task<> {
        output_stream output(descriptor);
        const auto written = co_await as_result(output.write_all(as_bytes("abc")));
        EXPECT_TRUE(!written && written.error() == std::errc::broken_pipe);
    }(ends[1]));
    ::close(ends[1]);
}

TEST(standard_output, may_be_a_file_of_the_systems_own) {
    const int name = ::open("/proc/self/comm", O_RDWR | O_CLOEXEC);
    ASSERT_GE(name, 0);
    std::array<char, 16> before{};
    ::pthread_getname_np(::pthread_self(), before.data(), before.size());
    run_bounded([](int descriptor) -> task<> {
        output_stream output(descriptor);
        co_await output.write_all(as_bytes("another name"));
    }(name));
    std::array<char, 16> now{};
    ::pthread_getname_np(::pthread_self(), now.data(), now.size());
    EXPECT_STREQ(now.data(), "another name");
    ::pthread_setname_np(::pthread_self(), before.data());
    ::close(name);
}

TEST(standard_output, may_be_full_for_good_on_a_full_device) {
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    run_bounded([](int descriptor) -> task<> {
        output_stream output(descriptor);
        const auto written = co_await as_result(output.write_all(as_bytes("abc")));
        EXPECT_TRUE(!written && written.error() == std::errc::no_space_on_device);
    }(full));
    ::close(full);
}

}  // namespace
}  // namespace eddy::standard_streams_test
