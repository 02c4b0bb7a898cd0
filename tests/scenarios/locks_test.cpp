// Mutexes, shared mutexes, semaphores and condition variables.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/condition_variable.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/sync/shared_mutex.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <tuple>
#include <utility>

namespace eddy::test::locks_test {
namespace {

using namespace std::chrono_literals;

// -- mutex --

task<> counts_under(mutex& shared, int& count) {
    const tracked local;
    const auto guard = co_await shared.lock();
    const int before = count;
    co_await yields(2);
    count = before + 1;
}

task<> a_mutex_between_tasks() {
    mutex shared;
    int count = 0;
    co_await when_all(counts_under(shared, count), counts_under(shared, count), counts_under(shared, count));
    require(count == 3, "two tasks had the lock");
    auto guard = co_await shared.lock();
    auto dropped = spawn(counts_under(shared, count), "dropped");
    auto waiting = spawn(counts_under(shared, count), "waiting");
    co_await yield();
    guard.unlock();
    dropped.cancel();
    co_await waiting;
    require(count == 4 && !shared.is_locked(), "the lock got lost");
    guard = co_await shared.lock();
    const auto late = co_await as_result(with_timeout(shared.lock(), 50us));
    require_error(late, std::errc::timed_out, "a lock was given twice");
}

// -- semaphore --

task<> is_among(semaphore& permits, std::uint64_t count, std::uint64_t& inside) {
    const tracked local;
    const auto permit = co_await permits.acquire(count);
    inside += count;
    require(inside <= 2, "there were more permits than there are");
    co_await yields(2);
    inside -= count;
}

task<> a_semaphore_between_tasks() {
    semaphore permits(2);
    std::uint64_t inside = 0;
    co_await when_all(is_among(permits, 1, inside), is_among(permits, 2, inside),
                      is_among(permits, 1, inside), is_among(permits, 1, inside));
    require(permits.available() == 2, "permits got lost");
    auto permit = co_await permits.acquire();
    auto dropped = spawn(is_among(permits, 2, inside), "dropped");
    auto waiting = spawn(is_among(permits, 1, inside), "waiting");
    co_await yields(2);
    dropped.cancel();
    co_await waiting;
    const auto first = co_await race(permits.acquire(2), sleep_for(50us));
    require(first.index() == 1, "a permit was given twice");
    require(permits.available() == 1, "permits got lost");
}

// -- shared mutex --

task<> reads(shared_mutex& shared, const int& value) {
    const tracked local;
    const auto guard = co_await shared.lock_shared();
    const int before = value;
    co_await yields(1);
    require(value == before, "somebody wrote meanwhile");
}

task<> writes(shared_mutex& shared, int& value) {
    const tracked local;
    const auto guard = co_await shared.lock();
    const int before = value;
    co_await yields(1);
    value = before + 1;
}

task<> a_shared_mutex_between_tasks() {
    shared_mutex shared;
    int value = 0;
    co_await when_all(reads(shared, value), writes(shared, value), reads(shared, value), reads(shared, value),
                      writes(shared, value));
    require(value == 2, "two tasks wrote at once");
    auto guard = co_await shared.lock_shared();
    auto dropped = spawn(writes(shared, value), "dropped");
    auto waiting = spawn(reads(shared, value), "waiting");
    co_await yields(2);
    dropped.cancel();
    co_await waiting;
    guard.unlock();
    require(static_cast<bool>(shared.try_lock()), "a lock got lost");
}

// -- condition variable --

/// A place for one number.
struct box {
    mutex shared;
    condition_variable changed;
    int content = 0;
};

task<> puts(box& into, int number) {
    const tracked local;
    auto guard = co_await into.shared.lock();
    co_await into.changed.wait(guard, [&] { return into.content == 0; });
    into.content = number;
    into.changed.notify_all();
}

task<int> takes(box& from) {
    const tracked local;
    auto guard = co_await from.shared.lock();
    while (from.content == 0)
        co_await from.changed.wait(guard);
    from.changed.notify_all();
    co_return std::exchange(from.content, 0);
}

task<> puts_three(box& into) {
    for (int number = 1; number <= 3; ++number)
        co_await puts(into, number);
}

task<int> takes_three(box& from) {
    int sum = 0;
    for (int time = 0; time < 3; ++time)
        sum += co_await takes(from);
    co_return sum;
}

task<> a_box_that_is_filled_and_emptied() {
    box shared;
    // Together, so that one is dropped if memory is out for the other.
    const auto results = co_await when_all(takes_three(shared), puts_three(shared));
    require(std::get<0>(results) == 6, "a number got lost");
}

task<> waits_that_end_early() {
    box shared;
    auto guard = co_await shared.shared.lock();
    const bool is_notified = co_await shared.changed.wait_for(guard, 50us);
    require(!is_notified && guard, "somebody notified");
    const bool holds = co_await shared.changed.wait_for(guard, 50us, [&] { return shared.content != 0; });
    require(!holds && guard, "somebody put something in");
    const auto late = co_await as_result(with_timeout(shared.changed.wait(guard), 50us));
    require_error(late, std::errc::timed_out, "somebody notified");
    require(!guard && !shared.shared.is_locked(), "a dropped wait has the lock");
}

task<> notifications_that_are_passed_on() {
    box shared;
    auto first = spawn(takes(shared), "first");
    auto second = spawn(takes(shared), "second");
    co_await yields(3);
    auto guard = co_await shared.shared.lock();
    shared.content = 5;
    shared.changed.notify_one();
    first.cancel();
    guard.unlock();
    const int five = co_await second;
    require(five == 5, "another number came");
}

// -- between workers --

task<> puts_shared(std::shared_ptr<box> into, std::shared_ptr<semaphore> permits, int number) {
    const tracked local;
    const auto permit = co_await permits->acquire();
    co_await puts(*into, number);
}

task<int> takes_shared(std::shared_ptr<box> from) {
    co_return co_await takes(*from);
}

/// What is shared is owned by all: a task that is dropped elsewhere may outlive the scenario.
task<> locks_between_workers() {
    const auto shared = std::make_shared<box>();
    const auto permits = std::make_shared<semaphore>(1);
    // Together, so that one is dropped if memory is out for the other.
    auto putting = runtime::current().spawn_on(1, puts_shared(shared, permits, 1), "putting");
    const auto one = co_await when_all(takes_shared(shared), std::move(putting));
    auto taking = runtime::current().spawn_on(1, takes_shared(shared), "taking");
    const auto two = co_await when_all(std::move(taking), puts_shared(shared, permits, 2));
    require(std::get<0>(one) == 1 && std::get<0>(two) == 2, "another number came");
    {
        auto dropped = runtime::current().spawn_on(1, takes_shared(shared), "dropped");
        co_await puts_shared(shared, permits, 3);
    }
    require(permits->available() == 1, "a permit got lost");
}

const scenario_suite listed({
    listed_scenario("a_mutex_between_tasks", &a_mutex_between_tasks).suspensions_min(4),
    listed_scenario("a_semaphore_between_tasks", &a_semaphore_between_tasks).suspensions_min(4),
    listed_scenario("a_shared_mutex_between_tasks", &a_shared_mutex_between_tasks).suspensions_min(4),
    listed_scenario("a_box_that_is_filled_and_emptied", &a_box_that_is_filled_and_emptied).suspensions_min(4),
    listed_scenario("waits_that_end_early", &waits_that_end_early).suspensions_min(3),
    listed_scenario("notifications_that_are_passed_on", &notifications_that_are_passed_on).suspensions_min(4),
    listed_scenario("locks_between_workers", &locks_between_workers).workers(2).suspensions_min(2),
});

}  // namespace
}  // namespace eddy::test::locks_test
