// What need not wait gives way when its task's turn is over, and is dropped meanwhile.

#include "scenarios/parts.hpp"
#include "support/scenario_suite.hpp"

#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/barrier.hpp>
#include <eddy/sync/broadcast.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/sync/shared_mutex.hpp>
#include <eddy/sync/wait_group.hpp>
#include <eddy/sync/watch.hpp>

namespace eddy::test::giving_way_test {
namespace {

/// From now on it is the others' turn: a loop would have taken so many steps.
void end_turn() {
    while (detail::resume_loop::consume_budget()) {
    }
}

// What is dropped lies in primitives that outlive the runs, so that the next run sees what became of it.

task<> permits_that_are_free() {
    static semaphore permits(2);
    require(permits.available() == 2, "a permit was lost, or came twice");
    const tracked local;
    end_turn();
    const auto one = co_await permits.acquire();
    end_turn();
    {
        const auto other = co_await permits.acquire();
        require(permits.available() == 0, "a permit was not taken");
    }
    end_turn();
    const auto other = co_await permits.acquire();
}

task<> a_mutex_that_is_free() {
    static mutex shared;
    require(!shared.is_locked(), "a dropped task has kept the mutex");
    for (int round = 0; round < 2; ++round) {
        const tracked local;
        end_turn();
        const auto guard = co_await shared.lock();
        require(shared.is_locked(), "the mutex is not locked");
    }
}

task<> a_shared_mutex_that_is_free() {
    static shared_mutex shared;
    require(bool(shared.try_lock()), "a dropped task has kept the mutex");
    const tracked local;
    end_turn();
    {
        const auto reader = co_await shared.lock_shared();
        end_turn();
        const auto another = co_await shared.lock_shared();
    }
    end_turn();
    const auto writer = co_await shared.lock();
}

task<> an_item_that_is_there() {
    static channel<int> items(1);
    const auto left = items.try_recv();
    require(!left || *left == 1, "another item is there");
    static bool has_one = false;
    require(!has_one || left.has_value(), "a dropped receiver has taken the item along");
    has_one = items.try_send(1) == try_send_result::sent;
    const tracked local;
    end_turn();
    const auto item = co_await items.recv();
    has_one = false;
    require(item == 1, "another item came");
}

task<> an_item_that_there_is_room_for() {
    static channel<int> items(1);
    static bool is_sent = false;
    const auto left = items.try_recv();
    require(left.has_value() == is_sent, "an item was lost that had been sent");
    const tracked local;
    end_turn();
    is_sent = true;
    try {
        co_await items.send(2);
    } catch (const std::bad_alloc&) {
        is_sent = false;
        throw;
    }
}

task<> events_that_are_set() {
    static auto_reset_event once;
    static event<> always;
    always.set();
    once.set();
    const tracked local;
    end_turn();
    co_await always.wait();
    end_turn();
    co_await once.wait();
    {
        // What was dropped before it has come back leaves the event set.
        once.set();
        auto dropped = spawn([](auto_reset_event& awaited) -> task<> {
            end_turn();
            co_await awaited.wait();
        }(once));
        co_await yield();
    }
    co_await once.wait();
}

task<> countdowns_that_are_over() {
    latch opened(1);
    opened.count_down();
    wait_group none;
    barrier alone(1);
    const tracked local;
    end_turn();
    co_await opened.wait();
    end_turn();
    co_await none.wait();
    end_turn();
    co_await alone.arrive_and_wait();
}

task<> news_that_are_there() {
    broadcast<int> news(2);
    auto hears = news.subscribe();
    news.send(1);
    watch<int> watched(1);
    auto sees = watched.subscribe();
    watched.set(2);
    const tracked local;
    end_turn();
    const auto heard = co_await hears.recv();
    require(heard && *heard == 1, "another value was heard");
    end_turn();
    const bool has_changed = co_await sees.changed();
    require(has_changed, "no change was seen");
}

const scenario_suite listed({
    listed_scenario("permits_that_are_free", &permits_that_are_free).suspensions_min(3),
    listed_scenario("a_mutex_that_is_free", &a_mutex_that_is_free).suspensions_min(2),
    listed_scenario("a_shared_mutex_that_is_free", &a_shared_mutex_that_is_free).suspensions_min(3),
    listed_scenario("an_item_that_is_there", &an_item_that_is_there).suspensions_min(1),
    listed_scenario("an_item_that_there_is_room_for", &an_item_that_there_is_room_for).suspensions_min(1),
    listed_scenario("events_that_are_set", &events_that_are_set).suspensions_min(3),
    listed_scenario("countdowns_that_are_over", &countdowns_that_are_over).suspensions_min(3),
    listed_scenario("news_that_are_there", &news_that_are_there).suspensions_min(2),
});

}  // namespace
}  // namespace eddy::test::giving_way_test
