#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/host.hpp>
#include <eddy/runtime/clock_sleep.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/testing/shift_clocks.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <sys/resource.h>
#include <system_error>

namespace eddy::clock_sleep_test {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;
using test::run_bounded;

task<> sleep_to(system_clock::time_point time) {
    co_await sleep_until(time);
}

task<> sleep_to_boot(boot_clock::time_point time) {
    co_await sleep_until(time);
}

TEST(a_wait_for_the_wall_clock, ends_once_that_shows_the_time_and_never_early) {
    run_bounded([]() -> task<> {
        for (const auto ahead : {0us, 1us, 300us, 2000us}) {
            const auto time = system_clock::now() + ahead;
            co_await sleep_until(time);
            EXPECT_GE(system_clock::now(), time);
        }
    }());
}

TEST(a_wait_for_the_wall_clock, for_a_time_that_has_passed_lets_others_go_first) {
    run_bounded([]() -> task<> {
        for (const auto time : {system_clock::now() - 1h, system_clock::time_point::min()}) {
            bool has_run = false;
            auto other = spawn([](bool& run) -> task<> {
                run = true;
                co_return;
            }(has_run));
            co_await sleep_until(time);
            EXPECT_TRUE(has_run);
            co_await other;
        }
    }());
}

TEST(a_wait_for_the_wall_clock, ends_when_that_is_set_ahead_past_the_time) {
    run_bounded([]() -> task<> {
        const time_point before = clock::now();
        auto sooner = spawn(sleep_to(system_clock::now() + 12h));
        auto later = spawn(sleep_to(system_clock::now() + 240h));
        co_await test::turns(2);
        testing::set_wall_clock_ahead(24h);
        co_await sooner;
        EXPECT_FALSE(later.done());
        testing::set_wall_clock_ahead(240h);
        co_await later;
        EXPECT_LT(clock::now() - before, 1h);
    }());
}

TEST(a_wait_for_the_wall_clock, takes_longer_when_that_is_set_back) {
    run_bounded([]() -> task<> {
        auto sleeper = spawn(sleep_to(system_clock::now() + 30ms));
        co_await test::turns(2);
        testing::set_wall_clock_ahead(-1h);
        co_await sleep_for(60ms);
        EXPECT_FALSE(sleeper.done());
        testing::set_wall_clock_ahead(1h);
        co_await sleeper;
    }());
}

TEST(a_wait_for_the_boot_clock, ends_once_that_shows_the_time_and_never_early) {
    run_bounded([]() -> task<> {
        for (const auto ahead : {0us, 1us, 300us, 2000us}) {
            const auto time = boot_clock::now() + ahead;
            co_await sleep_until(time);
            EXPECT_GE(boot_clock::now(), time);
        }
    }());
}

TEST(a_wait_for_the_boot_clock, counts_the_time_in_which_the_machine_was_suspended) {
    run_bounded([]() -> task<> {
        auto by_boot = spawn(sleep_to_boot(boot_clock::now() + 1h));
        auto by_wall = spawn(sleep_to(system_clock::now() + 1h));
        auto later = spawn(sleep_to_boot(boot_clock::now() + 12h));
        const auto sleep_awake = []() -> task<> { co_await sleep_for(1h); };
        auto by_steady = spawn(sleep_awake());
        co_await test::turns(2);
        testing::pretend_suspension(2h);
        co_await by_boot;
        co_await by_wall;
        EXPECT_FALSE(later.done());
        EXPECT_FALSE(by_steady.done());
    }());
}

TEST(a_wait_for_the_boot_clock, does_not_mind_when_the_wall_clock_is_set) {
    run_bounded([]() -> task<> {
        auto sleeper = spawn(sleep_to_boot(boot_clock::now() + 1h));
        co_await test::turns(2);
        testing::set_wall_clock_ahead(24h);
        co_await test::turns(20);
        EXPECT_FALSE(sleeper.done());
    }());
}

TEST(a_wait_for_a_clock, holds_one_descriptor_for_all_and_none_afterwards) {
    run_bounded([]() -> task<> {
        const std::size_t before = io::count_open_descriptors();
        {
            auto first = spawn(sleep_to(system_clock::now() + 1h));
            auto second = spawn(sleep_to(system_clock::now() + 2h));
            auto third = spawn(sleep_to_boot(boot_clock::now() + 2h));
            co_await test::turns(2);
            EXPECT_EQ(io::count_open_descriptors(), before + 1);
            first.cancel();
            second.cancel();
            EXPECT_EQ(io::count_open_descriptors(), before + 1);
        }
        co_await test::turns(2);
        EXPECT_EQ(io::count_open_descriptors(), before);
        co_await sleep_until(system_clock::now());
        co_await test::turns(2);
        EXPECT_EQ(io::count_open_descriptors(), before);
    }());
}

TEST(a_wait_for_a_clock, may_have_a_deadline_by_the_other) {
    run_bounded([]() -> task<> {
        const auto late = co_await as_result(with_timeout(sleep_until(system_clock::now() + 24h), 1ms));
        EXPECT_EQ(late.has_value() ? std::error_code() : late.error(), std::errc::timed_out);
        const auto in_time = co_await as_result(with_timeout(sleep_until(system_clock::now() + 1ms), 24h));
        EXPECT_TRUE(in_time.has_value());
    }());
}

TEST(a_wait_for_a_clock, may_last_for_ever) {
    run_bounded([]() -> task<> {
        auto by_wall = spawn(sleep_to(system_clock::time_point::max()));
        auto by_boot = spawn(sleep_to_boot(boot_clock::time_point::max()));
        co_await test::turns(20);
        testing::set_wall_clock_ahead(-std::chrono::hours(24 * 365 * 100));  // before 1970
        co_await test::turns(20);
        EXPECT_FALSE(by_wall.done());
        EXPECT_FALSE(by_boot.done());
    }());
}

/// Leaves this process no further descriptor while it lives.
class no_descriptors {
public:
    no_descriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    no_descriptors(const no_descriptors&) = delete;
    no_descriptors& operator=(const no_descriptors&) = delete;
    ~no_descriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

TEST(a_wait_for_a_clock, fails_if_no_descriptor_can_be_had) {
    run_bounded([]() -> task<> {
        {
            const no_descriptors at_all;
            const auto given = co_await as_result(sleep_until(system_clock::now() + 1h));
            EXPECT_EQ(given.has_value() ? std::error_code() : given.error(), std::errc::too_many_files_open);
        }
        co_await sleep_until(system_clock::now() + 1ms);
    }());
}

}  // namespace
}  // namespace eddy::clock_sleep_test
