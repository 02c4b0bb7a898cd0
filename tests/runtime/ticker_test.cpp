#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/ticker.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace eddy::ticker_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr duration period = 1ms;

task<tick> next_of(ticker& every) {
    const auto given = co_await every.next();
    if (!given)
        throw std::runtime_error("the ticker was stopped");
    co_return *given;
}

task<bool> is_over(ticker& every) {
    const auto given = co_await every.next();
    co_return !given.has_value();
}

ticker with_policy(missed_ticks policy) {
    return ticker(period, ticker_options().missed(policy));
}

TEST(ticker, ticks_at_multiples_of_its_period_and_never_early) {
    run_bounded([]() -> task<> {
        const time_point before = clock::now();
        ticker every(period);
        EXPECT_EQ(every.period(), period);
        const tick first = co_await next_of(every);
        EXPECT_GE(first.number(), 1U);
        EXPECT_GE(first.due(), before + static_cast<std::int64_t>(first.number()) * period);
        std::uint64_t last = first.number();
        for (int at = 0; at < 20; ++at) {
            const tick given = co_await next_of(every);
            EXPECT_GE(clock::now(), given.due());
            EXPECT_GT(given.number(), last);
            last = given.number();
            EXPECT_EQ(given.due() - first.due(),
                      static_cast<std::int64_t>(given.number() - first.number()) * period);
        }
    }());
}

TEST(ticker, ticks_at_once_if_it_is_told_to) {
    run_bounded([]() -> task<> {
        ticker every(24h, ticker_options().at_once(true));
        const tick first = co_await next_of(every);
        EXPECT_EQ(first.number(), 0U);
        EXPECT_LE(first.due(), clock::now());
        auto second = spawn(next_of(every));
        for (int turn = 0; turn < 5; ++turn)
            co_await yield();
        EXPECT_FALSE(second.done());
    }());
}

TEST(ticker, skips_the_ticks_that_were_missed_and_keeps_to_its_times) {
    run_bounded([]() -> task<> {
        ticker every(period);
        const tick first = co_await next_of(every);
        co_await sleep_for(10 * period);
        const tick late = co_await next_of(every);
        EXPECT_GE(late.number(), first.number() + 10);
        const tick following = co_await next_of(every);
        EXPECT_GT(following.number(), late.number());
        for (const tick& given : {late, following})
            EXPECT_EQ(given.due() - first.due(),
                      static_cast<std::int64_t>(given.number() - first.number()) * period);
    }());
}

TEST(ticker, in_a_burst_gives_every_tick_that_was_missed) {
    run_bounded([]() -> task<> {
        ticker every = with_policy(missed_ticks::burst);
        co_await sleep_for(10 * period);
        bool has_other_run = false;
        auto other = spawn([](bool& run) -> task<> {
            run = true;
            co_return;
        }(has_other_run));
        time_point due{};
        for (std::uint64_t number = 1; number <= 9; ++number) {
            const tick given = co_await next_of(every);
            EXPECT_EQ(given.number(), number);
            if (number > 1) {
                EXPECT_EQ(given.due(), due + period);
            }
            due = given.due();
            EXPECT_TRUE(has_other_run) << "what is ready goes first";
        }
        co_await other;
    }());
}

TEST(ticker, delays_all_further_ticks_after_one_that_was_late) {
    run_bounded([]() -> task<> {
        ticker every = with_policy(missed_ticks::delay);
        const time_point before = clock::now();
        co_await sleep_for(10 * period);
        const tick late = co_await next_of(every);
        EXPECT_EQ(late.number(), 1U);
        const tick following = co_await next_of(every);
        EXPECT_EQ(following.number(), 2U);
        EXPECT_GE(following.due(), before + 11 * period);
    }());
}

TEST(ticker, loses_no_tick_when_a_wait_is_dropped) {
    run_bounded([]() -> task<> {
        ticker every = with_policy(missed_ticks::burst);
        {
            auto dropped = spawn(next_of(every));
            co_await yield();
        }
        co_await sleep_for(3 * period);
        bool has_one = false;
        {
            auto dropped = spawn(next_of(every));
            co_await yield();  // its tick has come, and it would be resumed next
            has_one = dropped.done();
        }
        const tick kept = co_await next_of(every);
        EXPECT_EQ(kept.number(), has_one ? 2U : 1U);
        EXPECT_TRUE(!has_one || !test::runs_in_order());
    }());
}

TEST(ticker, loses_no_tick_when_a_wait_is_late) {
    run_bounded([]() -> task<> {
        ticker every(24h);
        const auto late = co_await as_result(with_timeout(every.next(), 1ms));
        EXPECT_EQ(late.has_value() ? std::error_code() : late.error(), std::errc::timed_out);
        ticker quick = with_policy(missed_ticks::burst);
        const auto in_time = co_await with_timeout(quick.next(), 24h);
        EXPECT_TRUE(in_time.has_value() && in_time->number() == 1);
    }());
}

TEST(ticker, gives_nothing_once_it_was_stopped) {
    run_bounded([]() -> task<> {
        ticker every(24h);
        auto waiting = spawn(is_over(every));
        co_await yield();
        every.stop();
        every.stop();
        EXPECT_TRUE(co_await waiting);
        EXPECT_TRUE(co_await is_over(every));
        ticker due(24h, ticker_options().at_once(true));
        auto reported = spawn(is_over(due));
        co_await yield();  // its tick has come
        due.stop();
        EXPECT_TRUE(co_await reported);
    }());
}

TEST(ticker, ticks_on_after_it_was_moved) {
    run_bounded([]() -> task<> {
        ticker first = with_policy(missed_ticks::burst);
        static_cast<void>(co_await next_of(first));
        ticker second(std::move(first));
        const tick given = co_await next_of(second);
        EXPECT_EQ(given.number(), 2U);
        second = ticker(24h, ticker_options().at_once(true));
        const tick other = co_await next_of(second);
        EXPECT_EQ(other.number(), 0U);
    }());
}

#ifndef NDEBUG
TEST(ticker_death, is_waited_for_by_one_task_at_a_time) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(run_bounded([]() -> task<> {
                     ticker every(24h);
                     auto first = spawn(next_of(every));
                     auto second = spawn(next_of(every));
                     co_await yield();
                     co_await yield();
                 }()),
                 "one task at a time waits for a ticker");
}
#endif

}  // namespace
}  // namespace eddy::ticker_test
