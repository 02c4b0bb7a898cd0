// Work that comes to its end although it is dropped. A drop that meets a shield runs it to its end, so what
// is shielded here is short.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/shield.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

namespace eddy::test::shields_test {
namespace {

using namespace std::chrono_literals;

/// Two counters that must be the same between runs, and after each end of who changes them.
struct ledger {
    int taken = 0;
    int given = 0;
    [[nodiscard]] bool is_balanced() const noexcept { return taken == given; }
};

/// Requires: no allocation fails after the first step, so it makes what it needs before.
task<> moves_one(ledger& book) {
    const tracked local;
    auto pause = yields(1);
    ++book.taken;
    co_await yield();
    co_await sleep_for(20us);
    ++book.given;
    co_await std::move(pause);
}

task<> moves_under_shield(ledger& book) {
    co_await shield(moves_one(book));
    co_await waits_for_long();
}

task<> a_shield_that_is_cancelled() {
    ledger book;
    auto moving = spawn(moves_under_shield(book), "moving");
    co_await yields(2);
    moving.cancel();
    require(book.is_balanced(), "shielded work was left half done");
    co_await shield(moves_one(book));
    require(book.is_balanced() && book.given >= 1, "shielded work was not done");
}

task<int> shields_a_value() {
    co_return co_await shield(gives_after_yields(3, 2));
}

task<> shields_a_failure() {
    co_await shield(fails_after_yields(1));
}

task<> results_through_a_shield() {
    const int three = co_await shields_a_value();
    require(three == 3, "a shield gave another value");
    co_await expects_failure(shields_a_failure());
    const auto failing = spawn(shields_a_failure(), "dropped with its failure");
    co_await yields(2);
}

task<> a_shield_with_a_deadline_of_its_own() {
    const auto late = co_await shield(as_result(with_timeout(waits_for_long(), 50us)));
    require(!late && late.error() == std::errc::timed_out, "nothing was late");
    const auto outer = co_await as_result(with_timeout(shield(gives_after_sleep(1, 100us)), 1us));
    require(outer ? *outer == 1 : outer.error() == std::errc::timed_out, "another failure");
    require(tracked::living() == 0, "shielded work lives on");
}

task<> shields_twice(ledger& book) {
    co_await shield(moves_one(book));
    co_await shield(shield(moves_one(book)));
}

task<> shields_within_shields() {
    ledger book;
    co_await shield(shields_twice(book));
    require(book.given == 2 && book.is_balanced(), "not all was done");
    auto moving = spawn(shields_twice(book), "moving");
    co_await yields(2);
    moving.cancel();
    require(book.is_balanced(), "shielded work was left half done");
}

task<> shields_that_lose() {
    ledger book;
    const auto first = co_await race(moves_under_shield(book), yields(3), moves_under_shield(book));
    static_cast<void>(first);
    require(book.is_balanced(), "shielded work was left half done");
    require(tracked::living() == 0, "a loser lives on");
}

task<> fails_beside_a_shield(ledger& book) {
    co_await when_all(moves_under_shield(book), fails_after_yields(2));
}

task<> a_failure_beside_a_shield() {
    ledger book;
    co_await expects_failure(fails_beside_a_shield(book));
    require(book.is_balanced(), "shielded work was left half done");
}

task<> shields_in_a_set() {
    ledger book;
    error_keeper keeper;
    {
        task_set set(std::ref(keeper));
        for (int at = 0; at < 3; ++at)
            set.spawn(moves_under_shield(book));
        co_await yields(2);
        set.cancel();
        require(book.is_balanced(), "shielded work was left half done");
        set.spawn(moves_under_shield(book));
        co_await yield();
    }
    keeper.rethrow();
    require(book.is_balanced(), "shielded work was left half done by the end of the set");
}

task<> spawns_and_waits(ledger& book) {
    auto moving = spawn(moves_one(book), "moving");
    co_await moving;
}

task<> tasks_that_a_shield_spawns() {
    ledger book;
    co_await shield(spawns_and_waits(book));
    auto shielding = [](ledger& of) -> task<> { co_await shield(spawns_and_waits(of)); };
    auto moving = spawn(shielding(book), "shielding");
    co_await yields(2);
    moving.cancel();
    require(book.is_balanced(), "what a shield spawned was left half done");
}

task<int> computes_elsewhere() {
    auto compute = [] { return 7; };
    auto computing = offload(std::move(compute));
    co_return co_await std::move(computing);
}

task<> a_shield_that_waits_for_the_pool() {
    const int seven = co_await shield(computes_elsewhere());
    require(seven == 7, "another value came");
}

/// What a shield that runs on by itself shares with who has started it.
struct shared_moving {
    handle<> holder;
    ledger book;
};

/// Breaks the circle of a task that owns what holds it.
class breaks_circle {
public:
    explicit breaks_circle(shared_moving& shared) noexcept : shared_(shared) {}
    breaks_circle(const breaks_circle&) = delete;
    breaks_circle& operator=(const breaks_circle&) = delete;
    ~breaks_circle() { shared_.holder.cancel(); }

private:
    shared_moving& shared_;
};

task<> cancels_its_holder(std::shared_ptr<shared_moving> shared) {
    auto moving = moves_one(shared->book);
    co_await yield();
    shared->holder.cancel();
    co_await std::move(moving);
}

task<> shields_its_end(std::shared_ptr<shared_moving> shared) {
    co_await shield(cancels_its_holder(std::move(shared)));
}

task<> a_shield_that_drops_who_waits_for_it() {
    const auto shared = std::make_shared<shared_moving>();
    const breaks_circle at_the_end(*shared);
    shared->holder = spawn(shields_its_end(shared), "holder");
    while (shared->holder && !shared->holder.done())
        co_await yield();
    if (shared->holder)
        shared->holder.get();  // memory was out
    while (tracked::living() != 0)
        co_await sleep_for(20us);
    require(shared->book.is_balanced(), "shielded work was left half done");
}

const scenario_suite listed({
    listed_scenario("a_shield_that_is_cancelled", &a_shield_that_is_cancelled).suspensions_min(5),
    listed_scenario("results_through_a_shield", &results_through_a_shield).suspensions_min(5),
    listed_scenario("a_shield_with_a_deadline_of_its_own", &a_shield_with_a_deadline_of_its_own)
        .suspensions_min(4),
    listed_scenario("shields_within_shields", &shields_within_shields).suspensions_min(10),
    listed_scenario("shields_that_lose", &shields_that_lose).suspensions_min(6),
    listed_scenario("a_failure_beside_a_shield", &a_failure_beside_a_shield).suspensions_min(5),
    listed_scenario("shields_in_a_set", &shields_in_a_set).suspensions_min(8),
    listed_scenario("tasks_that_a_shield_spawns", &tasks_that_a_shield_spawns).suspensions_min(8),
    listed_scenario("a_shield_that_waits_for_the_pool", &a_shield_that_waits_for_the_pool).suspensions_min(2),
    listed_scenario("a_shield_that_drops_who_waits_for_it", &a_shield_that_drops_who_waits_for_it)
        .suspensions_min(4),
});

}  // namespace
}  // namespace eddy::test::shields_test
