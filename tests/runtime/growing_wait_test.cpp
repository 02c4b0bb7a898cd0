#include "support/run_bounded.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/detail/growing_wait.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace eddy::growing_wait_test {
namespace {

using detail::growing_wait;
using eddy::test::run_bounded;
using namespace std::chrono_literals;

void expect_about(duration expected, duration given) {
    EXPECT_GE(given, expected * 8 / 10 - 1ns);
    EXPECT_LE(given, expected * 12 / 10 + 1ns);
}

TEST(growing_wait, grows_up_to_its_limit_and_begins_anew_when_it_is_reset) {
    run_bounded([]() -> task<> {
        growing_wait waits(100ms, 350ms, 2);
        for (int round = 0; round < 2; ++round) {
            for (const duration expected : {100ms, 200ms, 350ms, 350ms})
                expect_about(expected, waits.next());
            waits.reset();
        }
        co_return;
    }());
}

TEST(growing_wait, differs_by_chance) {
    run_bounded([]() -> task<> {
        std::set<duration> seen;
        for (int round = 0; round < 10; ++round) {
            growing_wait waits(100ms, 1s);
            seen.insert(waits.next());
        }
        EXPECT_GT(seen.size(), 5U);
        co_return;
    }());
}

TEST(growing_wait, grows_from_nothing_and_has_no_end_beyond_that_of_time) {
    run_bounded([]() -> task<> {
        growing_wait from_nothing(0s, 1s);
        for (int round = 0; round < 50; ++round)
            static_cast<void>(from_nothing.next());
        expect_about(1s, from_nothing.next());
        growing_wait negative(-1s, -1s);
        EXPECT_GT(negative.next(), 0s);
        growing_wait limited(1h, 1s);
        expect_about(1s, limited.next());
        growing_wait endless(duration::max(), duration::max());
        EXPECT_GT(endless.next(), duration::max() / 2);
        EXPECT_GT(endless.next(), duration::max() / 2);
        co_return;
    }());
}

}  // namespace
}  // namespace eddy::growing_wait_test
