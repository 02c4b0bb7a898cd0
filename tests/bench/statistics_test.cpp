#include "driver/statistics.hpp"

#include <gtest/gtest.h>

namespace {

TEST(statistics, the_median_is_the_middle_value_or_the_mean_of_two) {
    EXPECT_EQ(bench::median({5, 1, 3}), 3);
    EXPECT_EQ(bench::median({4, 1, 3, 2}), 2.5);
}

TEST(statistics, the_spread_is_a_share_of_the_median) {
    EXPECT_DOUBLE_EQ(bench::spread({90, 100, 120}), 0.3);
    EXPECT_EQ(bench::spread({0, 0}), 0);
}

TEST(statistics, ratios_are_taken_round_by_round) {
    EXPECT_EQ(bench::median_ratio({20, 200, 2000}, {10, 100, 1000}), 2);
}

TEST(statistics, rounds_without_a_base_do_not_count) {
    EXPECT_EQ(bench::median_ratio({20, 30}, {0, 10}), 3);
    EXPECT_EQ(bench::median_ratio({20}, {0}), 0);
}

}  // namespace
