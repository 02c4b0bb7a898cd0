// Deadlines around operations, tasks and handles.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/ticker.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <system_error>
#include <utility>

namespace eddy::test::timeouts_test {
namespace {

using namespace std::chrono_literals;

template <class Outcome>
bool is_late(const Outcome& outcome) {
    return !outcome && outcome.error() == std::errc::timed_out;
}

task<> operations_in_time() {
    ticker every(50us);
    const auto ticked = co_await with_timeout(every.next(), 1h);
    require(ticked.has_value(), "the ticker was stopped");
    task_set set;
    set.spawn(yields(2));
    co_await with_timeout(set.join(), 1h);
    co_await with_timeout(set.fewer_than(1), 1h);
    require(set.empty(), "the set was not joined");
}

task<> operations_that_are_late() {
    ticker every(1h);
    const auto tick = co_await as_result(with_timeout(every.next(), 50us));
    require(is_late(tick), "the tick was not late");
    task_set set;
    set.spawn(waits_for_long());
    const auto joined = co_await as_result(with_timeout(set.join(), 50us));
    require(is_late(joined), "the end was not late");
    bool has_thrown = false;
    try {
        co_await with_timeout(set.fewer_than(1), 50us);
    } catch (const std::system_error& error) {
        has_thrown = error.code() == std::errc::timed_out;
    }
    require(has_thrown, "the room was not late");
    require(set.size() == 1, "a task of the set was dropped");
}

task<> tasks_in_time() {
    const int one = co_await with_timeout(gives_after_yields(1, 2), 1h);
    co_await with_timeout(yields(1), 1h);
    const auto two = co_await as_result(with_timeout(gives_after_sleep(2, 50us), 1h));
    require(one == 1 && two.has_value() && *two == 2, "a task gave another value");
}

task<> awaits_a_failure_in_time() {
    co_await with_timeout(fails_after_yields(2), 1h);
}

task<> a_failure_in_time() {
    co_await expects_failure(awaits_a_failure_in_time());
    bool has_failed = false;
    try {
        static_cast<void>(co_await as_result(with_timeout(fails_instead_of_giving(1), 1h)));
    } catch (const planned_failure&) {
        has_failed = true;
    }
    require(has_failed, "a failure got lost");
}

task<> tasks_that_are_late() {
    const auto late = co_await as_result(with_timeout(waits_for_long(), 50us));
    require(is_late(late), "the task was not late");
    require(tracked::living() == 0, "a task that is late lives on");
    const auto nested = co_await as_result(
        with_timeout(when_all(waits_for_long(), gives_after_sleep(1, 1h), yields(1)), 50us));
    require(is_late(nested), "what is nested was not late");
    require(tracked::living() == 0, "what is nested lives on");
}

task<> a_deadline_that_has_passed() {
    const auto before = worker::current().turn_time() - 1s;
    const auto late = co_await as_result(with_deadline(waits_for_long(), before));
    require(is_late(late), "the deadline has no effect");
    ticker every(1h);
    const auto tick = co_await as_result(with_deadline(every.next(), before));
    require(is_late(tick), "the deadline of an operation has no effect");
    const auto at_once = co_await as_result(with_timeout(sleep_for(1h), -1s));
    require(is_late(at_once), "a negative time is not over at once");
}

task<int> inner_deadline() {
    const auto inner = co_await as_result(with_timeout(gives_after_sleep(1, 1h), 50us));
    require(is_late(inner), "the inner deadline did not come first");
    co_return co_await with_timeout(gives_after_yields(2, 1), 1h);
}

task<> deadlines_within_deadlines() {
    const int two = co_await with_timeout(with_timeout(inner_deadline(), 1h), 1h);
    require(two == 2, "another value came");
    const auto outer = co_await as_result(with_timeout(with_timeout(waits_for_long(), 1h), 50us));
    require(is_late(outer), "the outer deadline did not come first");
    const auto both = co_await as_result(with_timeout(with_timeout(waits_for_long(), 50us), 50us));
    require(is_late(both), "neither deadline came");
    require(tracked::living() == 0, "a task that is late lives on");
}

task<> deadlines_for_handles() {
    auto slow = spawn(waits_for_long(), "slow");
    const auto late = co_await as_result(with_timeout(slow, 50us));
    require(is_late(late) && static_cast<bool>(slow), "the handle lost its task");
    slow.cancel();
    auto quick = spawn(gives_after_yields(3, 2), "quick");
    const int three = co_await with_timeout(quick, 1h);
    require(three == 3, "another value came");
}

task<> the_end_and_the_deadline_at_once() {
    const auto outcome = co_await as_result(with_timeout(gives_after_sleep(1, 50us), 50us));
    require(outcome ? *outcome == 1 : is_late(outcome), "neither the end nor the deadline");
    ticker every(50us);
    const auto tick = co_await as_result(with_timeout(every.next(), 50us));
    require(tick ? tick->has_value() : is_late(tick), "neither the tick nor the deadline");
    const auto first = co_await race(sleep_for(50us), as_result(with_timeout(waits_for_long(), 50us)));
    static_cast<void>(first);
    require(tracked::living() == 0, "a loser lives on");
}

task<int> answers_at(int attempt, int right_one) {
    const tracked request;
    if (attempt < right_one - 1)
        co_await sleep_for(1h);
    co_await yield();
    if (attempt < right_one)
        throw planned_failure();
    co_return attempt;
}

task<int> retries(int attempts) {
    duration backoff = 20us;
    for (int attempt = 1; attempt < attempts; ++attempt) {
        try {
            const auto answer = co_await as_result(with_timeout(answers_at(attempt, 4), 100us));
            if (answer)
                co_return *answer;
        } catch (const planned_failure&) {
            // The next attempt may do better.
        }
        co_await sleep_for(backoff);
        backoff *= 2;
    }
    throw planned_failure();
}

/// An attempt that a busy machine lets come too late is only another attempt.
task<> attempts_with_deadlines_and_pauses() {
    const int attempt = co_await with_timeout(retries(1000), 1h);
    require(attempt >= 4, "an answer came too soon");
    co_await expects_failure(retries(3));
}

const scenario_suite listed({
    listed_scenario("operations_in_time", &operations_in_time).suspensions_min(4),
    listed_scenario("operations_that_are_late", &operations_that_are_late).suspensions_min(4),
    listed_scenario("tasks_in_time", &tasks_in_time).suspensions_min(5),
    listed_scenario("a_failure_in_time", &a_failure_in_time).suspensions_min(4),
    listed_scenario("tasks_that_are_late", &tasks_that_are_late).suspensions_min(4),
    listed_scenario("a_deadline_that_has_passed", &a_deadline_that_has_passed).suspensions_min(3),
    listed_scenario("deadlines_within_deadlines", &deadlines_within_deadlines).suspensions_min(8),
    listed_scenario("deadlines_for_handles", &deadlines_for_handles).suspensions_min(4),
    listed_scenario("the_end_and_the_deadline_at_once", &the_end_and_the_deadline_at_once).suspensions_min(4),
    listed_scenario("attempts_with_deadlines_and_pauses", &attempts_with_deadlines_and_pauses)
        .suspensions_min(8),
});

}  // namespace
}  // namespace eddy::test::timeouts_test
