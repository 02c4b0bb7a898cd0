#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/stream/byte_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::duplex_test {
namespace {

using namespace std::chrono_literals;
using test::between;
using test::run_bounded;

static_assert(byte_stream<duplex_stream>);
static_assert(vectored_sink<duplex_stream>);
static_assert(interruptible<detail::channel_read> && interruptible<detail::channel_write>);

task<std::string> read_text(duplex_stream& from, std::size_t size_max) {
    std::string text(size_max, '\0');
    text.resize(co_await from.read(std::as_writable_bytes(std::span(text))));
    co_return text;
}

task<std::size_t> write_all_of(duplex_stream& to, std::string text) {
    co_return co_await to.write_all(as_bytes(text));
}

TEST(a_pipe_in_memory, gives_in_order_what_was_written) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        EXPECT_EQ(co_await here.write(as_bytes("one ")), 4U);
        EXPECT_EQ(co_await here.write_all(as_bytes("two")), 3U);
        EXPECT_EQ(co_await read_text(there, 100), "one two");
        EXPECT_EQ(co_await there.write(as_bytes("back")), 4U);
        EXPECT_EQ(co_await read_text(here, 2), "ba");
        EXPECT_EQ(co_await read_text(here, 2), "ck");
    }());
}

TEST(a_pipe_in_memory, holds_no_more_than_its_capacity) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(4);
        EXPECT_EQ(co_await here.write(as_bytes("abcdef")), 4U);
        auto late = spawn(write_all_of(here, "efgh"));
        co_await test::turns(3);
        EXPECT_FALSE(late.done());
        EXPECT_EQ(co_await read_text(there, 3), "abc");
        co_await test::turns(3);
        EXPECT_FALSE(late.done());
        EXPECT_EQ(co_await read_text(there, 10), "defg");
        EXPECT_EQ(co_await std::move(late), 4U);
        EXPECT_EQ(co_await read_text(there, 10), "h");
    }());
}

TEST(a_pipe_in_memory, takes_several_buffers) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(5);
        std::array<const_buffer, 3> parts{const_buffer(std::string_view("abc")), const_buffer(),
                                          const_buffer(std::string_view("defg"))};
        EXPECT_EQ(co_await here.write(std::span<const_buffer>(parts)), 5U);
        EXPECT_EQ(co_await read_text(there, 10), "abcde");
        std::array<const_buffer, 2> more{const_buffer(std::string_view("fg")),
                                         const_buffer(std::string_view("hi"))};
        EXPECT_EQ(co_await here.write_all(std::span<const_buffer>(more)), 4U);
        EXPECT_EQ(co_await read_text(there, 10), "fghi");
        EXPECT_EQ(co_await here.write_all(std::span<const std::byte>()), 0U);
    }());
}

TEST(a_pipe_in_memory, has_halves_that_end_each_by_itself) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        co_await here.write_all(as_bytes("last"));
        co_await here.shutdown();
        EXPECT_EQ(co_await read_text(there, 10), "last");
        EXPECT_EQ(co_await read_text(there, 10), "");
        EXPECT_EQ(co_await read_text(there, 10), "");
        co_await there.write_all(as_bytes("answer"));
        EXPECT_EQ(co_await read_text(here, 10), "answer");
        const auto refused = co_await as_result(here.write(as_bytes("more")));
        EXPECT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error(), std::errc::broken_pipe);
    }());
}

TEST(an_end_that_is_destroyed, ends_what_the_other_waits_for) {
    run_bounded([]() -> task<> {
        auto pair = duplex(2);
        std::optional<duplex_stream> there = std::move(pair.second);
        duplex_stream here = std::move(pair.first);
        auto reads = spawn(read_text(here, 10));
        auto writes = spawn(write_all_of(here, "too much"));
        co_await test::turns(2);
        there.reset();
        EXPECT_EQ(co_await std::move(reads), "");
        const auto written = co_await as_result(std::move(writes));
        EXPECT_EQ(written.error(), std::errc::broken_pipe);
    }());
}

TEST(an_end_that_is_destroyed, leaves_what_it_has_written) {
    run_bounded([]() -> task<> {
        auto pair = duplex(16);
        std::optional<duplex_stream> there = std::move(pair.second);
        co_await there->write_all(as_bytes("will"));
        there.reset();
        EXPECT_EQ(co_await read_text(pair.first, 10), "will");
        EXPECT_EQ(co_await read_text(pair.first, 10), "");
    }());
}

TEST(an_end_that_is_closed, ends_what_its_own_tasks_wait_for) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        auto reads = spawn(read_text(here, 10));
        auto writes = spawn(write_all_of(here, "too much"));
        co_await test::turns(2);
        here.close();
        EXPECT_FALSE(here.is_open());
        const auto text = co_await as_result(std::move(reads));
        EXPECT_EQ(text.error(), std::errc::operation_canceled);
        const auto written = co_await as_result(std::move(writes));
        EXPECT_EQ(written.error(), std::errc::operation_canceled);
        EXPECT_EQ(co_await read_text(there, 10), "to");
        EXPECT_EQ(co_await read_text(there, 10), "");
    }());
}

TEST(a_dropped_read_of_a_pipe_in_memory, loses_no_byte) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(16);
        for (const bool is_won : {false, true}) {
            auto reads = spawn(read_text(there, 10));
            co_await test::turns(2);
            if (is_won)
                co_await here.write_all(as_bytes("kept"));
            EXPECT_FALSE(reads.done());
            reads.cancel();
        }
        EXPECT_EQ(co_await read_text(there, 10), "kept");
    }());
}

TEST(a_dropped_write_to_a_pipe_in_memory, has_written_nothing) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        co_await here.write_all(as_bytes("ab"));
        auto writes = spawn([](duplex_stream& to) -> task<> { co_await to.write(as_bytes("cd")); }(here));
        co_await test::turns(2);
        writes.cancel();
        EXPECT_EQ(co_await read_text(there, 10), "ab");
        std::array<std::byte, 4> out{};
        const auto late = co_await as_result(with_timeout(there.read(out), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
    }());
}

TEST(a_pipe_in_memory, has_operations_with_deadlines) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(2);
        std::array<std::byte, 4> out{};
        const auto late = co_await as_result(with_timeout(there.read(out), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const auto stuck = co_await as_result(with_timeout(here.write_all(as_bytes("abc")), 1ms));
        EXPECT_EQ(stuck.error(), std::errc::timed_out);
        EXPECT_EQ(co_await with_timeout(there.read(out), 30s), 2U);
    }());
}

task<> send_numbered(duplex_stream to, std::uint64_t total, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::vector<std::byte> piece;
    for (std::uint64_t sent = 0; sent < total;) {
        piece.resize(std::min<std::uint64_t>(total - sent, between<std::uint64_t>(generator, 1, 300)));
        test::fill_numbered(piece, sent);
        std::size_t count = 0;
        if (between(generator, 0, 1) == 0)
            count = co_await to.write(piece);
        else
            count = co_await to.write_all(piece);
        sent += count;
    }
}

task<std::uint64_t> receive_numbered(duplex_stream from, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::array<std::byte, 200> memory{};
    for (std::uint64_t received = 0;;) {
        const auto room = std::span(memory).first(between<std::size_t>(generator, 1, memory.size()));
        const std::size_t count = co_await from.read(room);
        EXPECT_EQ(test::count_numbered(room.first(count), received), count);
        if (count == 0)
            co_return received;
        received += count;
    }
}

constexpr std::uint64_t total = 400'000;

TEST(a_pipe_in_memory, connects_two_workers) {
    std::mt19937_64 generator = test::seeded_generator();
    const test::time_bound bound;
    runtime both(runtime_options().workers(2));
    both.run([](runtime& all, std::uint64_t seed) -> task<> {
        auto pair = duplex(97);
        auto sends = all.spawn_on(1, send_numbered(std::move(pair.first), total, seed));
        EXPECT_EQ(co_await receive_numbered(std::move(pair.second), seed + 1), total);
        co_await std::move(sends);
    }(both, generator()));
}

}  // namespace
}  // namespace eddy::duplex_test
