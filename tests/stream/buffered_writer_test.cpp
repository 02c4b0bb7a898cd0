#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/buffered_writer.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/stream_error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::buffered_writer_test {
namespace {

using test::between;
using test::run_bounded;

static_assert(byte_sink<buffered_writer<duplex_stream&>>);
static_assert(byte_sink<buffered_writer<tcp_stream>>);

/// A sink without vectored writes, whose writes cannot say how far they have come: tasks.
class plain_sink {
public:
    explicit plain_sink(duplex_stream& to) noexcept : to_(to) {}

    task<std::size_t> write(std::span<const std::byte> bytes) {
        sizes.push_back(bytes.size());
        co_return co_await to_.write(bytes);
    }
    task<std::size_t> write_all(std::span<const std::byte> bytes) { co_return co_await to_.write_all(bytes); }
    task<std::size_t> write_all(std::span<const_buffer> all) { co_return co_await to_.write_all(all); }

    std::vector<std::size_t> sizes;

private:
    duplex_stream& to_;
};

static_assert(byte_sink<plain_sink> && !vectored_sink<plain_sink>);

task<std::string> read_text(duplex_stream& from) {
    std::string text(100, '\0');
    text.resize(co_await from.read(std::as_writable_bytes(std::span(text))));
    co_return text;
}

TEST(a_buffered_writer, keeps_what_fits_until_it_is_flushed) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        buffered_writer writer(here);
        EXPECT_EQ(co_await writer.write(as_bytes("one ")), 4U);
        EXPECT_EQ(co_await writer.write_all(as_bytes("two")), 3U);
        EXPECT_EQ(as_text(writer.pending()), "one two");
        EXPECT_EQ(writer.accepted(), 7U);
        co_await writer.flush();
        EXPECT_TRUE(writer.pending().empty());
        EXPECT_EQ(co_await read_text(there), "one two");
        co_await writer.flush();
    }());
}

TEST(a_buffered_writer, hands_on_what_does_not_fit) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        buffered_writer writer(here, 4);
        co_await writer.write(as_bytes("ab"));
        co_await writer.write(as_bytes("cdefgh"));
        EXPECT_EQ(co_await read_text(there), "abcdefgh");
        co_await writer.write(as_bytes("ij"));
        std::array<const_buffer, 2> parts{const_buffer(std::string_view("kl")),
                                          const_buffer(std::string_view("m"))};
        EXPECT_EQ(co_await writer.write_all(std::span<const_buffer>(parts)), 3U);
        co_await writer.shutdown();
        EXPECT_EQ(co_await read_text(there), "ijklm");
        EXPECT_EQ(co_await read_text(there), "");
    }());
}

TEST(a_buffered_writer, sends_full_pieces_to_a_sink_that_takes_one_at_a_time) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        buffered_writer<plain_sink> writer(plain_sink(here), 4);
        co_await writer.write(as_bytes("ab"));
        co_await writer.write(as_bytes("cdefghi"));
        co_await writer.flush();
        EXPECT_EQ(co_await read_text(there), "abcdefghi");
        EXPECT_EQ(writer.sink().sizes, (std::vector<std::size_t>{4, 5}));
    }());
}

task<> write_text(buffered_writer<duplex_stream&>& to, std::string_view text) {
    co_await to.write(as_bytes(text));
}
task<> flush(buffered_writer<duplex_stream&>& writer) {
    co_await writer.flush();
}

TEST(a_dropped_flush, sends_nothing_twice_and_keeps_the_rest) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        buffered_writer<duplex_stream&> writer(here, 16);
        co_await writer.write(as_bytes("abcdefg"));
        for (const std::string_view part : {"ab", "cd"}) {
            auto flushes = spawn(flush(writer));
            co_await test::turns(3);
            flushes.cancel();
            EXPECT_EQ(co_await read_text(there), part);
        }
        EXPECT_EQ(as_text(writer.pending()), "efg");
        auto flushes = spawn(flush(writer));
        co_await test::turns(3);
        EXPECT_EQ(co_await read_text(there), "ef");
        // The write has been won, and its task has not been resumed.
        flushes.cancel();
        EXPECT_TRUE(writer.pending().empty());
        EXPECT_EQ(co_await read_text(there), "g");
    }());
}

TEST(a_dropped_buffered_write, tells_how_much_was_taken_over) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(4);
        buffered_writer<duplex_stream&> writer(here, 2);
        const std::string_view text = "0123456789abcdef";
        auto writes = spawn(write_text(writer, text));
        co_await test::turns(2);
        EXPECT_EQ(co_await read_text(there), "0123");
        co_await test::turns(2);
        EXPECT_FALSE(writes.done());
        writes.cancel();
        EXPECT_EQ(writer.accepted(), 8U);
        EXPECT_EQ(co_await read_text(there), "4567");
        auto rest = spawn(write_text(writer, text.substr(writer.accepted())));
        co_await test::turns(2);
        EXPECT_EQ(co_await read_text(there), "89ab");
        co_await test::turns(2);
        EXPECT_EQ(co_await read_text(there), "cdef");
        co_await std::move(rest);
    }());
}

TEST(a_buffered_writer, refuses_to_go_on_after_the_drop_of_a_write_that_tells_nothing) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        buffered_writer<plain_sink> writer(plain_sink(here), 4);
        co_await writer.write(as_bytes("abcd"));
        auto flushes = spawn([](buffered_writer<plain_sink>& of) -> task<> { co_await of.flush(); }(writer));
        co_await test::turns(2);
        flushes.cancel();
        const auto written = co_await as_result(writer.write(as_bytes("e")));
        EXPECT_EQ(written.error(), stream_error::write_was_dropped);
        const auto flushed = co_await as_result(writer.flush());
        EXPECT_EQ(flushed.error(), stream_error::write_was_dropped);
    }());
}

TEST(a_buffered_writer, keeps_what_a_sink_that_fails_has_not_taken) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        buffered_writer<duplex_stream&> writer(here, 16);
        co_await writer.write(as_bytes("abcd"));
        auto flushes = spawn(flush(writer));
        co_await test::turns(2);
        there.close();
        const auto flushed = co_await as_result(std::move(flushes));
        EXPECT_EQ(flushed.error(), std::errc::broken_pipe);
        EXPECT_EQ(as_text(writer.pending()), "cd");
    }());
}

constexpr std::uint64_t total = 300'000;

/// Writes the numbered stream in pieces, and drops writes and flushes now and then.
template <class Stream>
task<> write_numbered(Stream& to, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    buffered_writer<Stream&> writer(to, 1000);
    std::vector<std::byte> piece;
    while (writer.accepted() < total) {
        const int bits = between(generator, 0, 14);
        piece.resize(std::min(total - writer.accepted(), between<std::uint64_t>(generator, 1, 1U << bits)));
        test::fill_numbered(piece, writer.accepted());
        auto writes = spawn([](buffered_writer<Stream&>& of, const std::vector<std::byte>& bytes) -> task<> {
            co_await of.write(bytes);
            co_await of.flush();
        }(writer, piece));
        co_await test::turns(between(generator, 0, 3));
        writes.cancel();
    }
    co_await writer.shutdown();
}

template <class Stream>
task<> expect_numbered(Stream& from) {
    buffered_reader<Stream&> reader(from, 3000);
    std::uint64_t place = 0;
    for (;;) {
        const std::span<const std::byte> some = co_await reader.read_some();
        if (some.empty())
            break;
        EXPECT_EQ(test::count_numbered(some, place), some.size());
        place += some.size();
    }
    EXPECT_EQ(place, total);
}

TEST(a_buffered_writer, loses_and_doubles_nothing_over_a_pipe_in_memory_by_drops) {
    std::mt19937_64 generator = test::seeded_generator();
    run_bounded([](std::uint64_t seed) -> task<> {
        auto [here, there] = duplex(700);
        co_await when_all(write_numbered(here, seed), expect_numbered(there));
    }(generator()));
}

TEST(a_buffered_writer, loses_and_doubles_nothing_over_a_connection_by_drops) {
    std::mt19937_64 generator = test::seeded_generator();
    run_bounded([](std::uint64_t seed) -> task<> {
        auto pair = co_await test::connected_streams();
        pair.client.set_option(io::socket_option::send_buffer_bytes, 4096);
        co_await when_all(write_numbered(pair.client, seed), expect_numbered(pair.server));
    }(generator()));
}

}  // namespace
}  // namespace eddy::buffered_writer_test
