// Changing numbers of tasks, and who may end them.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <system_error>
#include <utility>

namespace eddy::test::task_sets_test {
namespace {

using namespace std::chrono_literals;

bool is_cancelled(const std::expected<void, std::error_code>& outcome) {
    return !outcome && outcome.error() == std::errc::operation_canceled;
}

task<> a_set_that_is_joined() {
    error_keeper keeper;
    task_set set(std::ref(keeper));
    co_await set.join();
    for (int at = 0; at < 3; ++at)
        set.spawn(yields(at));
    set.spawn(fails_after_yields(1));
    co_await set.join();
    keeper.rethrow();
    require(set.empty() && keeper.errors() == 1, "the set has tasks left, or hides a failure");
    set.spawn(yields(1));
    co_await set.fewer_than(1);
}

task<> counts_running(int& running, int& most) {
    const tracked local;
    ++running;
    most = std::max(most, running);
    co_await yield();
    co_await yield();
    --running;
}

task<> a_set_with_a_limit() {
    int running = 0;
    int most = 0;
    error_keeper keeper;
    task_set set(task_set_options().tasks_max(2), std::ref(keeper));
    for (int at = 0; at < 5; ++at)
        co_await set.spawn_when_free(counts_running(running, most));
    co_await set.join();
    keeper.rethrow();
    require(most <= 2 && running == 0, "the limit was not kept");
}

task<> fills(task_set& set, int count, int& running, int& most) {
    for (int at = 0; at < count; ++at)
        co_await set.spawn_when_free(counts_running(running, most));
}

task<> several_who_share_a_limit() {
    int running = 0;
    int most = 0;
    error_keeper keeper;
    task_set set(task_set_options().tasks_max(2), std::ref(keeper));
    auto one = spawn(fills(set, 3, running, most), "one");
    auto other = spawn(fills(set, 3, running, most), "other");
    co_await set.spawn_when_free(counts_running(running, most));
    co_await one;
    co_await other;
    co_await set.join();
    keeper.rethrow();
    require(most <= 2 && running == 0, "the limit was not kept");
}

task<> wants_a_place(task_set& set, int& refused) {
    const auto outcome = co_await as_result(set.spawn_when_free(waits_for_long()));
    refused += is_cancelled(outcome) ? 1 : 0;
}

task<> places_that_are_refused() {
    int refused = 0;
    task_set set(task_set_options().tasks_max(1));
    set.spawn(waits_for_long());
    auto first = spawn(wants_a_place(set, refused), "first");
    auto second = spawn(wants_a_place(set, refused), "second");
    auto dropped = spawn(wants_a_place(set, refused), "dropped");
    co_await yields(2);
    dropped.cancel();
    set.close();
    co_await first;
    co_await second;
    require(refused == 2, "a place was given after the end");
    const bool is_taken = set.spawn(yields(1));
    const auto room = co_await as_result(set.fewer_than(1));
    require(!is_taken && is_cancelled(room), "a closed set takes tasks");
}

task<> joins(task_set& set) {
    co_await set.join();
}

task<> several_who_join() {
    task_set set;
    set.spawn(yields(3));
    set.spawn(yields(1));
    auto one = spawn(joins(set), "one");
    auto other = spawn(joins(set), "other");
    auto dropped = spawn(joins(set), "dropped");
    co_await yields(2);
    dropped.cancel();
    co_await set.join();
    co_await one;
    co_await other;
}

task<> cancels_after_yield(task_set& set) {
    const tracked local;
    co_await yield();
    set.cancel();
    co_await yield();
    require(false, "a task that was cancelled goes on");
}

task<> closes_after_yield(task_set& set) {
    const tracked local;
    co_await yield();
    set.close();
    co_await yield();
}

task<> a_set_cancelled_from_inside() {
    error_keeper keeper;
    task_set set(std::ref(keeper));
    set.spawn(waits_for_long());
    set.spawn(cancels_after_yield(set));
    set.spawn(waits_for_long());
    co_await set.join();
    co_await yields(2);
    keeper.rethrow();
    require(keeper.errors() == 0, "a cancelled task failed");
    require(tracked::living() == 0, "a cancelled task lives on");
    set.spawn(closes_after_yield(set));
    co_await set.join();
    require(set.closed(), "the set was not closed");
}

task<> drains(task_set& set, duration patience) {
    set.close();
    static_cast<void>(co_await as_result(with_timeout(set.join(), patience)));
    set.cancel();
    require(set.empty(), "the set has tasks left");
}

task<> sets_that_are_drained() {
    task_set quick;
    task_set slow;
    quick.spawn(yields(3));
    slow.spawn(waits_for_long());
    slow.spawn(yields(1));
    co_await drains(quick, 1h);
    co_await drains(slow, 100us);
    require(tracked::living() == 0, "a drained task lives on");
}

task<> runs_a_set(int depth) {
    const tracked local;
    error_keeper keeper;
    task_set set(std::ref(keeper));
    if (depth > 0) {
        set.spawn(runs_a_set(depth - 1));
        set.spawn(runs_a_set(depth - 1));
    }
    set.spawn(yields(1));
    co_await set.join();
    keeper.rethrow();
}

task<> sets_within_sets() {
    error_keeper keeper;
    task_set set(std::ref(keeper));
    set.spawn(runs_a_set(1));
    co_await set.join();
    set.spawn(runs_a_set(1));
    co_await yields(3);
    set.cancel();
    keeper.rethrow();
    require(tracked::living() == 0, "what is nested lives on");
}

const scenario_suite listed({
    listed_scenario("a_set_that_is_joined", &a_set_that_is_joined).suspensions_min(6),
    listed_scenario("a_set_with_a_limit", &a_set_with_a_limit).suspensions_min(12),
    listed_scenario("several_who_share_a_limit", &several_who_share_a_limit).suspensions_min(16),
    listed_scenario("places_that_are_refused", &places_that_are_refused).suspensions_min(6),
    listed_scenario("several_who_join", &several_who_join).suspensions_min(9),
    listed_scenario("a_set_cancelled_from_inside", &a_set_cancelled_from_inside).suspensions_min(6),
    listed_scenario("sets_that_are_drained", &sets_that_are_drained).suspensions_min(6),
    listed_scenario("sets_within_sets", &sets_within_sets).suspensions_min(12),
});

}  // namespace
}  // namespace eddy::test::task_sets_test
