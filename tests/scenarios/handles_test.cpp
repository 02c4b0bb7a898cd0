// Started tasks and those who hold them.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/wait_any.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <chrono>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::test::handles_test {
namespace {

using namespace std::chrono_literals;

task<> handles_awaited_before_and_after_the_end() {
    auto early = spawn(gives_after_yields(1, 3), "early");
    auto late = spawn(gives_after_yields(2, 1), "late");
    const int one = co_await early;
    while (!late.done())
        co_await yield();
    const int two = co_await late;
    require(one == 1 && two == 2, "a handle gave another value");
    require(!early && !late, "a handle that was awaited holds a task");
}

task<> await_handle(handle<int>& held) {
    static_cast<void>(co_await held);
}

task<> handles_whose_task_fails() {
    auto failing = spawn(fails_instead_of_giving(2), "failing");
    co_await expects_failure(await_handle(failing));
    auto unread = spawn(fails_after_yields(1), "unread");
    while (!unread.done())
        co_await yield();
}

task<> handles_cancelled_at_three_moments() {
    auto unstarted = spawn(yields(3), "unstarted");
    unstarted.cancel();
    auto waiting = spawn(waits_for_long(), "waiting");
    auto ended = spawn(gives_after_yields(1, 0), "ended");
    co_await yields(2);
    waiting.cancel();
    ended.cancel();
    require(tracked::living() == 0, "what was cancelled lives on");
    co_await yield();
    waiting = spawn(yields(2), "another");
    waiting = spawn(yields(1), "yet another");
    co_await waiting;
}

task<> handles_that_let_go() {
    spawn(yields(3), "detached at once").detach();
    auto running = spawn(yields(4), "detached half-way");
    co_await yields(2);
    running.detach();
    auto ended = spawn(yields(0), "detached after the end");
    while (!ended.done())
        co_await yield();
    ended.detach();
}

task<int> holds_another(int depth) {
    const tracked local;
    if (depth == 0) {
        co_await sleep_for(100us);
        co_return 1;
    }
    auto inner = spawn(holds_another(depth - 1), "inner");
    co_await yield();
    co_return co_await inner + 1;
}

task<> handles_within_handles() {
    auto outer = spawn(holds_another(4), "outer");
    const int depth = co_await outer;
    require(depth == 5, "a task in a task's handle gave another value");
    auto dropped = spawn(holds_another(4), "dropped half-way");
    co_await yields(3);
}

task<> drops_its_own(std::unique_ptr<handle<>>& own) {
    const tracked local;
    co_await yield();
    own.reset();
    co_await yield();
    require(false, "a task that dropped itself went on after its next suspension");
}

task<> a_task_that_drops_its_own_handle() {
    std::unique_ptr<handle<>> own = std::make_unique<handle<>>();
    *own = spawn(drops_its_own(own), "self-dropping");
    while (own)
        co_await yield();
    co_await yields(2);
    require(tracked::living() == 0, "a task that dropped itself lives on");
}

task<> a_wait_that_is_dropped_leaves_the_task() {
    auto slow = spawn(gives_after_sleep(4, 300us), "slow");
    const auto late = co_await as_result(with_timeout(slow, 1us));
    require(late.has_value() || late.error() == std::errc::timed_out, "the wait failed otherwise");
    if (late.has_value())
        co_return;
    const int four = co_await slow;
    require(four == 4, "the task gave another value");
}

task<> cancels_after_yields(handle<>& other, int count) {
    co_await yields(count);
    other.cancel();
}

task<> tasks_that_cancel_each_other() {
    auto waiting = spawn(waits_for_long(), "waiting");
    auto cancelling = spawn(cancels_after_yields(waiting, 2), "cancelling");
    co_await cancelling;
    require(!waiting, "the other still holds its task");
    auto ended = spawn(yields(1), "may have ended");
    auto chasing = spawn(cancels_after_yields(ended, 1), "chasing");
    co_await chasing;
}

task<> the_first_of_several_handles() {
    auto slow = spawn(waits_for_long(), "slow");
    auto quick = spawn(gives_after_yields(3, 2), "quick");
    const std::size_t first = co_await wait_any(slow, quick);
    require(first == 1, "the other one ended");
    const int three = co_await quick;
    require(three == 3, "the first one gave another value");
    std::vector<handle<>> several;
    several.push_back(spawn(waits_for_long(), "long"));
    several.push_back(spawn(yields(1), "short"));
    several.push_back(std::move(slow));
    const std::size_t next = co_await wait_any(several);
    require(next == 1, "another one ended");
}

task<> wait_for_either(handle<>& one, handle<int>& other) {
    static_cast<void>(co_await wait_any(one, other));
}

task<> a_dropped_wait_for_any_leaves_all() {
    auto one = spawn(yields(6), "one");
    auto other = spawn(gives_after_yields(2, 5), "other");
    auto waiting = spawn(wait_for_either(one, other), "waiting");
    co_await yields(2);
    waiting.cancel();
    const int two = co_await other;
    co_await one;
    require(two == 2, "the other gave another value");
}

task<> counts_turns(int& turn, int turns) {
    for (int at = 0; at < turns; ++at) {
        ++turn;
        co_await yield();
    }
}

task<> yields_of_several_tasks() {
    int turn = 0;
    std::vector<handle<>> counting;
    for (int at = 0; at < 4; ++at)
        counting.push_back(spawn(counts_turns(turn, 3), "counting"));
    for (auto& each : counting)
        co_await each;
    require(turn == 12, "a turn was lost");
}

const scenario_suite listed({
    listed_scenario("handles_awaited_before_and_after_the_end", &handles_awaited_before_and_after_the_end)
        .suspensions_min(5),
    listed_scenario("handles_whose_task_fails", &handles_whose_task_fails).suspensions_min(4),
    listed_scenario("handles_cancelled_at_three_moments", &handles_cancelled_at_three_moments)
        .suspensions_min(5),
    listed_scenario("handles_that_let_go", &handles_that_let_go).suspensions_min(6),
    listed_scenario("handles_within_handles", &handles_within_handles).suspensions_min(12),
    listed_scenario("a_task_that_drops_its_own_handle", &a_task_that_drops_its_own_handle).suspensions_min(3),
    listed_scenario("a_wait_that_is_dropped_leaves_the_task", &a_wait_that_is_dropped_leaves_the_task)
        .suspensions_min(2),
    listed_scenario("tasks_that_cancel_each_other", &tasks_that_cancel_each_other).suspensions_min(4),
    listed_scenario("the_first_of_several_handles", &the_first_of_several_handles).suspensions_min(6),
    listed_scenario("a_dropped_wait_for_any_leaves_all", &a_dropped_wait_for_any_leaves_all)
        .suspensions_min(8),
    listed_scenario("yields_of_several_tasks", &yields_of_several_tasks).suspensions_min(12),
});

}  // namespace
}  // namespace eddy::test::handles_test
