#include <eddy/stream/throttled.hpp>

#include <gtest/gtest.h>

#include <chrono>

namespace eddy::byte_rate_test {
namespace {

using namespace std::chrono_literals;

constexpr time_point start{1000h};

TEST(byte_rate, lets_a_burst_through_at_first) {
    const byte_rate rate(1000, 100);
    EXPECT_EQ(rate.available(start), 100U);
    EXPECT_LE(rate.available_at(100), start);
}

TEST(byte_rate, earns_what_was_taken_with_time) {
    byte_rate rate(1000, 100);
    rate.take(100, start);
    EXPECT_EQ(rate.available(start), 0U);
    EXPECT_EQ(rate.available(start + 10ms), 10U);
    EXPECT_EQ(rate.available_at(10), start + 10ms);
    rate.take(10, start + 10ms);
    EXPECT_EQ(rate.available(start + 10ms), 0U);
    EXPECT_EQ(rate.available(start + 60ms), 50U);
}

TEST(byte_rate, saves_no_more_than_a_burst) {
    byte_rate rate(1000, 100);
    rate.take(50, start);
    EXPECT_EQ(rate.available(start + 1h), 100U);
    rate.take(100, start + 1h);
    EXPECT_EQ(rate.available(start + 1h), 0U);
}

TEST(byte_rate, bears_extreme_rates) {
    byte_rate slow(1, 1);
    slow.take(1, start);
    EXPECT_EQ(slow.available(start + 999ms), 0U);
    EXPECT_EQ(slow.available(start + 1s), 1U);
    byte_rate fast(~std::uint64_t{0}, std::size_t{1} << 40);
    fast.take(std::size_t{1} << 40, start);
    EXPECT_EQ(fast.available(start + 1s), std::size_t{1} << 40);
}

}  // namespace
}  // namespace eddy::byte_rate_test
