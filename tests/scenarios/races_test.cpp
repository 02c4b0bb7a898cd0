// Tasks that run at the same time until one has ended.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/race_ok.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::test::races_test {
namespace {

using namespace std::chrono_literals;

task<> the_first_of_several() {
    const auto first = co_await race(waits_for_long(), gives_after_yields(1, 2), sleep_for(1h));
    require(first.index() == 1 && std::get<1>(first) == 1, "another one won");
    require(tracked::living() == 0, "a loser lives on");
    std::vector<task<int>> several;
    several.push_back(gives_after_sleep(1, 1h));
    several.push_back(gives_after_sleep(2, 100us));
    several.push_back(gives_after_sleep(3, 1h));
    const auto winner = co_await race(several);
    require(winner.index == 1 && winner.value == 2, "another one of the range won");
}

task<> ends_of_the_same_turn() {
    const auto first = co_await race(gives_after_yields(1, 1), gives_after_yields(2, 1), yields(1));
    const auto again = co_await race(sleep_for(1us), sleep_for(1us), sleep_for(1us));
    static_cast<void>(first);
    static_cast<void>(again);
    require(tracked::living() == 0, "a loser lives on");
}

task<> race_that_fails() {
    static_cast<void>(co_await race(waits_for_long(), fails_instead_of_giving(2)));
}

task<> a_winner_that_fails() {
    co_await expects_failure(race_that_fails());
    require(tracked::living() == 0, "a loser lives on");
}

task<> a_handle_that_loses() {
    auto kept = spawn(gives_after_yields(5, 6), "kept");
    const auto first = co_await race(kept, yields(1));
    if (first.index() == 0)
        co_return;  // an order that nobody promised
    const int five = co_await kept;
    require(five == 5, "a loser that is held was dropped");
}

/// What a race_ok gave, or the first failure that is none of those planned.
template <class Race>
task<await_result_t<Race>> planned(Race racing) {
    try {
        co_return co_await std::move(racing);
    } catch (const all_failed& failed) {
        for (const auto& error : failed.errors())
            rethrow_unplanned(error);
        throw planned_failure();
    }
}

task<> the_first_success() {
    auto racing = race_ok(fails_instead_of_giving(1), gives_after_yields(2, 3), fails_after_yields(5));
    const auto first = co_await planned(std::move(racing));
    require(first.index() == 1 && std::get<1>(first) == 2, "another one won");
    std::vector<task<int>> several;
    several.push_back(fails_instead_of_giving(0));
    several.push_back(fails_instead_of_giving(2));
    several.push_back(gives_after_sleep(3, 100us));
    auto racing_range = race_ok(std::move(several));
    const auto winner = co_await planned(std::move(racing_range));
    require(winner.index == 2 && winner.value == 3, "another one of the range won");
}

task<> all_fail() {
    auto racing = race_ok(fails_after_yields(2), fails_instead_of_giving(1), fails_after_yields(0));
    static_cast<void>(co_await planned(std::move(racing)));
}

task<> all_of_a_range_fail() {
    std::vector<task<>> several;
    for (int at = 0; at < 3; ++at)
        several.push_back(fails_after_yields(at));
    auto racing = race_ok(std::move(several));
    static_cast<void>(co_await planned(std::move(racing)));
}

task<> none_of_none_succeeds() {
    auto racing = race_ok(std::vector<task<>>());
    static_cast<void>(co_await planned(std::move(racing)));
}

task<> no_success() {
    co_await expects_failure(all_fail());
    co_await expects_failure(all_of_a_range_fail());
    co_await expects_failure(none_of_none_succeeds());
}

task<int> first_success_of(int value) {
    auto racing = race_ok(fails_instead_of_giving(1), gives_after_yields(value, 2));
    const auto first = co_await planned(std::move(racing));
    co_return std::get<1>(first);
}

task<int> all_or_nothing(int value) {
    const auto [one, two] = co_await when_all(first_success_of(value), first_success_of(value + 1));
    co_return one + two;
}

task<> races_within_races() {
    const auto first = co_await race(race(waits_for_long(), all_or_nothing(1)), sleep_for(1h));
    const auto& inner = std::get<0>(first);
    require(std::get<1>(inner) == 3, "another sum came");
    auto racing = race_ok(race_that_fails(), race(waits_for_long(), first_success_of(4)));
    const auto again = co_await planned(std::move(racing));
    require(std::get<1>(std::get<1>(again)) == 4, "another value came");
    require(tracked::living() == 0, "a loser lives on");
}

task<int> connects(int address, duration after, bool succeeds) {
    const tracked connection;
    co_await sleep_for(after);
    if (!succeeds)
        throw planned_failure();
    co_return address;
}

/// What is tried gives within that time, if it does. Afterwards the handle holds a task unless that has
/// failed.
task<std::optional<int>> answers_within(handle<int>& trying, duration length) {
    try {
        const auto answer = co_await as_result(with_timeout(trying, length));
        if (answer)
            co_return *answer;
    } catch (const planned_failure&) {
        // The next address may do better.
    }
    co_return std::nullopt;
}

/// The next address is tried when the one before has failed, or has not answered for a while.
task<int> connects_to_one_of(std::vector<task<int>> addresses, std::size_t from, duration stagger) {
    if (from + 1 == addresses.size())
        co_return co_await std::move(addresses[from]);
    auto trying = spawn(std::move(addresses[from]), "trying");
    const auto early = co_await answers_within(trying, stagger);
    if (early)
        co_return *early;
    auto rest = connects_to_one_of(std::move(addresses), from + 1, stagger);
    if (!trying)
        co_return co_await std::move(rest);
    auto racing = race_ok(trying, std::move(rest));
    const auto first = co_await planned(std::move(racing));
    co_return std::visit([](int address) { return address; }, first);
}

task<> addresses_tried_one_after_the_other() {
    std::vector<task<int>> addresses;
    addresses.push_back(connects(1, 2ms, false));
    addresses.push_back(connects(2, 300us, false));
    addresses.push_back(connects(3, 100us, true));
    const int connected = co_await connects_to_one_of(std::move(addresses), 0, 200us);
    require(connected == 3, "another address answered");
    require(tracked::living() == 0, "a connection that was not wanted lives on");
}

const scenario_suite listed({
    listed_scenario("the_first_of_several", &the_first_of_several).suspensions_min(5),
    listed_scenario("ends_of_the_same_turn", &ends_of_the_same_turn).suspensions_min(4),
    listed_scenario("a_winner_that_fails", &a_winner_that_fails).suspensions_min(3),
    listed_scenario("a_handle_that_loses", &a_handle_that_loses).suspensions_min(3),
    listed_scenario("the_first_success", &the_first_success).suspensions_min(6),
    listed_scenario("no_success", &no_success).suspensions_min(6),
    listed_scenario("races_within_races", &races_within_races).suspensions_min(10),
    listed_scenario("addresses_tried_one_after_the_other", &addresses_tried_one_after_the_other)
        .suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::races_test
