#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/stream/buffered_reader.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/stream/throttled.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <utility>
#include <vector>

namespace eddy::throttled_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(byte_stream<throttled<duplex_stream&>>);

constexpr std::size_t total = 3000;
constexpr std::uint64_t slow_bytes_per_s = 50'000;
constexpr std::uint64_t fast_bytes_per_s = 1'000'000'000;
constexpr std::size_t burst_bytes = 500;
// What is not a burst has to be earned.
constexpr auto time_min = std::chrono::microseconds((total - burst_bytes) * 1'000'000 / slow_bytes_per_s);

task<> write_numbered(throttled<duplex_stream&>& to) {
    std::vector<std::byte> bytes(total);
    test::fill_numbered(bytes, 0);
    EXPECT_EQ(co_await to.write_all(std::span<const std::byte>(bytes)), total);
    co_await to.shutdown();
}

task<> expect_numbered(throttled<duplex_stream&>& from) {
    buffered_reader<throttled<duplex_stream&>&> reader(from);
    const std::span<const std::byte> all = co_await reader.read_to_end(total);
    EXPECT_EQ(test::count_numbered(all, 0), total);
}

task<duration> time_of_transfer(byte_rate sending, byte_rate receiving) {
    auto pair = duplex(10'000);
    throttled<duplex_stream&> writer(pair.first, receiving, sending);
    throttled<duplex_stream&> reader(pair.second, receiving, sending);
    const time_point begun = clock::now();
    co_await when_all(write_numbered(writer), expect_numbered(reader));
    co_return clock::now() - begun;
}

TEST(a_throttled_stream, is_written_no_faster_than_by_its_rate) {
    const byte_rate slow(slow_bytes_per_s, burst_bytes);
    const byte_rate fast(fast_bytes_per_s, burst_bytes);
    EXPECT_GE(run_bounded(time_of_transfer(slow, fast)), time_min);
}

TEST(a_throttled_stream, is_read_no_faster_than_by_its_rate) {
    const byte_rate slow(slow_bytes_per_s, burst_bytes);
    const byte_rate fast(fast_bytes_per_s, burst_bytes);
    EXPECT_GE(run_bounded(time_of_transfer(fast, slow)), time_min);
}

TEST(a_dropped_read_of_a_throttled_stream, loses_no_byte) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(100);
        throttled<duplex_stream&> slow(here, byte_rate(1000, 4), byte_rate(1000, 4));
        co_await there.write_all(as_bytes("abcdefgh"));
        std::array<std::byte, 8> out{};
        EXPECT_EQ(co_await slow.read(out), 4U);
        auto reads = spawn([](throttled<duplex_stream&>& from, std::span<std::byte> room) -> task<> {
            co_await from.read(room);
        }(slow, out));
        co_await test::turns(1);
        EXPECT_FALSE(reads.done());
        reads.cancel();
        EXPECT_GE(co_await slow.read(out), 1U);
        EXPECT_EQ(as_text(std::span(out).first(1)), "e");
    }());
}

}  // namespace
}  // namespace eddy::throttled_test
