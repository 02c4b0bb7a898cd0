#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/scratch_directory.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/fs/names.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/os/pipe.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/copy.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::copy_test {
namespace {

using test::run_bounded;

constexpr std::size_t total = 500'000;

template <class Sink>
task<> send_numbered_and_end(Sink& to) {
    std::vector<std::byte> bytes(total);
    test::fill_numbered(bytes, 0);
    co_await to.write_all(std::span<const std::byte>(bytes));
    co_await to.shutdown();
}

template <class Source, class Sink>
task<> copy_all(Source& from, Sink& to) {
    EXPECT_EQ(co_await copy(from, to), total);
    co_await to.shutdown();
}

template <class Source>
task<> expect_numbered(Source& from) {
    buffered_reader<Source&> reader(from);
    const std::span<const std::byte> all = co_await reader.read_to_end(total);
    EXPECT_EQ(all.size(), total);
    EXPECT_EQ(test::count_numbered(all, 0), total);
}

TEST(copy, takes_everything_from_a_pipe_to_a_connection) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(1000);
        auto pair = co_await test::connected_streams();
        co_await when_all(send_numbered_and_end(first), copy_all(from, pair.client),
                          expect_numbered(pair.server));
    }());
}

TEST(copy, takes_everything_from_a_connection_to_a_pipe) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        auto [to, last] = duplex(1000);
        co_await when_all(send_numbered_and_end(pair.client), copy_all(pair.server, to),
                          expect_numbered(last));
    }());
}

TEST(copy, takes_what_a_reader_has_read_ahead_first) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(100);
        co_await first.write_all(as_bytes("line\nrest"));
        first.close();
        buffered_reader<duplex_stream&> reader(from);
        EXPECT_EQ(co_await reader.read_line(10), "line");
        EXPECT_EQ(co_await copy(reader, to), 4U);
        to.close();
        buffered_reader<duplex_stream&> copied(last);
        EXPECT_EQ(as_text(co_await copied.read_to_end(10)), "rest");
    }());
}

TEST(copy, leaves_in_a_reader_what_was_not_written_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(2);
        co_await first.write_all(as_bytes("0123456"));
        buffered_reader<duplex_stream&> reader(from);
        auto copies = spawn([](buffered_reader<duplex_stream&>& source, duplex_stream& sink) -> task<> {
            co_await copy(source, sink);
        }(reader, to));
        co_await test::turns(3);
        copies.cancel();
        EXPECT_EQ(as_text(reader.buffered()), "23456");
    }());
}

TEST(copy, ends_with_the_error_of_the_sink) {
    run_bounded([]() -> task<> {
        auto [first, from] = duplex(100);
        auto [to, last] = duplex(2);
        co_await first.write_all(as_bytes("0123456"));
        last.close();
        const auto copied = co_await as_result(copy(from, to));
        EXPECT_EQ(copied.error(), std::errc::broken_pipe);
    }());
}

// -- between descriptors --

static_assert(detail::spliceable<tcp_stream, pipe_writer>);
static_assert(detail::spliceable<pipe_reader, file>);
static_assert(detail::spliceable<file, tcp_stream>);
static_assert(!detail::spliceable<duplex_stream, tcp_stream>);

/// A connection whose bytes must not come into the program.
class unread_connection {
public:
    explicit unread_connection(tcp_stream& held) : held_(held) {}
    auto read(std::span<std::byte> out) {
        ADD_FAILURE() << "the system was to move the bytes";
        return held_.read(out);
    }
    auto splice_source() const { return held_.splice_source(); }

private:
    tcp_stream& held_;
};

TEST(copy, has_the_system_move_bytes_between_connections) {
    run_bounded([]() -> task<> {
        auto first = co_await test::connected_streams();
        auto last = co_await test::connected_streams();
        unread_connection from(first.server);
        co_await when_all(send_numbered_and_end(first.client), copy_all(from, last.client),
                          expect_numbered(last.server));
    }());
}

task<> write_numbered_and_close(pipe_writer& to) {
    std::vector<std::byte> bytes(total);
    test::fill_numbered(bytes, 0);
    co_await to.write_all(bytes);
    to.close();
}

task<> expect_copy_and_close(file& from, pipe_writer& to) {
    const std::uint64_t copied = co_await copy(from, to);
    EXPECT_EQ(copied, total);
    to.close();
}

TEST(copy, has_the_system_move_bytes_between_pipes_and_files) {
    run_bounded([]() -> task<> {
        const test::scratch_directory place;
        pipe_ends first = pipe();
        pipe_ends last = pipe();
        file made = co_await fs::open(place.at("file"), open_options().read().write().create());
        const auto [nothing, count] =
            co_await when_all(write_numbered_and_close(first.writer), copy(first.reader, made));
        EXPECT_EQ(count, total);
        EXPECT_EQ(made.position(), total);
        made.seek(0);
        co_await when_all(expect_copy_and_close(made, last.writer), expect_numbered(last.reader));
        EXPECT_EQ(made.position(), total);
    }());
}

TEST(copy, takes_what_has_arrived_in_buffers_first) {
    run_bounded([]() -> task<> {
        auto first = co_await test::connected_streams();
        auto last = co_await test::connected_streams();
        co_await first.client.write_all(as_bytes("head"));
        const auto lease = co_await first.server.read_leased();
        EXPECT_EQ(as_text(lease.bytes()), "head");
        co_await first.client.write_all(as_bytes("body"));
        co_await first.client.shutdown();
        EXPECT_EQ(co_await copy(first.server, last.client), 4U);
        std::array<std::byte, 10> out{};
        EXPECT_EQ(co_await last.server.read(out), 4U);
        EXPECT_EQ(as_text(std::span(out).first(4)), "body");
    }());
}

// What the system does not splice to: a file that was opened to append.
TEST(copy, moves_the_bytes_itself_where_the_system_refuses) {
    run_bounded([]() -> task<> {
        const test::scratch_directory place;
        place.write("log", "old ");
        pipe_ends ends = pipe();
        file log = co_await fs::open(place.at("log"), open_options().append());
        const auto [nothing, count] =
            co_await when_all(write_numbered_and_close(ends.writer), copy(ends.reader, log));
        EXPECT_EQ(count, total);
        const std::string content = place.read("log");
        EXPECT_EQ(content.size(), total + 4);
        EXPECT_EQ(test::count_numbered(as_bytes(content).subspan(4), 0), total);
    }());
}

TEST(copy, raises_no_signal_for_a_broken_pipe) {
    run_bounded([]() -> task<> {
        pipe_ends first = pipe();
        pipe_ends last = pipe();
        last.reader.close();
        co_await first.writer.write_all(as_bytes("content"));
        const auto copied = co_await as_result(copy(first.reader, last.writer));
        EXPECT_EQ(copied.error(), std::errc::broken_pipe);
    }());
}

TEST(copy, loses_nothing_when_it_is_dropped_before_bytes_arrive) {
    run_bounded([]() -> task<> {
        for (int turns = 0; turns < 4; ++turns) {
            pipe_ends first = pipe();
            pipe_ends last = pipe();
            auto copies = spawn(copy(first.reader, last.writer));
            co_await test::turns(turns);
            copies.cancel();
            co_await first.writer.write_all(as_bytes("kept"));
            std::array<std::byte, 10> out{};
            EXPECT_EQ(co_await first.reader.read(out), 4U);
        }
    }());
}

TEST(copy, tells_by_the_place_of_a_file_what_was_written_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        const test::scratch_directory place;
        place.write("file", std::string(total, 'c'));
        file from = co_await fs::open(place.at("file"));
        pipe_ends ends = pipe();
        auto copies = spawn(copy(from, ends.writer));
        while (from.position() == 0)
            co_await yield();
        copies.cancel();
        ends.writer.close();
        buffered_reader<pipe_reader&> reader(ends.reader);
        const auto written = co_await reader.read_to_end(total);
        EXPECT_LT(written.size(), total);
        EXPECT_EQ(written.size(), from.position());
    }());
}

TEST(copy, ends_when_its_source_is_closed) {
    run_bounded([]() -> task<> {
        auto first = co_await test::connected_streams();
        auto last = co_await test::connected_streams();
        auto copies = spawn(copy(first.server, last.client));
        co_await test::turns(3);
        first.server.close();
        const auto copied = co_await as_result(copies);
        EXPECT_EQ(copied.error(), std::errc::operation_canceled);
    }());
}

// One end takes nothing for a while.
TEST(copy, waits_for_a_sink_that_is_full) {
    run_bounded([]() -> task<> {
        auto first = co_await test::connected_streams();
        auto last = co_await test::connected_streams();
        auto copies = spawn(copy_all(first.server, last.client));
        auto sends = spawn(send_numbered_and_end(first.client));
        co_await sleep_for(std::chrono::milliseconds(5));
        co_await when_all(copies, sends, expect_numbered(last.server));
    }());
}

}  // namespace
}  // namespace eddy::copy_test
