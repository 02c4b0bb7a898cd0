#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/idle_timeout.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::idle_timeout_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(byte_stream<idle_timeout<duplex_stream&>>);
static_assert(byte_stream<idle_timeout<tcp_stream>>);

TEST(a_stream_with_an_idle_timeout, ends_a_read_for_which_nothing_comes) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        idle_timeout<duplex_stream&> watched(here, 2ms);
        std::array<std::byte, 10> out{};
        const time_point begun = clock::now();
        const auto late = co_await as_result(watched.read(out));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        EXPECT_GE(clock::now() - begun, 2ms);
        co_await there.write_all(as_bytes("late"));
        EXPECT_EQ(co_await watched.read(out), 4U);
    }());
}

TEST(a_stream_with_an_idle_timeout, ends_a_write_that_nobody_reads) {
    run_bounded([]() -> task<> {
        auto pair = duplex(2);
        idle_timeout<duplex_stream> watched(std::move(pair.first), 2ms);
        EXPECT_EQ(co_await watched.write(as_bytes("abc")), 2U);
        const auto late = co_await as_result(watched.write_all(as_bytes("c")));
        EXPECT_EQ(late.error(), std::errc::timed_out);
    }());
}

TEST(a_stream_with_an_idle_timeout, waits_while_the_other_direction_is_busy) {
    run_bounded([]() -> task<> {
        constexpr duration limit = 40ms;
        auto [here, there] = duplex(1000);
        idle_timeout<duplex_stream&> watched(here, limit);
        std::array<std::byte, 10> out{};
        auto reads =
            spawn([](idle_timeout<duplex_stream&>& from, std::span<std::byte> room) -> task<std::size_t> {
                co_return co_await from.read(room);
            }(watched, out));
        // Written more often than the limit, for longer than it.
        const time_point until = clock::now() + 3 * limit;
        duration longest_pause{};
        for (time_point last = clock::now(); last < until;) {
            co_await watched.write_all(as_bytes("x"));
            co_await sleep_for(limit / 10);
            const time_point now = clock::now();
            longest_pause = std::max(longest_pause, now - last);
            last = now;
        }
        // A machine that stands still for about as long as the limit is no finding.
        const bool is_over = reads.done();
        EXPECT_TRUE(!is_over || longest_pause > limit / 2);
        co_await there.write_all(as_bytes("answer"));
        const auto count = co_await as_result(std::move(reads));
        EXPECT_EQ(count.has_value(), !is_over);
    }());
}

TEST(a_stream_with_an_idle_timeout, passes_on_what_the_stream_meets) {
    run_bounded([]() -> task<> {
        auto pair = co_await test::connected_streams();
        idle_timeout<tcp_stream&> watched(pair.client, 30s);
        co_await watched.write_all(as_bytes("hello"));
        const buffer_lease heard = co_await pair.server.read_leased();
        EXPECT_EQ(as_text(heard.bytes()), "hello");
        pair.server.close();
        std::array<std::byte, 10> out{};
        EXPECT_EQ(co_await watched.read(out), 0U);
    }());
}

}  // namespace
}  // namespace eddy::idle_timeout_test
