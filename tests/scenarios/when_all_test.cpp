// Tasks that run at the same time until all have ended.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/when_all_settled.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <exception>
#include <expected>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::test::when_all_test {
namespace {

using namespace std::chrono_literals;

task<std::unique_ptr<int>> boxes(int value) {
    const tracked local;
    co_await yield();
    co_return std::make_unique<int>(value);
}

task<std::string&> refers_to(std::string& text) {
    co_await yield();
    co_return text;
}

task<> all_of_different_kinds() {
    std::string text = "text";
    const auto [number, nothing, box, referred, slept] = co_await when_all(
        gives_after_yields(1, 3), yields(2), boxes(2), refers_to(text), gives_after_sleep(3, 100us));
    static_cast<void>(nothing);
    require(number == 1 && *box == 2 && &referred == &text && slept == 3, "the results are others");
    co_await when_all(yields(1), yields(0), sleep_for(50us));
}

std::vector<task<int>> several(int count) {
    std::vector<task<int>> made;
    for (int at = 0; at < count; ++at)
        made.push_back(gives_after_yields(at, at % 3));
    return made;
}

task<> all_of_a_range() {
    const auto values = co_await when_all(several(5));
    for (int at = 0; at < 5; ++at)
        require(values.at(static_cast<std::size_t>(at)) == at,
                "the results are not in the order of the range");
    std::vector<task<>> silent;
    silent.push_back(yields(2));
    silent.push_back(yields(1));
    co_await when_all(silent);
}

task<> nothing_to_wait_for() {
    co_await when_all(std::vector<task<>>());
    const auto none = co_await when_all(several(0));
    const auto settled_none = co_await when_all_settled(several(0));
    require(none.empty() && settled_none.empty(), "there are results of nothing");
    co_await yield();
}

task<> one_that_fails() {
    static_cast<void>(co_await when_all(gives_after_yields(1, 1), waits_for_long(), fails_after_yields(2)));
}

task<> several_that_fail() {
    co_await when_all(fails_after_yields(2), fails_after_yields(1), fails_after_yields(1));
}

std::vector<task<int>> several_of_which_one_fails() {
    auto made = several(3);
    made.push_back(fails_instead_of_giving(1));
    made.push_back(gives_after_sleep(1, 1h));
    return made;
}

task<> range_that_fails() {
    static_cast<void>(co_await when_all(several_of_which_one_fails()));
}

task<> a_failure_that_drops_the_others() {
    co_await expects_failure(one_that_fails());
    require(tracked::living() == 0, "the others live on");
    co_await expects_failure(several_that_fail());
    co_await expects_failure(range_that_fails());
    require(tracked::living() == 0, "the others of the range live on");
}

template <class T>
bool failed_as_planned(const std::expected<T, std::exception_ptr>& outcome) {
    if (outcome)
        return false;
    rethrow_unplanned(outcome.error());
    return true;
}

template <class T>
bool gave(const std::expected<T, std::exception_ptr>& outcome, const T& value) {
    if (!outcome)
        std::rethrow_exception(outcome.error());
    return *outcome == value;
}

task<> outcomes_of_all() {
    const auto outcomes = co_await when_all_settled(gives_after_yields(1, 2), fails_after_yields(1),
                                                    fails_instead_of_giving(3), gives_after_sleep(2, 100us));
    require(gave(std::get<0>(outcomes), 1) && failed_as_planned(std::get<1>(outcomes)) &&
                failed_as_planned(std::get<2>(outcomes)) && gave(std::get<3>(outcomes), 2),
            "the outcomes are others");
}

std::vector<task<int>> several_of_which_some_fail() {
    auto made = several(3);
    made.push_back(fails_instead_of_giving(2));
    made.push_back(fails_instead_of_giving(0));
    return made;
}

task<> outcomes_of_a_range() {
    const auto outcomes = co_await when_all_settled(several_of_which_some_fail());
    require(gave(outcomes.at(0), 0) && gave(outcomes.at(1), 1) && gave(outcomes.at(2), 2) &&
                failed_as_planned(outcomes.at(3)) && failed_as_planned(outcomes.at(4)),
            "the outcomes are others");
}

task<int> sums_three(int value) {
    const auto [one, two, three] = co_await when_all(
        gives_after_yields(value, 1), gives_after_yields(value, 2), gives_after_yields(value, 0));
    co_return one + two + three;
}

task<int> first_of_two_sums(int value) {
    auto first = co_await race(sums_three(value), gives_after_sleep(-1, 1h));
    co_return std::get<0>(first);
}

task<> all_of_all() {
    const auto [two, six] = co_await when_all(
        when_all(sums_three(1), sums_three(2)),
        when_all(first_of_two_sums(3), when_all(gives_after_yields(1, 1), yields(2)), sums_three(1)));
    require(std::get<0>(two) == 3 && std::get<1>(two) == 6, "the results on the left are others");
    require(std::get<0>(six) == 9 && std::get<2>(six) == 3, "the results on the right are others");
}

task<> all_with_a_failure_inside() {
    static_cast<void>(co_await when_all(sums_three(1), all_of_all(), one_that_fails()));
}

task<> a_failure_that_drops_what_is_nested() {
    co_await expects_failure(all_with_a_failure_inside());
    require(tracked::living() == 0, "what is nested lives on");
}

task<> handles_that_all_end() {
    auto one = spawn(gives_after_yields(1, 2), "one");
    auto two = spawn(gives_after_yields(2, 0), "two");
    auto kept = spawn(waits_for_long(), "kept");
    co_await yield();
    const auto [first, second] = co_await when_all(one, two);
    require(first == 1 && second == 2, "the results are others");
    require(!kept.done(), "another task was dropped");
}

task<> await_both(handle<>& kept) {
    co_await when_all(kept, fails_after_yields(2));
}

task<> a_handle_that_outlives_a_failure() {
    auto kept = spawn(yields(6), "kept");
    co_await expects_failure(await_both(kept));
    require(static_cast<bool>(kept), "the handle was consumed");
    co_await kept;
}

const scenario_suite listed({
    listed_scenario("all_of_different_kinds", &all_of_different_kinds).suspensions_min(9),
    listed_scenario("all_of_a_range", &all_of_a_range).suspensions_min(8),
    listed_scenario("nothing_to_wait_for", &nothing_to_wait_for),
    listed_scenario("a_failure_that_drops_the_others", &a_failure_that_drops_the_others).suspensions_min(8),
    listed_scenario("outcomes_of_all", &outcomes_of_all).suspensions_min(7),
    listed_scenario("outcomes_of_a_range", &outcomes_of_a_range).suspensions_min(5),
    listed_scenario("all_of_all", &all_of_all).suspensions_min(16),
    listed_scenario("a_failure_that_drops_what_is_nested", &a_failure_that_drops_what_is_nested)
        .suspensions_min(8),
    listed_scenario("handles_that_all_end", &handles_that_all_end).suspensions_min(4),
    listed_scenario("a_handle_that_outlives_a_failure", &a_handle_that_outlives_a_failure).suspensions_min(8),
});

}  // namespace
}  // namespace eddy::test::when_all_test
