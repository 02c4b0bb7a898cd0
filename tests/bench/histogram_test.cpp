#include "common/histogram.hpp"

#include <gtest/gtest.h>

namespace histogram_test {
namespace {

using bench::latency_histogram;

TEST(histogram, an_empty_one_has_percentiles_of_zero) {
    EXPECT_EQ(latency_histogram().percentile_ns(0.99), 0u);
}

TEST(histogram, small_values_are_kept_exactly) {
    latency_histogram h;
    for (std::uint64_t value : {3u, 1u, 2u})
        h.add(value);
    EXPECT_EQ(h.percentile_ns(0.5), 2u);
    EXPECT_EQ(h.percentile_ns(1), 3u);
    EXPECT_EQ(h.total(), 3u);
}

TEST(histogram, every_value_is_within_one_part_in_128) {
    for (std::uint64_t value = 1; value < (std::uint64_t{1} << 39); value = value * 9 / 8 + 1) {
        latency_histogram h;
        h.add(value);
        EXPECT_NEAR(static_cast<double>(h.percentile_ns(0.5)), static_cast<double>(value),
                    static_cast<double>(value) / 128);
    }
}

TEST(histogram, percentiles_split_the_values_by_rank) {
    latency_histogram h;
    for (std::uint64_t value = 1; value <= 1000; ++value)
        h.add(value * 1000);
    EXPECT_NEAR(static_cast<double>(h.percentile_ns(0.5)), 500e3, 500e3 / 128);
    EXPECT_NEAR(static_cast<double>(h.percentile_ns(0.999)), 999e3, 999e3 / 128);
}

TEST(histogram, values_past_its_range_count_as_the_largest) {
    latency_histogram h;
    h.add(~std::uint64_t{0});
    EXPECT_EQ(h.total(), 1u);
    EXPECT_EQ(h.largest_ns(), ~std::uint64_t{0});
    EXPECT_GT(h.percentile_ns(0.5), std::uint64_t{1} << 39);
}

}  // namespace
}  // namespace histogram_test
