#include "support/counted_object.hpp"
#include "support/gate.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/repeat.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>

namespace eddy::repeat_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;
using test::run_bounded;

TEST(repeat, calls_its_function_at_each_tick_until_it_is_dropped) {
    run_bounded([]() -> task<> {
        int calls = 0;
        auto repeating = spawn(repeat(1ms, [&calls] { ++calls; }));
        co_await test::turns_until([&calls] { return calls >= 5; });
        EXPECT_FALSE(repeating.done());
        repeating.cancel();
        const int called = calls;
        co_await sleep_for(3ms);
        EXPECT_EQ(calls, called);
    }());
}

TEST(repeat, ends_when_its_function_gives_false) {
    run_bounded([]() -> task<> {
        int calls = 0;
        const auto count = [&calls] { return ++calls < 3; };
        co_await repeat(1ms, count);
        EXPECT_EQ(calls, 3);
    }());
}

TEST(repeat, awaits_the_task_that_its_function_gives) {
    run_bounded([]() -> task<> {
        int calls = 0;
        int under_way = 0;
        const auto count = [&calls, &under_way]() -> task<bool> {
            EXPECT_EQ(under_way++, 0);
            co_await sleep_for(2ms);  // longer than the period
            --under_way;
            co_return ++calls < 3;
        };
        co_await repeat(1ms, count);
        EXPECT_EQ(calls, 3);

        const auto count_to_five = [&calls]() -> task<> {
            co_await yield();
            if (++calls == 5)
                throw std::runtime_error("five");
        };
        std::string caught;
        try {
            co_await repeat(1ms, count_to_five);
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        EXPECT_EQ(caught, "five");
    }());
}

TEST(repeat, begins_at_once_if_it_is_told_to) {
    run_bounded([]() -> task<> {
        int calls = 0;
        const auto count = [&calls] {
            ++calls;
            return false;
        };
        co_await repeat(24h, count, ticker_options().at_once(true));
        EXPECT_EQ(calls, 1);
    }());
}

TEST(repeat, drops_the_call_under_way_when_it_is_dropped) {
    run_bounded([]() -> task<> {
        std::atomic<int> alive = 0;
        test::gate never;
        const auto hold = [&alive, &never]() -> task<> {
            const counted_object local(alive);
            co_await never;
        };
        auto repeating = spawn(repeat(1ms, hold));
        co_await test::turns_until([&alive] { return alive == 1; });
        repeating.cancel();
        EXPECT_EQ(alive, 0);
        EXPECT_FALSE(never.has_waiter());
    }());
}

}  // namespace
}  // namespace eddy::repeat_test
