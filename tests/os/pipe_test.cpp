#include "support/descriptors.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace eddy::pipe_test {
namespace {

using test::run_bounded;

task<std::string> read_text(pipe_reader& from) {
    std::array<std::byte, 100> out{};
    const std::size_t count = co_await from.read(out);
    co_return std::string(as_text(std::span(out).first(count)));
}

task<> write_text(pipe_writer& to, std::string_view text) {
    const std::size_t count = co_await to.write_all(as_bytes(text));
    EXPECT_EQ(count, text.size());
}

TEST(a_pipe, gives_what_was_written_and_then_the_end) {
    run_bounded([]() -> task<> {
        auto ends = pipe();
        co_await write_text(ends.writer, "abc");
        EXPECT_EQ(co_await read_text(ends.reader), "abc");
        co_await write_text(ends.writer, "last");
        ends.writer.close();
        EXPECT_FALSE(ends.writer.is_open());
        EXPECT_EQ(co_await read_text(ends.reader), "last");
        EXPECT_EQ(co_await read_text(ends.reader), "");
        EXPECT_EQ(co_await read_text(ends.reader), "") << "the end stays the end";
    }());
}

TEST(a_pipe, carries_more_than_it_holds) {
    static constexpr std::size_t total = 3'000'000;
    run_bounded([]() -> task<> {
        auto ends = pipe();
        auto writing = spawn([](pipe_writer& to) -> task<> {
            std::vector<std::byte> bytes(total);
            test::fill_numbered(bytes, 0);
            const std::size_t count = co_await to.write_all(bytes);
            EXPECT_EQ(count, total);
            to.close();
        }(ends.writer));
        std::vector<std::byte> out(70'000);
        std::size_t place = 0;
        for (;;) {
            const std::size_t count = co_await ends.reader.read(out);
            if (count == 0)
                break;
            EXPECT_EQ(test::count_numbered(std::span(out).first(count), place), count);
            place += count;
        }
        EXPECT_EQ(place, total);
        co_await writing;
    }());
}

static_assert(byte_source<pipe_reader> && byte_sink<pipe_writer>);

TEST(a_pipe, takes_several_buffers_at_once) {
    run_bounded([]() -> task<> {
        auto ends = pipe();
        const std::string much(100'000, 'x');
        auto writing = spawn([](pipe_writer& to, std::string_view large) -> task<std::size_t> {
            std::array<const_buffer, 5> parts{
                const_buffer(std::string_view("ab")), {}, {large}, {}, const_buffer(std::string_view("yz"))};
            const std::size_t count = co_await to.write_all(std::span<const_buffer>(parts));
            const std::size_t none = co_await to.write_all(std::span(parts).subspan(1, 1));
            EXPECT_EQ(none, 0U);
            to.close();
            co_return count;
        }(ends.writer, much));
        std::string seen;
        for (std::string part = co_await read_text(ends.reader); !part.empty();
             part = co_await read_text(ends.reader))
            seen += part;
        EXPECT_TRUE(seen == "ab" + much + "yz") << seen.size();
        EXPECT_EQ(co_await writing, much.size() + 4);
    }());
}

TEST(a_pipe, that_nobody_reads_is_broken_and_raises_no_signal) {
    run_bounded([]() -> task<> {
        auto ends = pipe();
        ends.reader.close();
        co_await test::turns(1);  // in which it comes about
        const auto written = co_await as_result(ends.writer.write_all(as_bytes("abc")));
        EXPECT_FALSE(written.has_value());
        if (!written) {
            EXPECT_EQ(written.error(), std::errc::broken_pipe);
        }
    }());
}

TEST(a_pipe, that_is_closed_ends_what_other_tasks_wait_for) {
    run_bounded([]() -> task<> {
        auto ends = pipe();
        auto reading = spawn([](pipe_reader& from) -> task<std::error_code> {
            std::array<std::byte, 10> out{};
            const auto read = co_await as_result(from.read(out));
            co_return read ? std::error_code() : read.error();
        }(ends.reader));
        co_await test::turns(2);
        ends.reader.close();
        EXPECT_EQ(co_await reading, std::errc::operation_canceled);
        auto other = pipe();
        auto writing = spawn([](pipe_writer& to) -> task<std::error_code> {
            const std::vector<std::byte> much(1'000'000);
            const auto written = co_await as_result(to.write_all(much));
            co_return written ? std::error_code() : written.error();
        }(other.writer));
        co_await test::turns(2);
        other.writer.close();
        EXPECT_EQ(co_await writing, std::errc::operation_canceled);
    }());
}

TEST(a_pipe, takes_over_descriptors_of_others_and_leaves_their_mode) {
    run_bounded([]() -> task<> {
        std::array<int, 2> made{};
        EXPECT_EQ(::pipe2(made.data(), O_CLOEXEC), 0);
        pipe_reader reader(made[0]);
        pipe_writer writer(made[1]);
        auto reading =
            spawn([](pipe_reader& from) -> task<std::string> { co_return co_await read_text(from); }(reader));
        co_await test::turns(2);
        EXPECT_FALSE(reading.done());
        co_await write_text(writer, "abc");
        EXPECT_EQ(co_await reading, "abc");
        EXPECT_EQ(::fcntl(made[0], F_GETFL) & O_NONBLOCK, 0);
    }());
}

TEST(a_pipe, in_non_blocking_mode_is_waited_for_all_the_same) {
    run_bounded([]() -> task<> {
        std::array<int, 2> made{};
        EXPECT_EQ(::pipe2(made.data(), O_CLOEXEC | O_NONBLOCK), 0);
        pipe_reader reader(made[0]);
        pipe_writer writer(made[1]);
        auto reading =
            spawn([](pipe_reader& from) -> task<std::string> { co_return co_await read_text(from); }(reader));
        co_await test::turns(2);
        EXPECT_FALSE(reading.done());
        auto writing = spawn([](pipe_writer& to) -> task<> {
            const std::string much(300'000, 'x');
            co_await write_text(to, much);
            to.close();
        }(writer));
        std::size_t seen = (co_await reading).size();
        co_await test::turns(2);
        EXPECT_FALSE(writing.done()) << "the pipe is full";
        for (std::string part = co_await read_text(reader); !part.empty(); part = co_await read_text(reader))
            seen += part.size();
        EXPECT_EQ(seen, 300'000U);
        co_await writing;
    }());
}

/// A signal that comes all the time and makes the system calls of this thread end early.
class interruptions {
public:
    interruptions() {
        struct sigaction counting{};
        counting.sa_handler = [](int) { count_ = count_ + 1; };  // and no SA_RESTART
        EXPECT_EQ(::sigaction(SIGALRM, &counting, &before_), 0);
        sigevent for_this_thread{};
        for_this_thread.sigev_notify = SIGEV_THREAD_ID;
        for_this_thread.sigev_signo = SIGALRM;
        for_this_thread._sigev_un._tid = ::gettid();  // sigev_notify_thread_id, timer_create(2)
        EXPECT_EQ(::timer_create(CLOCK_MONOTONIC, &for_this_thread, &timer_), 0);
        constexpr timespec period{0, 200'000};
        constexpr itimerspec wanted{period, period};
        EXPECT_EQ(::timer_settime(timer_, 0, &wanted, nullptr), 0);
    }
    interruptions(const interruptions&) = delete;
    interruptions& operator=(const interruptions&) = delete;
    ~interruptions() {
        ::timer_delete(timer_);
        ::sigaction(SIGALRM, &before_, nullptr);
    }
    [[nodiscard]] static int count() { return count_; }

private:
    static inline volatile std::sig_atomic_t count_ = 0;
    timer_t timer_{};
    struct sigaction before_{};
};

TEST(a_pipe, does_not_mind_interrupted_system_calls) {
    const interruptions coming;
    run_bounded([]() -> task<> {
        auto ends = pipe();
        auto writing = spawn([](pipe_writer& to) -> task<> {
            const std::string much(200'000, 'x');
            // Both ends wait for each other, until a number of signals has come.
            const int last = interruptions::count() + 20;
            while (interruptions::count() < last) {
                co_await write_text(to, much);
                co_await sleep_for(std::chrono::milliseconds(1));
            }
            to.close();
        }(ends.writer));
        std::size_t seen = 0;
        for (std::string part = co_await read_text(ends.reader); !part.empty();
             part = co_await read_text(ends.reader))
            seen += part.size();
        EXPECT_EQ(seen % 200'000, 0U);
        co_await writing;
    }());
}

TEST(a_pipe, leaves_no_descriptor_behind) {
    const std::size_t before = test::open_descriptors();
    run_bounded([]() -> task<> {
        for (int time = 0; time < 50; ++time) {
            auto ends = pipe();
            co_await write_text(ends.writer, "abc");
        }
    }());
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(a_named_pipe, gives_what_is_written_once_somebody_has_opened_the_other_end) {
    const test::scratch_directory place;
    run_bounded([](std::string path) -> task<> {
        co_await make_fifo(path);
        auto reader = co_await open_fifo_reader(path);
        auto reading =
            spawn([](pipe_reader& from) -> task<std::string> { co_return co_await read_text(from); }(reader));
        co_await test::turns(3);
        EXPECT_FALSE(reading.done()) << "there is no end before anybody has written";
        auto writer = co_await open_fifo_writer(path);
        co_await write_text(writer, "abc");
        EXPECT_EQ(co_await reading, "abc");
        writer.close();
        EXPECT_EQ(co_await read_text(reader), "");
    }(place.at("fifo")));
}

TEST(a_named_pipe, is_waited_for_by_who_writes) {
    const test::scratch_directory place;
    run_bounded([](std::string path) -> task<> {
        co_await make_fifo(path);
        auto opening = spawn(
            [](std::string from) -> task<pipe_writer> { co_return co_await open_fifo_writer(from); }(path));
        co_await sleep_for(std::chrono::milliseconds(5));
        EXPECT_FALSE(opening.done());
        auto reader = co_await open_fifo_reader(path);
        auto writer = co_await opening;
        co_await write_text(writer, "abc");
        EXPECT_EQ(co_await read_text(reader), "abc");
    }(place.at("fifo")));
}

TEST(a_named_pipe, is_waited_for_again_after_a_dropped_wait) {
    const test::scratch_directory place;
    run_bounded([](std::string path) -> task<> {
        co_await make_fifo(path);
        auto reader = co_await open_fifo_reader(path);
        const auto begin = [](pipe_reader& from) -> task<std::string> { co_return co_await read_text(from); };
        auto dropped = spawn(begin(reader));
        co_await test::turns(2);
        dropped.cancel();
        auto reading = spawn(begin(reader));
        co_await test::turns(2);
        EXPECT_FALSE(reading.done()) << "nobody has opened the other end";
        auto opening = spawn(
            [](std::string from) -> task<pipe_writer> { co_return co_await open_fifo_writer(from); }(path));
        co_await test::turns(3);
        opening.cancel();
        auto writer = co_await open_fifo_writer(path);
        co_await write_text(writer, "abc");
        std::string seen = co_await reading;
        // The dropped one may have had the other end open for a moment, and that was an end.
        if (seen.empty())
            seen = co_await read_text(reader);
        EXPECT_EQ(seen, "abc");
    }(place.at("fifo")));
}

TEST(a_named_pipe, is_told_from_what_is_none) {
    const test::scratch_directory place;
    run_bounded([](std::string missing, std::string directory) -> task<> {
        const auto nothing = co_await as_result(open_fifo_reader(missing));
        EXPECT_TRUE(!nothing && nothing.error() == std::errc::no_such_file_or_directory);
        const auto other = co_await as_result(open_fifo_reader(directory));
        EXPECT_TRUE(!other && other.error() == std::errc::invalid_argument);
        co_await make_fifo(missing);
        const auto hidden = co_await as_result(open_fifo_reader(missing + std::string(1, '\0')));
        EXPECT_TRUE(!hidden && hidden.error() == std::errc::invalid_argument);
        const auto longer = co_await as_result(make_fifo(missing + std::string(300, 'x')));
        EXPECT_TRUE(!longer && longer.error() == std::errc::filename_too_long);
        const auto again = co_await as_result(make_fifo(missing));
        EXPECT_TRUE(!again && again.error() == std::errc::file_exists);
    }(place.at("fifo"), place.at("")));
}

}  // namespace
}  // namespace eddy::pipe_test
