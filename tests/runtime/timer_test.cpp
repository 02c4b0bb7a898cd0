#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/timer.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <system_error>
#include <vector>

namespace eddy::timer_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

task<bool> wait_for(timer& awaited) {
    const bool has_expired = co_await awaited.wait();
    co_return has_expired;
}

TEST(timer, expires_once_its_time_has_passed_and_never_early) {
    run_bounded([]() -> task<> {
        timer set;
        for (const duration length :
             {duration(-1h), duration(0), duration(1), duration(700us), duration(3ms)}) {
            const time_point before = clock::now();
            set.expires_after(length);
            EXPECT_TRUE(set.is_running());
            EXPECT_FALSE(set.has_expired());
            const bool has_expired = co_await set.wait();
            EXPECT_TRUE(has_expired);
            EXPECT_GE(clock::now() - before, length);
            EXPECT_FALSE(set.is_running());
            EXPECT_TRUE(set.has_expired());
        }
    }());
}

TEST(timer, expires_at_a_deadline) {
    run_bounded([]() -> task<> {
        timer set;
        for (const duration ahead : {duration(-1h), duration(0), duration(700us), duration(3ms)}) {
            const time_point deadline = clock::now() + ahead;
            set.expires_at(deadline);
            const bool has_expired = co_await set.wait();
            EXPECT_TRUE(has_expired);
            EXPECT_GE(clock::now(), deadline);
        }
    }());
}

TEST(timer, runs_though_nobody_waits) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(1ms);
        co_await sleep_for(20ms);
        EXPECT_TRUE(set.has_expired());
        const time_point before = clock::now();
        const bool first = co_await set.wait();
        const bool second = co_await set.wait();
        EXPECT_TRUE(first && second);
        EXPECT_LT(clock::now() - before, 10s);
    }());
}

task<> note_expiry(timer& awaited, int number, std::vector<int>& order) {
    static_cast<void>(co_await awaited.wait());
    order.push_back(number);
}

TEST(timer, counts_from_when_it_was_set_and_not_from_the_wait) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    run_bounded([]() -> task<> {
        std::vector<int> order;
        timer set;
        set.expires_after(50ms);
        co_await sleep_for(20ms);
        timer later;
        later.expires_after(50ms);
        auto second = spawn(note_expiry(later, 2, order));
        auto first = spawn(note_expiry(set, 1, order));
        co_await first;
        co_await second;
        EXPECT_EQ(order, std::vector({1, 2}));
    }());
}

TEST(timer, that_was_never_set_or_was_cancelled_does_not_let_anybody_wait) {
    run_bounded([]() -> task<> {
        timer set;
        EXPECT_FALSE(set.cancel());
        const bool before = co_await set.wait();
        EXPECT_FALSE(before);
        set.expires_after(24h);
        EXPECT_TRUE(set.cancel());
        EXPECT_FALSE(set.is_running());
        EXPECT_FALSE(set.cancel());
        const bool after = co_await set.wait();
        EXPECT_FALSE(after);
    }());
}

TEST(timer, ends_a_wait_when_it_is_cancelled) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(24h);
        auto waiting = spawn(wait_for(set));
        co_await test::turns(3);
        EXPECT_FALSE(waiting.done());
        EXPECT_TRUE(set.cancel());
        const bool has_expired = co_await waiting;
        EXPECT_FALSE(has_expired);
    }());
}

TEST(timer, forgets_with_cancel_that_it_had_expired) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_at(time_point::min());
        co_await test::turns(2);
        EXPECT_TRUE(set.has_expired());
        EXPECT_FALSE(set.cancel());
        EXPECT_FALSE(set.has_expired());
    }());
}

TEST(timer, may_be_put_off_while_somebody_waits) {
    run_bounded([]() -> task<> {
        timer idle;
        idle.expires_after(24h);
        auto waiting = spawn(wait_for(idle));
        co_await test::turns(2);
        for (int sign_of_life = 0; sign_of_life < 10; ++sign_of_life) {
            idle.expires_after(1ms);
            // In the same step, so that it cannot have expired before.
            idle.expires_after(24h);
            co_await sleep_for(5ms);
            EXPECT_FALSE(waiting.done());
        }
        const time_point last = clock::now();
        idle.expires_after(30ms);
        const bool has_expired = co_await waiting;
        EXPECT_TRUE(has_expired);
        EXPECT_GE(clock::now() - last, 30ms);
    }());
}

TEST(timer, may_be_put_forward_while_somebody_waits) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(24h);
        auto waiting = spawn(wait_for(set));
        co_await test::turns(2);
        set.expires_at(clock::now() + 1ms);
        const bool has_expired = co_await waiting;
        EXPECT_TRUE(has_expired);
    }());
}

TEST(timer, runs_on_when_a_wait_is_dropped) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(2ms);
        {
            auto dropped = spawn(wait_for(set));
            co_await test::turns(1);
        }
        EXPECT_TRUE(set.is_running());
        const bool has_expired = co_await set.wait();
        EXPECT_TRUE(has_expired);
        set.expires_at(time_point::min() + 1ns);
        {
            auto dropped = spawn(wait_for(set));
            co_await yield();
            co_await sleep_until(time_point::min());  // both end in this turn, this one first
            EXPECT_TRUE(!dropped.done() || !test::runs_in_order());
            EXPECT_TRUE(set.has_expired());
        }
        const bool has_still_expired = co_await set.wait();
        EXPECT_TRUE(has_still_expired);
    }());
}

TEST(timer, runs_on_when_a_wait_is_late) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(24h);
        const auto late = co_await as_result(with_timeout(set.wait(), 1ms));
        EXPECT_EQ(late.has_value() ? std::error_code() : late.error(), std::errc::timed_out);
        EXPECT_TRUE(set.is_running());
        set.expires_after(1ms);
        const bool in_time = co_await with_timeout(set.wait(), 24h);
        EXPECT_TRUE(in_time);
    }());
}

TEST(timer, tells_who_waits_what_was_so_when_the_wait_ended) {
    run_bounded([]() -> task<> {
        timer set;
        set.expires_after(24h);
        auto waiting = spawn(wait_for(set));
        co_await yield();
        set.cancel();
        set.expires_after(24h);  // before the other task goes on
        const bool has_expired = co_await waiting;
        EXPECT_FALSE(has_expired);
        EXPECT_TRUE(set.is_running());
    }());
}

TEST(timer, of_any_length_is_accepted) {
    run_bounded([]() -> task<> {
        timer longest, latest, shortest;
        longest.expires_after(std::chrono::hours::max());
        latest.expires_at(time_point::max());
        shortest.expires_after(std::chrono::duration<double, std::pico>(1));
        const bool has_expired = co_await shortest.wait();
        EXPECT_TRUE(has_expired);
        EXPECT_TRUE(longest.is_running());
        EXPECT_TRUE(latest.is_running());
    }());
}

TEST(timer, expires_in_the_order_of_deadlines) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    run_bounded([]() -> task<> {
        std::vector<std::unique_ptr<timer>> timers;
        std::vector<handle<>> waiting;
        std::vector<int> order;
        const time_point start = clock::now();
        constexpr int count = 1000;
        for (int number = 0; number < count; ++number) {
            timers.push_back(std::make_unique<timer>());
            timers.back()->expires_after(24h);
            waiting.push_back(spawn(note_expiry(*timers.back(), number, order)));
        }
        co_await test::turns(5);
        // From the last to the first, some nanoseconds apart.
        for (int number = 0; number < count; ++number)
            timers[static_cast<std::size_t>(number)]->expires_at(start - number * 17ns);
        for (auto& each : waiting)
            co_await each;
        for (int at = 0; at < count; ++at)
            EXPECT_EQ(order[static_cast<std::size_t>(at)], count - 1 - at);
    }());
}

#ifndef NDEBUG
TEST(timer_death, is_waited_for_by_one_task_at_a_time) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run_bounded([]() -> task<> {
                     timer set;
                     set.expires_after(24h);
                     auto first = spawn(wait_for(set));
                     auto second = spawn(wait_for(set));
                     co_await yield();
                     co_await yield();
                 }()),
                 "one task at a time waits for a timer");
}
#endif

}  // namespace
}  // namespace eddy::timer_test
