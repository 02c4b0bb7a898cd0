// Generators, of both kinds, inside tasks.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/elements_of.hpp>
#include <eddy/core/generator.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::test::generators_test {
namespace {

using namespace std::chrono_literals;

generator<int> counts(int from, int to) {
    const tracked local;
    for (int at = from; at < to; ++at)
        co_yield at;
}

generator<int> counts_by_halves(int from, int to) {
    const tracked local;
    if (to - from <= 1) {
        co_yield from;
    } else {
        co_yield elements_of(counts_by_halves(from, (from + to) / 2));
        co_yield elements_of(counts_by_halves((from + to) / 2, to));
    }
}

generator<std::string> names() {
    const std::array<std::string, 2> known{"one that is too long for the string itself", "two"};
    co_yield elements_of(known);
    co_yield std::string("three, which is too long for the string itself");
}

task<> generators_between_waits() {
    int sum = 0;
    for (const int value : counts(0, 3)) {
        co_await yield();
        sum += value;
    }
    for (const int value : counts_by_halves(0, 4)) {
        co_await yield();
        sum += value;
    }
    std::size_t length = 0;
    for (const std::string& name : names()) {
        co_await yield();
        length += name.size();
    }
    require(sum == 3 + 6 && length == 42 + 3 + 46, "the values are not those that were yielded");
}

task<> a_generator_left_half_way() {
    for (const int value : counts_by_halves(0, 8)) {
        co_await yield();
        if (value == 3)
            break;
    }
    require(tracked::living() == 0, "a generator that was left lives on");
    co_await yield();
}

generator<int> counts_and_fails(int to) {
    co_yield elements_of(counts(0, to));
    throw planned_failure();
}

task<> reads_to_failure() {
    for (const int value : counts_and_fails(2)) {
        static_cast<void>(value);
        co_await yield();
    }
}

task<> a_generator_that_fails() {
    co_await expects_failure(reads_to_failure());
}

async_generator<int> ticks(int count, duration apart) {
    const tracked local;
    for (int at = 0; at < count; ++at) {
        co_await sleep_for(apart);
        co_yield at;
    }
}

async_generator<int> counts_slowly(int from, int to) {
    const tracked local;
    for (int at = from; at < to; ++at) {
        co_await yields(1);
        co_yield at;
    }
    co_await yield();
}

task<int> adds_up(async_generator<int> values) {
    int sum = 0;
    while (const auto value = co_await values.next())
        sum += *value;
    const auto after = co_await values.next();
    require(!after.has_value(), "there is a value after the end");
    co_return sum;
}

task<> values_that_take_time() {
    const int slow = co_await adds_up(ticks(3, 50us));
    const int yielded = co_await adds_up(counts_slowly(0, 4));
    require(slow == 3 && yielded == 6, "the values are not those that were yielded");
}

async_generator<int> counts_slowly_by_halves(int from, int to) {
    const tracked local;
    if (to - from <= 1) {
        co_await yield();
        co_yield from;
    } else {
        co_yield elements_of(counts_slowly_by_halves(from, (from + to) / 2));
        co_yield elements_of(counts_slowly_by_halves((from + to) / 2, to));
    }
}

async_generator<int> gathers() {
    const std::array<int, 2> known{10, 20};
    co_yield elements_of(known);
    co_yield elements_of(counts_slowly_by_halves(0, 4));
    co_yield elements_of(counts_slowly(7, 8));
}

task<> elements_of_other_generators() {
    const int sum = co_await adds_up(gathers());
    require(sum == 30 + 6 + 7, "the values are not those that were yielded");
}

task<> an_async_generator_left_half_way() {
    {
        auto left = counts_slowly_by_halves(0, 8);
        for (int at = 0; at < 4; ++at)
            static_cast<void>(co_await left.next());
        require(tracked::living() > 1, "nothing is under way");
    }
    require(tracked::living() == 0, "a generator that was left lives on");
    const auto never_read = counts_slowly(0, 3);
    auto moved = counts_slowly(0, 3);
    static_cast<void>(co_await moved.next());
    auto target = counts_slowly(5, 6);
    target = std::move(moved);
    const auto one = co_await target.next();
    require(one.has_value() && *one == 1, "a generator that moved lost its place");
}

async_generator<std::string&> edits(std::string& text) {
    co_yield text;
    co_await yield();
    text += ", edited, and now too long for the string itself";
    co_yield text;
}

task<> references_out_of_a_generator() {
    std::string text = "text";
    auto editing = edits(text);
    while (const auto edited = co_await editing.next())
        edited->get() += "!";
    require(text == "text!, edited, and now too long for the string itself!", "another text was referred to");
}

async_generator<int> fails_in_the_middle() {
    co_yield 1;
    co_await fails_after_yields(1);
}

async_generator<int> survives_a_failure() {
    bool has_failed = false;
    try {
        co_yield elements_of(fails_in_the_middle());
    } catch (const planned_failure&) {
        has_failed = true;
    }
    require(has_failed, "a failure got lost");
    co_yield 2;
    co_yield elements_of(fails_in_the_middle());
}

task<> async_generators_that_fail() {
    auto surviving = survives_a_failure();
    int sum = 0;
    bool has_failed = false;
    try {
        while (const auto value = co_await surviving.next())
            sum += *value;
    } catch (const planned_failure&) {
        has_failed = true;
    }
    require(has_failed && sum == 1 + 2 + 1, "the failure came at another time");
    const auto after = co_await surviving.next();
    require(!after.has_value(), "there is a value after a failure");
}

task<> a_next_that_is_late() {
    auto slow = ticks(2, 1h);
    const auto late = co_await as_result(with_timeout(slow.next(), 100us));
    require(!late && late.error() == std::errc::timed_out, "the value was not late");
    require(tracked::living() == 0, "a generator that was interrupted lives on");
    const auto after = co_await slow.next();
    require(!after.has_value(), "a generator that was interrupted went on");
    auto quick = counts_slowly_by_halves(0, 2);
    const auto in_time = co_await with_timeout(quick.next(), 1h);
    require(in_time.has_value() && *in_time == 0, "the value is another");
    const auto next = co_await quick.next();
    require(next.has_value() && *next == 1, "a deadline that did not come has an effect");
}

task<> the_first_of_two_generators() {
    auto slow = ticks(1, 1h);
    auto quick = counts_slowly(4, 6);
    const auto first = co_await race(slow.next(), quick.next());
    require(first.index() == 1 && std::get<1>(first) == 4, "the other generator won");
    // It has ended, or was never asked.
    const auto lost = co_await as_result(with_timeout(slow.next(), 100us));
    require(lost.has_value() ? !lost->has_value() : lost.error() == std::errc::timed_out,
            "the loser went on");
    const auto next = co_await quick.next();
    require(next.has_value() && *next == 5, "the winner did not go on");
}

task<> a_generator_in_a_cancelled_task() {
    auto reading = spawn(adds_up(counts_slowly_by_halves(0, 8)), "reading");
    co_await yields(4);
    reading.cancel();
    require(tracked::living() == 0, "a generator of a cancelled task lives on");
    auto other = spawn(adds_up(gathers()), "reading the rest");
    static_cast<void>(co_await other);
}

const scenario_suite listed({
    listed_scenario("generators_between_waits", &generators_between_waits).suspensions_min(10),
    listed_scenario("a_generator_left_half_way", &a_generator_left_half_way).suspensions_min(5),
    listed_scenario("a_generator_that_fails", &a_generator_that_fails).suspensions_min(2),
    listed_scenario("values_that_take_time", &values_that_take_time).suspensions_min(8),
    listed_scenario("elements_of_other_generators", &elements_of_other_generators).suspensions_min(6),
    listed_scenario("an_async_generator_left_half_way", &an_async_generator_left_half_way).suspensions_min(6),
    listed_scenario("references_out_of_a_generator", &references_out_of_a_generator),
    listed_scenario("async_generators_that_fail", &async_generators_that_fail).suspensions_min(2),
    listed_scenario("a_next_that_is_late", &a_next_that_is_late).suspensions_min(4),
    listed_scenario("the_first_of_two_generators", &the_first_of_two_generators).suspensions_min(4),
    listed_scenario("a_generator_in_a_cancelled_task", &a_generator_in_a_cancelled_task).suspensions_min(8),
});

}  // namespace
}  // namespace eddy::test::generators_test
