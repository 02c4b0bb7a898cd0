#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/stream_error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eddy::buffered_reader_test {
namespace {

using namespace std::chrono_literals;
using test::between;
using test::run_bounded;

static_assert(byte_source<buffered_reader<duplex_stream>>);
static_assert(byte_source<buffered_reader<tcp_stream&>>);

/// A reader of a pipe in memory that holds the text, and then has ended.
class prepared {
public:
    explicit prepared(std::string_view text, std::size_t capacity_bytes = 4)
        : ends_(duplex(text.size() + 1)), reader(ends_.first, capacity_bytes) {
        detail::channel_write written = ends_.second.write_all(as_bytes(text));
        static_cast<void>(written.await_ready());  // all is written, though it may want to give way
        ends_.second.close();
    }

private:
    std::pair<duplex_stream, duplex_stream> ends_;

public:
    buffered_reader<duplex_stream&> reader;
};

template <class Result>
void expect_error(const Result& result, stream_error wanted) {
    EXPECT_FALSE(result.has_value());
    if (!result.has_value()) {
        EXPECT_EQ(result.error(), wanted);
    }
}

TEST(read_line, gives_lines_without_their_ends) {
    run_bounded([]() -> task<> {
        prepared text("one\ntwo\r\n\n\r\nfi\rve\nlast");
        for (const std::string_view line : {"one", "two", "", "", "fi\rve", "last"})
            EXPECT_EQ(co_await text.reader.read_line(10), line);
        EXPECT_EQ(co_await text.reader.read_line(10), std::nullopt);
        EXPECT_EQ(co_await text.reader.read_line(10), std::nullopt);
    }());
}

TEST(read_line, takes_lines_of_just_the_limit) {
    run_bounded([]() -> task<> {
        prepared text("abc\r\nabc\nabc");
        for (int time = 0; time < 3; ++time)
            EXPECT_EQ(co_await text.reader.read_line(3), "abc");
    }());
}

TEST(read_line, refuses_longer_lines_and_leaves_them) {
    run_bounded([]() -> task<> {
        for (const std::string_view line : {"abcd\n", "abcd\r\n", "abc\rd", "abcd", "abcdefghij"}) {
            prepared text(line);
            expect_error(co_await as_result(text.reader.read_line(3)), stream_error::limit_exceeded);
            EXPECT_EQ(text.reader.consumed(), 0U);
            EXPECT_EQ(as_text(co_await text.reader.read_to_end(100)), line);
        }
    }());
}

TEST(read_until, gives_what_stands_before_a_delimiter_and_the_delimiter) {
    run_bounded([]() -> task<> {
        prepared text("a--b----c---");
        for (const std::string_view part : {"a--", "b--", "--", "c--"})
            EXPECT_EQ(as_text(co_await text.reader.read_until("--", 100)), part);
        expect_error(co_await as_result(text.reader.read_until("--", 100)), stream_error::unexpected_end);
        EXPECT_EQ(as_text(co_await text.reader.read_some()), "-");
        EXPECT_TRUE((co_await text.reader.read_until("--", 100)).empty());
    }());
}

TEST(read_until, counts_the_delimiter_for_the_limit) {
    run_bounded([]() -> task<> {
        prepared text("abc--d");
        expect_error(co_await as_result(text.reader.read_until("--", 4)), stream_error::limit_exceeded);
        EXPECT_EQ(as_text(co_await text.reader.read_until("--", 5)), "abc--");
    }());
}

TEST(read_exactly, gives_so_many_bytes_or_none) {
    run_bounded([]() -> task<> {
        prepared text("0123456789");
        EXPECT_EQ(as_text(co_await text.reader.read_exactly(3)), "012");
        EXPECT_TRUE((co_await text.reader.read_exactly(0)).empty());
        std::array<std::byte, 5> out{};
        co_await text.reader.read_exactly(out);
        EXPECT_EQ(as_text(out), "34567");
        expect_error(co_await as_result(text.reader.read_exactly(3)), stream_error::unexpected_end);
        expect_error(co_await as_result(text.reader.read_exactly(out)), stream_error::unexpected_end);
        EXPECT_EQ(as_text(co_await text.reader.read_exactly(2)), "89");
    }());
}

TEST(read, copies_what_is_there) {
    run_bounded([]() -> task<> {
        prepared text("0123456789abcdef", 8);
        std::array<std::byte, 16> out{};
        EXPECT_EQ(co_await text.reader.read(std::span(out).first(3)), 3U);
        EXPECT_EQ(text.reader.buffered().size(), 5U);
        EXPECT_EQ(co_await text.reader.read(out), 5U);
        EXPECT_EQ(as_text(std::span(out).first(5)), "34567");
        // As large as the buffer: goes past it.
        EXPECT_EQ(co_await text.reader.read(out), 8U);
        EXPECT_EQ(as_text(std::span(out).first(8)), "89abcdef");
        EXPECT_EQ(text.reader.consumed(), 16U);
        EXPECT_EQ(co_await text.reader.read(out), 0U);
        EXPECT_EQ(co_await text.reader.read(std::span(out).first(1)), 0U);
    }());
}

TEST(read_some, gives_a_view_of_at_most_so_many_bytes) {
    run_bounded([]() -> task<> {
        prepared text("012345", 4);
        EXPECT_EQ(as_text(co_await text.reader.read_some(3)), "012");
        EXPECT_EQ(as_text(co_await text.reader.read_some(3)), "3");
        EXPECT_EQ(as_text(co_await text.reader.read_some()), "45");
        EXPECT_TRUE((co_await text.reader.read_some()).empty());
    }());
}

TEST(peek, shows_bytes_and_leaves_them) {
    run_bounded([]() -> task<> {
        prepared text("012345", 4);
        EXPECT_EQ(as_text(co_await text.reader.peek(2)), "0123");
        EXPECT_EQ(as_text(co_await text.reader.peek(5)), "012345");
        EXPECT_EQ(as_text(co_await text.reader.peek(100)), "012345");
        EXPECT_EQ(text.reader.consumed(), 0U);
        EXPECT_EQ(as_text(co_await text.reader.read_exactly(6)), "012345");
    }());
}

TEST(read_to_end, has_a_limit) {
    run_bounded([]() -> task<> {
        prepared text("012345");
        expect_error(co_await as_result(text.reader.read_to_end(5)), stream_error::limit_exceeded);
        EXPECT_EQ(as_text(co_await text.reader.read_to_end(6)), "012345");
        EXPECT_TRUE((co_await text.reader.read_to_end(6)).empty());
    }());
}

TEST(skip, leaves_out_more_than_the_buffer_holds) {
    run_bounded([]() -> task<> {
        prepared text(std::string(1000, '.') + "rest", 16);
        co_await text.reader.skip(1000);
        EXPECT_EQ(as_text(co_await text.reader.read_exactly(2)), "re");
        expect_error(co_await as_result(text.reader.skip(3)), stream_error::unexpected_end);
        EXPECT_EQ(text.reader.consumed(), 1004U);
    }());
}

TEST(a_reader, grows_with_what_it_is_asked_for) {
    run_bounded([]() -> task<> {
        std::string long_line(5000, 'x');
        prepared text("a\n" + long_line + "\nb", 1);
        EXPECT_EQ(co_await text.reader.read_line(10'000), "a");
        EXPECT_EQ(co_await text.reader.read_line(10'000), long_line);
        EXPECT_EQ(co_await text.reader.read_line(10'000), "b");
    }());
}

TEST(a_reader, passes_on_the_errors_of_its_source_and_goes_on) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        buffered_reader reader(here);
        co_await there.write_all(as_bytes("half a li"));
        EXPECT_EQ(as_text(co_await reader.peek(1)), "half a li");
        here.close();
        const auto broken = co_await as_result(reader.read_line(100));
        EXPECT_FALSE(broken.has_value());
        EXPECT_EQ(as_text(reader.buffered()), "half a li");
        EXPECT_EQ(as_text(co_await reader.read_exactly(6)), "half a");
    }());
}

TEST(a_reader, may_own_its_source) {
    run_bounded([]() -> task<> {
        auto pair = duplex(16);
        buffered_reader<duplex_stream> first(std::move(pair.first));
        co_await pair.second.write_all(as_bytes("one two"));
        EXPECT_EQ(as_text(co_await first.read_exactly(3)), "one");
        buffered_reader<duplex_stream> second = std::move(first);
        EXPECT_EQ(as_text(co_await second.read_exactly(4)), " two");
        second.source().close();
        const auto refused = co_await as_result(pair.second.write(as_bytes("x")));
        EXPECT_FALSE(refused.has_value());
    }());
}

task<> read_a_line(buffered_reader<duplex_stream&>& from) {
    co_await from.read_line(100);
}

TEST(a_dropped_buffered_read, leaves_what_was_read_to_the_next) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        buffered_reader<duplex_stream&> reader(here, 4);
        for (const std::string_view part : {"fi", "rst and ", "only", " li"}) {
            auto reads = spawn(read_a_line(reader));
            co_await test::turns(2);
            co_await there.write_all(as_bytes(part));
            co_await test::turns(2);
            EXPECT_FALSE(reads.done());
            reads.cancel();
        }
        auto late = co_await as_result(with_timeout(reader.read_until("\n", 100), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await there.write_all(as_bytes("ne\n!"));
        EXPECT_EQ(co_await reader.read_line(100), "first and only line");
    }());
}

TEST(a_dropped_buffered_read, leaves_a_line_that_had_come_to_the_next) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        buffered_reader<duplex_stream&> reader(here);
        auto reads = spawn(read_a_line(reader));
        co_await test::turns(2);
        co_await there.write_all(as_bytes("line\n"));  // the task is ready, and has not been resumed
        EXPECT_FALSE(reads.done());
        reads.cancel();
        EXPECT_EQ(co_await reader.read_line(100), "line");
    }());
}

TEST(a_dropped_skip, tells_how_far_it_has_come) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        buffered_reader<duplex_stream&> reader(here);
        auto skips =
            spawn([](buffered_reader<duplex_stream&>& from) -> task<> { co_await from.skip(10); }(reader));
        co_await test::turns(2);
        co_await there.write_all(as_bytes("0123"));
        co_await test::turns(2);
        skips.cancel();
        EXPECT_EQ(reader.consumed(), 4U);
        co_await reader.skip(0);
        co_await there.write_all(as_bytes("4"));
        EXPECT_EQ(as_text(co_await reader.read_some()), "4");
    }());
}

TEST(a_reader, reads_a_connection) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        buffered_reader reader(pair.server);
        co_await pair.client.write_all(as_bytes("GET /\r\nHost: here\r\n\r\nbody"));
        EXPECT_EQ(co_await reader.read_line(100), "GET /");
        EXPECT_EQ(co_await reader.read_line(100), "Host: here");
        EXPECT_EQ(co_await reader.read_line(100), "");
        co_await pair.client.shutdown();
        EXPECT_EQ(as_text(co_await reader.read_to_end(100)), "body");
    }());
}

task<> send_in_pieces(duplex_stream& to, std::string_view text) {
    co_await to.write_all(as_bytes(text));
    to.close();
}

/// Reads the lines, dropping reads now and then.
task<> expect_lines(duplex_stream& from, const std::vector<std::string>& lines, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    buffered_reader<duplex_stream&> reader(from, between<std::size_t>(generator, 1, 40));
    for (const std::string& line : lines) {
        for (int drops = between(generator, 0, 2); drops > 0; --drops) {
            auto dropped =
                spawn([](buffered_reader<duplex_stream&>& of) -> task<> { co_await of.peek(1000); }(reader));
            co_await test::turns(between(generator, 0, 2));
            dropped.cancel();
        }
        EXPECT_EQ(co_await reader.read_line(line.size()), line);
    }
    EXPECT_EQ(co_await reader.read_line(0), std::nullopt);
}

TEST(a_reader, gives_the_same_lines_however_they_are_cut) {
    std::mt19937_64 generator = test::seeded_generator();
    for (int round = 0; round < 50; ++round) {
        std::vector<std::string> lines;
        std::string text;
        for (int count = between(generator, 1, 30); count > 0; --count) {
            lines.emplace_back(between<std::size_t>(generator, 0, 60), 'a');
            text += lines.back() + (between(generator, 0, 1) == 0 ? "\n" : "\r\n");
        }
        run_bounded([](const std::string& sent, const std::vector<std::string>& expected,
                       std::size_t capacity, std::uint64_t seed) -> task<> {
            auto [here, there] = duplex(capacity);
            co_await when_all(send_in_pieces(there, sent), expect_lines(here, expected, seed));
        }(text, lines, between<std::size_t>(generator, 1, 20), generator()));
    }
}

}  // namespace
}  // namespace eddy::buffered_reader_test
