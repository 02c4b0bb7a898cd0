// Work on other threads: the offload pool, other workers.

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
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/parallel_for.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/runtime/sync_wait.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::test::elsewhere_test {
namespace {

using namespace std::chrono_literals;

// -- the offload pool --

int computes() {
    const tracked local;
    return 7;
}

int fails_to_compute() {
    const tracked local;
    throw planned_failure();
}

task<int> offloads(int (*function)()) {
    auto calling = offload(std::move(function));
    co_return co_await std::move(calling);
}

/// So that what follows finds a thread: where none can be had at all, a call fails.
task<> warms_the_pool() {
    static_cast<void>(co_await offloads(&computes));
}

task<> calls_on_the_pool() {
    const int seven = co_await offloads(&computes);
    require(seven == 7, "the call gave another value");
    co_await expects_failure(offloads(&fails_to_compute));
    auto boxing = [box = std::make_unique<int>(3)]() mutable { return std::move(box); };
    auto calling = offload(std::move(boxing));
    const auto box = co_await std::move(calling);
    require(*box == 3, "what the call owned got lost");
}

std::vector<task<int>> several_calls(int count) {
    std::vector<task<int>> made;
    for (int at = 0; at < count; ++at)
        made.push_back(offloads(&computes));
    return made;
}

task<> several_calls_at_once() {
    const auto values = co_await when_all(several_calls(4));
    require(values.size() == 4 && values[3] == 7, "the calls gave other values");
    auto racing = race(several_calls(3));
    const auto winner = co_await std::move(racing);
    require(winner.value == 7, "the winner gave another value");
}

/// A flag that is set at the end of who waits for it elsewhere, so that no call outlives its test.
class released_at_end {
public:
    released_at_end() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
    released_at_end(const released_at_end&) = delete;
    released_at_end& operator=(const released_at_end&) = delete;
    ~released_at_end() {
        *flag_ = true;
        flag_->notify_all();
    }
    [[nodiscard]] std::shared_ptr<std::atomic<bool>> flag() const noexcept { return flag_; }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

task<> waits_on_the_pool(std::shared_ptr<std::atomic<bool>> flag) {
    const tracked local;
    auto waiting = [held = std::move(flag), own = tracked()] { held->wait(false); };
    auto calling = offload(std::move(waiting));
    co_await std::move(calling);
}

task<> a_call_that_is_late() {
    co_await warms_the_pool();
    const released_at_end released;
    const auto late = co_await as_result(with_timeout(waits_on_the_pool(released.flag()), 50us));
    require(!late && late.error() == std::errc::timed_out, "the call was not late");
    // There are two threads, so one of the calls does not begin, and is never made.
    std::vector<task<>> more;
    for (int at = 0; at < 3; ++at)
        more.push_back(waits_on_the_pool(released.flag()));
    const auto all_late = co_await as_result(with_timeout(when_all(std::move(more)), 50us));
    require(!all_late && all_late.error() == std::errc::timed_out, "the calls were not late");
}

int runs_a_runtime() {
    return sync_wait(gives_after_sleep(5, 50us));
}

task<> a_runtime_within_a_call() {
    co_await warms_the_pool();
    const int five = co_await offloads(&runs_a_runtime);
    require(five == 5, "the other runtime gave another value");
}

task<std::vector<int>> doubles_in_parallel(std::vector<int> numbers) {
    const tracked local;
    auto doubling = [own = tracked()](int& number) { number *= 2; };
    auto looping = parallel_for(std::move(numbers), 2, std::move(doubling));
    co_return co_await std::move(looping);
}

task<> fails_in_parallel() {
    const tracked local;
    auto failing = [own = tracked()](std::size_t) { throw planned_failure(); };
    auto looping = parallel_for(work_kind::long_running, 10, 1, std::move(failing));
    co_await std::move(looping);
}

task<> loops_in_parallel() {
    const auto doubled = co_await doubles_in_parallel(std::vector<int>(9, 4));
    require(doubled == std::vector<int>(9, 8), "the loop gave other values");
    co_await expects_failure(fails_in_parallel());
    const auto [one, other] = co_await when_all(doubles_in_parallel(std::vector<int>(3, 1)),
                                                doubles_in_parallel(std::vector<int>(40, 1)));
    require(one.size() == 3 && other.size() == 40, "the loops gave other values");
}

task<> a_loop_that_is_late() {
    co_await warms_the_pool();
    const released_at_end released;
    const auto loop = [](std::shared_ptr<std::atomic<bool>> flag) -> task<> {
        auto waiting = [held = std::move(flag), own = tracked()](std::size_t) { held->wait(false); };
        auto looping = parallel_for(20, 1, std::move(waiting));
        co_await std::move(looping);
    };
    const auto late = co_await as_result(with_timeout(loop(released.flag()), 50us));
    require(!late && late.error() == std::errc::timed_out, "the loop was not late");
}

/// With room for one call only: most of these wait for it.
task<> calls_into_a_full_queue() {
    const auto values = co_await when_all(several_calls(8));
    require(values.size() == 8 && values[7] == 7, "the calls gave other values");
    const released_at_end released;
    std::vector<task<>> waiting;
    for (int at = 0; at < 6; ++at)
        waiting.push_back(waits_on_the_pool(released.flag()));
    const auto all_late = co_await as_result(with_timeout(when_all(std::move(waiting)), 50us));
    require(!all_late && all_late.error() == std::errc::timed_out, "the calls were not late");
}

runtime_options with_room_for_one() {
    return runtime_options().workers(1).offload_threads(2).offload_queue_max(1);
}

// -- other workers --

task<> results_of_another_worker() {
    runtime& here = runtime::current();
    auto sleeping = here.spawn_on(1, gives_after_sleep(4, 50us));
    auto yielding = here.spawn_on(1, gives_after_yields(5, 2));
    auto own = here.spawn_on(0, gives_after_yields(6, 1));
    const int four = co_await sleeping;
    const int five = co_await yielding;
    const int six = co_await own;
    require(four == 4 && five == 5 && six == 6, "a remote task gave another value");
}

task<> awaits_a_remote_failure() {
    auto failing = runtime::current().spawn_on(1, fails_after_yields(1));
    co_await failing;
}

task<std::string> joins_texts(std::string one, std::string other) {
    co_await yield();
    co_return one + other;
}

task<> what_crosses_between_workers() {
    co_await expects_failure(awaits_a_remote_failure());
    auto joining = runtime::current().spawn_on(
        1, joins_texts("a text that is too long for the string itself", ", more"));
    const std::string joined = co_await joining;
    require(joined.size() == 51, "another text came");
}

task<> remote_tasks_that_are_cancelled() {
    runtime& here = runtime::current();
    auto waiting = here.spawn_on(1, waits_for_long());
    co_await waiting.cancel();
    require(waiting.done(), "it is not gone");
    require(tracked::living() == 0, "a remote task lives on");
    const auto outcome = co_await as_result(waiting);
    require(!outcome && outcome.error() == std::errc::operation_canceled, "there is a result");
    {
        auto dropped = here.spawn_on(1, waits_for_long());
        co_await yield();
    }
    auto late = here.spawn_on(1, waits_for_long());
    const auto timed = co_await as_result(with_timeout(late, 50us));
    require(!timed && timed.error() == std::errc::timed_out, "the remote task was not late");
    co_await late.cancel();
}

task<std::size_t> gives_index(std::size_t index) {
    const tracked local;
    co_await yield();
    co_return index;
}

task<> a_task_on_each_worker() {
    auto started = runtime::current().run_on_each(&gives_index);
    std::size_t sum = 0;
    for (auto& each : started) {
        const std::size_t index = co_await each;
        sum += index;
    }
    require(sum == 1, "a worker was left out");
}

task<int> fetches_from_home(int depth) {
    const tracked local;
    if (depth == 0)
        co_return 1;
    const auto target = static_cast<std::size_t>(depth % 2);
    auto other = runtime::current().spawn_on(target, fetches_from_home(depth - 1));
    co_return co_await other + 1;
}

task<> tasks_that_go_to_and_fro() {
    auto fetching = runtime::current().spawn_on(1, fetches_from_home(4));
    const int depth = co_await fetching;
    require(depth == 5, "another value came");
}

task<int> runs_a_set_there() {
    const tracked local;
    int failures = 0;
    task_set set([&failures](const std::exception_ptr&) { ++failures; });
    set.spawn(yields(2));
    set.spawn(fails_after_yields(1));
    co_await set.join();
    co_return failures;
}

task<> several_remote_tasks_at_once() {
    runtime& here = runtime::current();
    auto one = here.spawn_on(1, runs_a_set_there());
    auto other = here.spawn_on(1, gives_after_sleep(2, 50us));
    auto slow = here.spawn_on(1, waits_for_long());
    const auto [failures, two] = co_await when_all(one, other);
    require(failures == 1 && two == 2, "the remote tasks gave other values");
    const auto first = co_await race(slow, sleep_for(50us));
    require(first.index() == 1, "an hour has passed");
    here.spawn_on(1, yields(2)).detach();
}

const scenario_suite listed({
    listed_scenario("calls_on_the_pool", &calls_on_the_pool).suspensions_min(3),
    listed_scenario("several_calls_at_once", &several_calls_at_once).suspensions_min(5),
    listed_scenario("a_call_that_is_late", &a_call_that_is_late).suspensions_min(4),
    listed_scenario("a_runtime_within_a_call", &a_runtime_within_a_call),
    listed_scenario("loops_in_parallel", &loops_in_parallel).suspensions_min(4),
    listed_scenario("a_loop_that_is_late", &a_loop_that_is_late).suspensions_min(2),
    listed_scenario("calls_into_a_full_queue", &calls_into_a_full_queue,
                    suite_options().runtime(with_room_for_one()))
        .suspensions_min(6),
    listed_scenario("results_of_another_worker", &results_of_another_worker).workers(2),
    listed_scenario("what_crosses_between_workers", &what_crosses_between_workers).workers(2),
    listed_scenario("remote_tasks_that_are_cancelled", &remote_tasks_that_are_cancelled)
        .workers(2)
        .suspensions_min(2),
    listed_scenario("a_task_on_each_worker", &a_task_on_each_worker).workers(2).suspensions_min(2),
    listed_scenario("tasks_that_go_to_and_fro", &tasks_that_go_to_and_fro).workers(2),
    listed_scenario("several_remote_tasks_at_once", &several_remote_tasks_at_once).workers(2),
});

}  // namespace
}  // namespace eddy::test::elsewhere_test
