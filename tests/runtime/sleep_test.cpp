#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/seed.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace eddy::sleep_test {
namespace {

using namespace std::chrono_literals;

TEST(sleep, is_never_early) {
    const auto work = []() -> task<> {
        auto generator = test::seeded_generator();
        for (int round = 0; round < 300; ++round) {
            const auto length = duration(test::between<std::int64_t>(generator, 0, 2'000'000));
            const auto begin = clock::now();
            co_await sleep_for(length);
            EXPECT_GE(clock::now() - begin, length);
        }
    };
    test::run_bounded(work());
}

TEST(sleep, wakes_tasks_in_the_order_of_their_deadlines) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    const auto sleeper = [](time_point deadline, int name, std::vector<int>& order) -> task<> {
        co_await sleep_until(deadline);
        order.push_back(name);
    };
    const auto main = [](auto work) -> task<> {
        const auto start = clock::now();
        std::vector<int> order;
        std::vector<handle<>> running;
        for (const int ms : {30, 10, 20, 5, 25})
            running.push_back(spawn(work(start + ms * 1ms, ms, order)));
        for (auto& each : running)
            co_await each;
        EXPECT_EQ(order, (std::vector{5, 10, 20, 25, 30}));
    };
    test::run_bounded(main(sleeper));
}

TEST(sleep, until_a_deadline_that_has_passed_lets_others_go_first) {
    const auto other = [](std::string& events) -> task<> {
        events += "other ";
        co_return;
    };
    const auto main = [](auto work) -> task<> {
        std::string events;
        auto running = spawn(work(events));
        co_await sleep_until(clock::now() - 1h);
        events += "sleeper";
        EXPECT_EQ(events, "other sleeper");
    };
    test::run_bounded(main(other));
}

task<> sleep_through(time_point deadline) {
    co_await sleep_until(deadline);
}

TEST(sleep, ends_with_its_task) {
    const auto main = []() -> task<> {
        std::vector<handle<>> idle_workers;
        for (int at = 0; at < 1000; ++at)
            idle_workers.push_back(spawn(sleep_through(clock::now() + 1h + at * 1s)));
        co_await yield();
        idle_workers.clear();
    };
    const auto begin = clock::now();
    test::run_bounded(main());
    EXPECT_LT(clock::now() - begin, 60s);
}

TEST(sleep, that_was_woken_but_not_resumed_is_dropped) {
    const auto main = []() -> task<> {
        auto sleeper = spawn(sleep_through(clock::now() + 1ms));
        co_await yield();
        // Both timers fire in the same turn, ours first.
        co_await sleep_until(clock::now() + 1ms - 1ms);
        const auto deadline = clock::now() + 3ms;
        while (clock::now() < deadline) {
        }
        sleeper.cancel();
    };
    test::run_bounded(main());
}

// How many turns a worker takes in 50 ms beside a sleeper.
std::uint64_t turns_beside(time_point deadline) {
    const auto main = [](time_point of_other) -> task<std::uint64_t> {
        auto sleeper = spawn(sleep_through(of_other));
        co_await yield();
        const auto before = runtime::current().metrics(0).turns;
        co_await sleep_for(50ms);
        co_return runtime::current().metrics(0).turns - before;
    };
    return test::run_bounded(main(deadline));
}

TEST(sleep, costs_the_worker_nothing_while_it_lasts) {
    EXPECT_LT(turns_beside(clock::now() + 24h), 50u);
    EXPECT_LT(turns_beside(clock::now() + std::chrono::years(100)), 50u);
}

TEST(sleep, may_last_for_ever) {
    EXPECT_LT(turns_beside(time_point::max()), 50u);
    EXPECT_LT(turns_beside(time_point::max() - 1ns), 50u);
}

TEST(sleep, of_any_length_is_accepted) {
    const auto longest = []() -> task<> { co_await sleep_for(std::chrono::hours::max()); };
    const auto shortest = []() -> task<> { co_await sleep_for(std::chrono::hours::min()); };
    const auto main = [](auto forever, auto never) -> task<> {
        auto sleeper = spawn(forever());
        co_await never();
        EXPECT_FALSE(sleeper.done());
    };
    test::run_bounded(main(longest, shortest));
}

TEST(sleep, of_a_fraction_of_a_nanosecond_is_rounded_up) {
    const auto work = []() -> task<> {
        co_await sleep_for(std::chrono::duration<double, std::milli>(0.5));
        co_await sleep_for(std::chrono::duration<std::int64_t, std::pico>(1));
    };
    test::run_bounded(work());
}

}  // namespace
}  // namespace eddy::sleep_test
