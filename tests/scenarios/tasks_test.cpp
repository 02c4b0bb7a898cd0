// Tasks that await tasks.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::test::tasks_test {
namespace {

task<std::unique_ptr<int>> boxes(int value) {
    const tracked local;
    co_await yield();
    co_return std::make_unique<int>(value);
}

task<int> unboxes(std::unique_ptr<int> boxed) {
    co_await yields(2);
    co_return *boxed;
}

task<> values_of_nested_tasks() {
    auto boxed = co_await boxes(6);
    const int six = co_await unboxes(std::move(boxed));
    const int one = co_await gives_after_yields(1, 0);
    require(six + one == 7, "the values are not those that were given");
    co_await yields(1);
}

task<std::string&> appends(std::string& text, const char* more) {
    co_await yield();
    text += more;
    co_return text;
}

task<> references_to_a_local() {
    const tracked before;
    std::string text = "a text that is too long for the string itself";
    std::string& same = co_await appends(text, ", and more");
    require(&same == &text, "the reference refers to something else");
    std::string& again = co_await appends(co_await appends(same, ", and more"), ", and more");
    require(again.ends_with("more, and more, and more"), "the text is not what was made of it");
}

task<int> fails_at_depth(int depth) {
    const tracked local;
    if (depth == 0) {
        co_await yield();
        throw planned_failure();
    }
    co_return co_await fails_at_depth(depth - 1) + 1;
}

task<> an_exception_that_passes_ten_tasks() {
    co_await expects_failure(fails_at_depth(10));
    co_await yield();
}

task<> cleans_up_and_rethrows(int& cleaned) {
    std::exception_ptr error;
    try {
        co_await fails_after_yields(1);
    } catch (...) {
        error = std::current_exception();
    }
    co_await yield();
    ++cleaned;
    std::rethrow_exception(error);
}

task<> an_exception_that_is_rethrown_later() {
    int cleaned = 0;
    co_await expects_failure(cleans_up_and_rethrows(cleaned));
    co_await expects_failure(cleans_up_and_rethrows(cleaned));
    require(cleaned == 2, "what follows a caught exception did not run");
}

task<int> counts_depth(int depth) {
    const tracked local;
    if (depth == 0) {
        co_await yields(2);
        co_return 0;
    }
    const int below = co_await counts_depth(depth - 1);
    co_return below + 1;
}

task<> a_chain_of_a_hundred_tasks() {
    const int depth = co_await counts_depth(100);
    require(depth == 100, "the chain has another depth");
}

task<> many_tasks_that_end_at_once() {
    int sum = 0;
    for (int at = 0; at < 20; ++at)
        sum += co_await gives_after_yields(1, 0);
    co_await yield();
    require(sum == 20, "some were not awaited");
}

task<> holds(task<int> inner, tracked) {
    co_await yield();
    co_await std::move(inner);
}

task<> tasks_that_never_start() {
    auto dropped = holds(gives_after_yields(1, 1), tracked());
    auto moved = gives_after_yields(2, 1);
    auto target = gives_after_yields(3, 1);
    co_await yield();
    target = std::move(moved);
    dropped = task<>();
    const int two = co_await std::move(target);
    require(two == 2, "another task was moved");
    require(tracked::living() == 0, "a dropped task keeps its arguments");
}

task<> a_vector_of_tasks_awaited_backwards() {
    std::vector<task<int>> waiting;
    for (int at = 0; at < 4; ++at)
        waiting.push_back(gives_after_yields(at, 1));
    int last = 4;
    while (!waiting.empty()) {
        const int given = co_await std::move(waiting.back());
        waiting.pop_back();
        require(given == --last, "another task was awaited");
    }
}

ready_or_task<int> looks_up(bool is_known) {
    if (is_known)
        return 5;
    return gives_after_yields(7, 2);
}

ready_or_task<> stores(bool is_fast) {
    if (is_fast)
        return {};
    return yields(1);
}

ready_or_task<int> refuses(bool is_fast) {
    if (is_fast)
        throw planned_failure();
    return fails_instead_of_giving(1);
}

task<int> awaits_prompt(bool is_fast) {
    co_return co_await refuses(is_fast);
}

task<> ready_or_tasks_with_and_without_a_rest() {
    const int known = co_await looks_up(true);
    const int unknown = co_await looks_up(false);
    require(known == 5 && unknown == 7, "a prompt task gave another value");
    co_await stores(true);
    co_await stores(false);
    co_await expects_failure(awaits_prompt(true));
    co_await expects_failure(awaits_prompt(false));
    const auto dropped = looks_up(false);
    require(!dropped.is_done(), "there is a rest");
    co_await yield();
}

task<int> fails_with(std::errc reason) {
    co_await yield();
    throw std::system_error(std::make_error_code(reason));
}

task<int> gives_through_as_result(std::errc reason) {
    const auto outcome = co_await as_result(fails_with(reason));
    co_return !outcome && outcome.error() == reason ? 1 : 0;
}

task<> outcomes_instead_of_exceptions() {
    const int failed = co_await gives_through_as_result(std::errc::bad_message);
    require(failed == 1, "another error came");
    const auto value = co_await as_result(gives_after_yields(3, 1));
    require(value.has_value() && *value == 3, "another value came");
    std::string text;
    const auto referred = co_await as_result(appends(text, "x"));
    require(referred.has_value() && &referred->get() == &text, "another reference came");
    bool has_failed = false;
    try {
        static_cast<void>(co_await as_result(fails_instead_of_giving(1)));
    } catch (const planned_failure&) {
        has_failed = true;
    }
    require(has_failed, "as_result() swallowed what is no system_error");
}

const scenario_suite listed({
    listed_scenario("values_of_nested_tasks", &values_of_nested_tasks).suspensions_min(4),
    listed_scenario("references_to_a_local", &references_to_a_local).suspensions_min(3),
    listed_scenario("an_exception_that_passes_ten_tasks", &an_exception_that_passes_ten_tasks),
    listed_scenario("an_exception_that_is_rethrown_later", &an_exception_that_is_rethrown_later)
        .suspensions_min(4),
    listed_scenario("a_chain_of_a_hundred_tasks", &a_chain_of_a_hundred_tasks).suspensions_min(2),
    listed_scenario("many_tasks_that_end_at_once", &many_tasks_that_end_at_once),
    listed_scenario("tasks_that_never_start", &tasks_that_never_start).suspensions_min(2),
    listed_scenario("a_vector_of_tasks_awaited_backwards", &a_vector_of_tasks_awaited_backwards)
        .suspensions_min(4),
    listed_scenario("ready_or_tasks_with_and_without_a_rest", &ready_or_tasks_with_and_without_a_rest)
        .suspensions_min(5),
    listed_scenario("outcomes_instead_of_exceptions", &outcomes_instead_of_exceptions).suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::tasks_test
