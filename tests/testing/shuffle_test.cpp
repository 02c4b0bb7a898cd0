#include "support/run_bounded.hpp"
#include "testing/sample_scenarios.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/stop_scope.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/testing/shuffle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace eddy::shuffle_test {
namespace {

using namespace std::chrono_literals;
using eddy::testing::scenario_options;
using eddy::testing::shuffle_everywhere;

constexpr std::uint64_t seeds = 20;

task<> notes(std::vector<int>& order, int number) {
    order.push_back(number);
    co_return;
}

task<std::vector<int>> order_of_tasks() {
    std::vector<int> order;
    task_set set;
    for (int number = 0; number < 20; ++number)
        set.spawn(notes(order, number));
    co_await set.join();
    co_return order;
}

TEST(a_seed, decides_in_which_order_tasks_run) {
    const auto with_seed = [](std::uint64_t seed) {
        return test::run_bounded(order_of_tasks(), runtime_options().shuffle_seed(seed));
    };
    const auto first = with_seed(1);
    EXPECT_FALSE(std::ranges::is_sorted(first));
    EXPECT_EQ(with_seed(1), first);
    EXPECT_NE(with_seed(2), first);
    auto sorted = first;
    std::ranges::sort(sorted);
    std::vector<int> all(20);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(sorted, all);
}

/// EDDY_SHUFFLE while it lives.
class environment {
public:
    explicit environment(const char* value) {
        if (const char* const before = std::getenv("EDDY_SHUFFLE"))
            before_ = before;
        ::setenv("EDDY_SHUFFLE", value, 1);
    }
    environment(const environment&) = delete;
    environment& operator=(const environment&) = delete;
    ~environment() { ::setenv("EDDY_SHUFFLE", before_.c_str(), 1); }

private:
    std::string before_;
};

TEST(the_environment, seeds_every_runtime_that_names_no_seed) {
    const auto by_option = test::run_bounded(order_of_tasks(), runtime_options().shuffle_seed(5));
    const auto by_another = test::run_bounded(order_of_tasks(), runtime_options().shuffle_seed(6));
    const environment seeded("5");
    EXPECT_EQ(test::run_bounded(order_of_tasks()), by_option);
    EXPECT_EQ(test::run_bounded(order_of_tasks(), runtime_options().shuffle_seed(6)), by_another);
}

TEST(the_environment, may_switch_shuffling_off) {
    for (const char* const off : {"", "0"}) {
        const environment unseeded(off);
        EXPECT_TRUE(std::ranges::is_sorted(test::run_bounded(order_of_tasks()))) << '"' << off << '"';
    }
}

TEST(the_environment, must_name_a_number) {
    for (const char* const wrong : {"yes", "-1", "1x", " 1", "18446744073709551616"}) {
        const environment misspelt(wrong);
        try {
            const runtime made;
            ADD_FAILURE() << "no error for " << wrong;
        } catch (const std::invalid_argument& refused) {
            EXPECT_NE(
                std::string(refused.what()).find("EDDY_SHUFFLE: '" + std::string(wrong) + "' is no seed"),
                std::string::npos)
                << refused.what();
        }
    }
}

task<> stores(int& into, int value) {
    into = value;
    co_return;
}

/// Takes it for granted that the task that was spawned first runs first.
task<> depends_on_order() {
    int latest = 0;
    auto first = spawn(stores(latest, 1));
    auto second = spawn(stores(latest, 2));
    co_await first;
    co_await second;
    test::require(latest == 2, "the first came last");
}

TEST(shuffling, finds_what_depends_on_the_order_of_tasks) {
    const test::time_bound bound;
    const auto found = shuffle_everywhere(&depends_on_order, seeds, scenario_options().name("order"));
    EXPECT_EQ(found.findings().size(), 3U);
    EXPECT_NE(found.message().find("seed "), std::string::npos);
    EXPECT_NE(found.message().find("an exception left the scenario: the first came last"), std::string::npos)
        << found.message();
    const environment unseeded("0");
    EXPECT_NO_THROW(test::run_bounded(depends_on_order()));
}

TEST(shuffling, finds_a_seed_again) {
    const test::time_bound bound;
    const auto found = shuffle_everywhere(&depends_on_order, seeds, scenario_options().findings_max(1));
    ASSERT_EQ(found.findings().size(), 1U);
    const auto seed = std::stoull(found.findings()[0].substr(std::string("seed ").size()));
    EXPECT_THROW(test::run_bounded(depends_on_order(), runtime_options().shuffle_seed(seed)),
                 std::logic_error);
}

task<> sleeps_for_long() {
    co_await sleep_for(std::chrono::hours(1));
}

/// Leaves a task behind if the one that was spawned first does not run first.
task<> leaks_by_order() {
    int latest = 0;
    auto first = spawn(stores(latest, 1));
    auto second = spawn(stores(latest, 2));
    co_await first;
    co_await second;
    if (latest != 2)
        spawn(sleeps_for_long()).detach();
}

TEST(shuffling, finds_what_is_left_behind) {
    const test::time_bound bound;
    const auto found =
        shuffle_everywhere(&leaks_by_order, seeds, scenario_options().settle_max(100ms).findings_max(1));
    EXPECT_NE(found.message().find("detached jobs +1, timers +1"), std::string::npos) << found.message();
}

/// Whoever yields, or awaits the next turn, comes after those that are ready.
template <class Wait>
task<> lets_others_go_first() {
    int gone = 0;
    task_set others;
    for (int number = 0; number < 20; ++number)
        others.spawn([](int& counted) -> task<> {
            ++counted;
            co_return;
        }(gone));
    co_await Wait();
    test::require(gone == 20, "somebody was left behind");
    co_await others.join();
}

TEST(shuffling, lets_others_go_first_where_that_is_promised) {
    const test::time_bound bound;
    for (const auto scenario : {&lets_others_go_first<yield>, &lets_others_go_first<next_turn>,
                                &lets_others_go_first<check_stop>}) {
        const auto found = shuffle_everywhere(scenario, seeds);
        EXPECT_TRUE(found) << found.message();
    }
}

task<> waits_and_notes(event<>& awaited, std::vector<int>& order, int number) {
    co_await awaited.wait();
    order.push_back(number);
}

/// The order in which 10 waiters of an event go on, and number 10, which is ready at the same time.
task<std::vector<int>> order_of_waiters() {
    std::vector<int> order;
    event<> opened;
    task_set set;
    for (int number = 0; number < 10; ++number) {
        set.spawn(waits_and_notes(opened, order, number));
        co_await yield();
    }
    opened.set();
    set.spawn(notes(order, 10));
    co_await set.join();
    co_return order;
}

TEST(shuffling, keeps_the_order_of_an_events_waiters_among_themselves) {
    std::vector<std::ptrdiff_t> places_of_the_other;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        auto order = test::run_bounded(order_of_waiters(), runtime_options().shuffle_seed(seed));
        const auto other = std::ranges::find(order, 10);
        ASSERT_NE(other, order.end());
        places_of_the_other.push_back(other - order.begin());
        order.erase(other);
        EXPECT_TRUE(std::ranges::is_sorted(order)) << "seed " << seed;
        EXPECT_EQ(order.size(), 10U);
    }
    const auto [first, last] = std::ranges::minmax(places_of_the_other);
    EXPECT_LT(first, last);
}

TEST(shuffling, finds_nothing_in_what_is_right) {
    const test::time_bound bound;
    for (const auto scenario : {&test::yields_three_times, &test::sleeps, &test::echoes, &test::offloads,
                                &test::fills_a_set, &test::times_out}) {
        const auto found = shuffle_everywhere(scenario, seeds);
        EXPECT_TRUE(found) << found.message();
        EXPECT_EQ(found.points(), seeds);
    }
}

TEST(shuffling, finds_nothing_in_a_task_on_another_worker) {
    const test::time_bound bound;
    const auto found = shuffle_everywhere(&test::calls_another_worker, seeds,
                                          scenario_options().runtime(runtime_options().workers(2)));
    EXPECT_TRUE(found) << found.message();
}

}  // namespace
}  // namespace eddy::shuffle_test
