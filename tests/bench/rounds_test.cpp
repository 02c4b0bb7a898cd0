#include "contest/rounds.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using bench::contender;
using bench::contest;
using bench::contest_result;
using bench::sample;

contest two_ways() {
    contest made;
    made.contenders = {contender{"slow", {}}, contender{"quick", {}}};
    return made;
}

bench::suite suite_with(std::vector<std::string> bases) {
    bench::suite made;
    made.bases = std::move(bases);
    return made;
}

TEST(rounds, contenders_take_turns) {
    const contest held = two_ways();
    std::vector<std::string> order;
    const contest_result result = bench::hold(held, 2, [&](const contest&, const contender& one) {
        order.push_back(one.name);
        return sample{static_cast<double>(order.size()), 1, 1};
    });
    EXPECT_EQ(order, (std::vector<std::string>{"slow", "quick", "slow", "quick"}));
    ASSERT_EQ(result.contenders.size(), 2u);
    EXPECT_EQ(result.contenders[1].contender, "quick");
    ASSERT_EQ(result.contenders[1].rounds.size(), 2u);
    EXPECT_EQ(result.contenders[1].rounds[0].items, 2);
    EXPECT_EQ(result.contenders[1].rounds[1].items, 4);
}

TEST(rounds, ratios_are_of_rates_and_taken_round_by_round) {
    const contest held = two_ways();
    contest_result result{&held,
                          {{"slow", {{100, 1, 1}, {1000, 1, 1}, {10, 1, 1}}},
                           {"quick", {{300, 1, 2}, {600, 0.2, 2}, {60, 2, 2}}}}};
    const auto summary = bench::summarise(result, result.contenders[1], suite_with({"slow", "quick"}));
    EXPECT_DOUBLE_EQ(summary.items_per_second, 300);
    EXPECT_DOUBLE_EQ(summary.ns_per_item, 1e9 / 300);
    EXPECT_DOUBLE_EQ(summary.cpu_ns_per_item, 2e9 / 300);
    EXPECT_EQ(summary.ratios, (std::vector<double>{3, 1}));
}

TEST(rounds, ratios_are_of_processor_time_where_the_suite_says_so) {
    const contest held = two_ways();
    const contest_result result{&held, {{"slow", {{100, 1, 1}}}, {"quick", {{300, 1, 2}}}}};
    bench::suite of = suite_with({"slow"});
    of.compares_cpu_time = true;
    EXPECT_EQ(bench::summarise(result, result.contenders[1], of).ratios, (std::vector<double>{1.5}));
}

TEST(rounds, times_are_the_medians_of_the_rounds_and_the_largest_of_all) {
    const contest held = two_ways();
    const auto took = [](double p50, double p99, double largest) {
        sample one{1, 1, 1};
        one.times = {.p50_ns = p50, .p90_ns = p50 + 1, .p99_ns = p99, .p999_ns = p99, .largest_ns = largest};
        return one;
    };
    const contest_result result{&held, {{"slow", {took(1, 10, 50), took(3, 30, 90), took(2, 20, 40)}}}};
    const auto summary = bench::summarise(result, result.contenders[0], suite_with({}));
    EXPECT_EQ(summary.p50_ns, 2);
    EXPECT_EQ(summary.p90_ns, 3);
    EXPECT_EQ(summary.p99_ns, 20);
    EXPECT_EQ(summary.largest_ns, 90);
}

TEST(rounds, a_base_that_does_not_take_part_gives_no_ratio) {
    const contest held = two_ways();
    const contest_result result{&held, {{"slow", {{100, 1, 1}}}}};
    EXPECT_EQ(bench::summarise(result, result.contenders[0], suite_with({"absent"})).ratios,
              (std::vector<double>{0}));
}

}  // namespace
