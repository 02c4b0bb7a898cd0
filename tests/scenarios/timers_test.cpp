// Sleeps, timers, tickers and what is repeated.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/repeat.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/ticker.hpp>
#include <eddy/runtime/timer.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace eddy::test::timers_test {
namespace {

using namespace std::chrono_literals;

task<> sleeps_of_several_lengths() {
    co_await sleep_until(time_point::min());
    co_await sleep_for(-1s);
    co_await when_all(sleep_for(300us), sleep_for(1us), sleep_for(100us), sleep_for(100us));
    const auto first = co_await race(sleep_for(1h), sleep_for(100us), sleep_until(time_point::max()));
    require(first.index() == 1, "another sleep ended first");
}

task<> takes_ticks(missed_ticks policy, int count) {
    ticker every(50us, ticker_options().missed(policy).at_once(true));
    std::uint64_t before = 0;
    for (int at = 0; at < count; ++at) {
        const auto taken = co_await every.next();
        require(taken.has_value(), "a ticker stopped by itself");
        require(at == 0 || taken->number() > before, "a tick came twice");
        before = taken->number();
        if (at == 1)
            co_await sleep_for(200us);  // misses some
    }
}

task<> tickers_of_every_policy() {
    co_await takes_ticks(missed_ticks::skip, 4);
    co_await takes_ticks(missed_ticks::burst, 5);
    co_await takes_ticks(missed_ticks::delay, 3);
    co_await when_all(takes_ticks(missed_ticks::skip, 2), takes_ticks(missed_ticks::burst, 2));
}

task<int> counts_ticks(ticker& every) {
    const tracked local;
    int count = 0;
    while ([[maybe_unused]] const auto tick = co_await every.next())
        ++count;
    co_return count;
}

task<> a_ticker_that_is_stopped() {
    ticker every(1h);
    auto counting = spawn(counts_ticks(every), "counting");
    co_await yields(2);
    every.stop();
    const int count = co_await counting;
    require(count == 0, "an hour has passed");
    const auto after = co_await every.next();
    require(!after.has_value(), "a stopped ticker ticks");
}

task<> a_ticker_between_tasks() {
    ticker every(100us);
    const auto late = co_await as_result(with_timeout(every.next(), 1us));
    require(late || late.error() == std::errc::timed_out, "another failure");
    auto dropped = spawn(counts_ticks(every), "dropped");
    co_await yields(1);
    dropped.cancel();
    const auto taken = co_await every.next();
    require(taken.has_value(), "a tick got lost");
    ticker moved(std::move(every));
    const auto next = co_await moved.next();
    require(next.has_value() && next->number() > taken->number(), "a ticker that moved lost its place");
}

task<> expects_expiry(timer& awaited, bool is_expected) {
    const tracked local;
    const bool has_expired = co_await awaited.wait();
    require(has_expired == is_expected, "a timer told something else");
}

task<> a_timer_that_is_set_again() {
    timer set;
    set.expires_after(50us);
    co_await expects_expiry(set, true);
    co_await expects_expiry(set, true);
    set.expires_at(time_point::min());
    co_await expects_expiry(set, true);
    set.expires_after(1h);
    auto waiting = spawn(expects_expiry(set, true), "waiting");
    co_await yields(2);
    set.expires_after(1us);
    co_await waiting;
}

task<> a_timer_between_tasks() {
    timer set;
    set.expires_after(1h);
    auto waiting = spawn(expects_expiry(set, false), "waiting");
    co_await yields(1);
    set.cancel();
    co_await waiting;
    set.expires_after(100us);
    const auto late = co_await as_result(with_timeout(set.wait(), 1us));
    require(late ? *late : late.error() == std::errc::timed_out, "another failure");
    auto dropped = spawn(expects_expiry(set, true), "dropped");
    co_await yields(1);
    dropped.cancel();
    co_await expects_expiry(set, true);
}

/// Counts down to the end of a repeat().
class counts_down {
public:
    counts_down(int& left, int calls) noexcept : left_(&left) { left = calls; }
    bool operator()() const noexcept { return --*left_ > 0; }

private:
    int* left_;
};

task<bool> counts_down_slowly(int& left) {
    const tracked local;
    co_await sleep_for(80us);
    co_return --left > 0;
}

task<> repeated_until_done() {
    int left = 0;
    const counts_down counting(left, 3);
    co_await repeat(50us, counting);
    require(left == 0, "another number of calls");
    left = 2;
    auto slow = [&left] { return counts_down_slowly(left); };
    auto repeating = repeat(50us, slow, ticker_options().at_once(true));
    co_await std::move(repeating);
    require(left == 0, "another number of slow calls");
}

task<> repeats_a_failure() {
    int calls = 0;
    auto failing = [&calls] { return fails_after_yields(++calls); };
    auto repeating = repeat(50us, failing);
    co_await std::move(repeating);
}

task<> repeated_until_something_else() {
    co_await expects_failure(repeats_a_failure());
    int left = 1'000'000'000;
    auto slow = [&left] { return counts_down_slowly(left); };
    auto repeating = spawn(repeat(20us, slow), "repeating");
    co_await sleep_for(200us);
    repeating.cancel();
    require(tracked::living() == 0, "a repeated call lives on");
}

const scenario_suite listed({
    listed_scenario("sleeps_of_several_lengths", &sleeps_of_several_lengths).suspensions_min(6),
    listed_scenario("a_timer_that_is_set_again", &a_timer_that_is_set_again).suspensions_min(4),
    listed_scenario("a_timer_between_tasks", &a_timer_between_tasks).suspensions_min(5),
    listed_scenario("tickers_of_every_policy", &tickers_of_every_policy).suspensions_min(10),
    listed_scenario("a_ticker_that_is_stopped", &a_ticker_that_is_stopped).suspensions_min(4),
    listed_scenario("a_ticker_between_tasks", &a_ticker_between_tasks).suspensions_min(4),
    listed_scenario("repeated_until_done", &repeated_until_done).suspensions_min(6),
    listed_scenario("repeated_until_something_else", &repeated_until_something_else).suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::timers_test
