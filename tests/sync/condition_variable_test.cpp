#include "support/no_allocation.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/crossing.hpp"
#include "sync/give_and_take.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/condition_variable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::condition_variable_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

/// What the tasks of a test share.
struct place {
    mutex shared;
    condition_variable changed;
    int value = 0;
    std::string order;
};

task<> wait_and_note(place& here, char name) {
    auto guard = co_await here.shared.lock();
    co_await here.changed.wait(guard);
    EXPECT_EQ(guard.mutex(), &here.shared);
    here.order += name;
}

task<> lock_and_note(place& here, char name) {
    const auto guard = co_await here.shared.lock();
    here.order += name;
}

TEST(condition_variable, waits_without_the_lock_and_goes_on_with_it) {
    const auto main = []() -> task<> {
        place here;
        auto waiting = spawn([](place& shared) -> task<> {
            auto guard = co_await shared.shared.lock();
            co_await shared.changed.wait(guard, [&] { return shared.value == 2; });
            EXPECT_TRUE(guard);
            EXPECT_TRUE(shared.shared.is_locked());
            shared.value = 3;
        }(here));
        for (int value = 1; value <= 2; ++value) {
            co_await test::turns(1);
            EXPECT_FALSE(waiting.done());
            auto guard = here.shared.try_lock();
            EXPECT_TRUE(guard) << "who waits has let go of it";
            here.value = value;
            here.changed.notify_one();
        }
        co_await waiting;
        EXPECT_EQ(here.value, 3);
        EXPECT_FALSE(here.shared.is_locked());
    };
    run_bounded(main());
}

TEST(condition_variable, does_not_wait_for_what_holds_already) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        co_await here.changed.wait(guard, [] { return true; });
        const bool holds = co_await here.changed.wait_for(guard, 1h, [] { return true; });
        EXPECT_TRUE(holds);
        EXPECT_TRUE(guard);
    };
    run_bounded(main());
}

TEST(condition_variable, notify_one_takes_who_has_waited_longest) {
    const auto main = []() -> task<> {
        place here;
        here.changed.notify_one();  // for nobody
        auto first = spawn(wait_and_note(here, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(here, 'b'));
        co_await yield();
        auto third = spawn(wait_and_note(here, 'c'));
        co_await test::turns(1);
        here.changed.notify_one();
        co_await first;
        co_await test::turns(2);
        EXPECT_EQ(here.order, "a") << "one only";
        here.changed.notify_one();
        here.changed.notify_one();
        co_await third;
        co_await second;
        EXPECT_EQ(here.order, "abc");
    };
    run_bounded(main());
}

TEST(condition_variable, notify_all_takes_exactly_those_who_wait) {
    const auto main = []() -> task<> {
        place here;
        auto first = spawn(wait_and_note(here, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(here, 'b'));
        co_await test::turns(1);
        auto guard = here.shared.try_lock();
        here.changed.notify_all();
        auto late = spawn(wait_and_note(here, 'c'));
        guard.unlock();
        co_await second;
        co_await first;
        co_await test::turns(2);
        EXPECT_EQ(here.order, "ab");
        EXPECT_FALSE(late.done());
        here.changed.notify_all();
        co_await late;
        EXPECT_EQ(here.order, "abc");
    };
    run_bounded(main());
}

TEST(condition_variable, who_is_notified_queues_for_the_lock_at_once) {
    const auto main = []() -> task<> {
        place here;
        auto waiting = spawn(wait_and_note(here, 'w'));
        co_await test::turns(1);
        auto guard = here.shared.try_lock();
        auto before = spawn(lock_and_note(here, 'a'));
        co_await yield();
        here.changed.notify_one();
        auto after = spawn(lock_and_note(here, 'b'));
        co_await yield();
        EXPECT_EQ(here.order, "");
        guard.unlock();
        co_await after;
        EXPECT_EQ(here.order, "awb");
        co_await waiting;
        co_await before;
    };
    run_bounded(main());
}

TEST(condition_variable, tells_whether_it_was_notified_before_the_deadline) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        const bool in_vain = co_await here.changed.wait_for(guard, 100us);
        EXPECT_FALSE(in_vain);
        EXPECT_TRUE(guard);
        const bool in_the_past = co_await here.changed.wait_until(guard, time_point::min());
        EXPECT_FALSE(in_the_past);
        auto notifying = spawn([](place& shared) -> task<> {
            const auto taken = co_await shared.shared.lock();
            shared.changed.notify_one();
        }(here));
        const bool is_notified = co_await here.changed.wait_for(guard, 1h);
        EXPECT_TRUE(is_notified);
        EXPECT_TRUE(guard);
        co_await notifying;
    };
    run_bounded(main());
}

TEST(condition_variable, tells_whether_the_predicate_holds_at_the_deadline) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        const bool in_vain = co_await here.changed.wait_for(guard, 100us, [&] { return here.value == 1; });
        EXPECT_FALSE(in_vain);
        auto changing = spawn([](place& shared) -> task<> {
            for (int time = 0; time < 2; ++time) {
                const auto taken = co_await shared.shared.lock();
                ++shared.value;
                shared.changed.notify_all();
            }
        }(here));
        const bool holds = co_await here.changed.wait_for(guard, 1h, [&] { return here.value == 2; });
        EXPECT_TRUE(holds);
        EXPECT_EQ(here.value, 2);
        co_await changing;
        // Nobody notifies, and what is waited for comes about all the same.
        auto silent = spawn([](place& shared) -> task<> {
            const auto taken = co_await shared.shared.lock();
            ++shared.value;
        }(here));
        const bool holds_at_last =
            co_await here.changed.wait_for(guard, 1ms, [&] { return here.value == 3; });
        EXPECT_TRUE(holds_at_last);
        co_await silent;
    };
    run_bounded(main());
}

task<bool> wait_briefly(place& here, duration length) {
    auto guard = co_await here.shared.lock();
    const bool is_notified = co_await here.changed.wait_for(guard, length);
    EXPECT_TRUE(guard);
    co_return is_notified;
}

TEST(condition_variable, waits_for_the_lock_after_the_deadline) {
    const auto main = []() -> task<> {
        place here;
        auto late = spawn(wait_briefly(here, 100us));
        co_await yield();
        auto guard = here.shared.try_lock();
        co_await sleep_for(1ms);
        EXPECT_FALSE(late.done());
        here.changed.notify_one();  // for nobody: its wait has ended
        guard.unlock();
        const bool is_notified = co_await late;
        EXPECT_FALSE(is_notified);
    };
    run_bounded(main());
}

TEST(condition_variable, a_deadline_means_nothing_to_who_has_been_notified) {
    const auto main = []() -> task<> {
        place here;
        auto waiting = spawn(wait_briefly(here, 1ms));
        co_await yield();
        auto guard = here.shared.try_lock();
        here.changed.notify_one();
        co_await sleep_for(3ms);
        guard.unlock();
        const bool is_notified = co_await waiting;
        EXPECT_TRUE(is_notified);
    };
    run_bounded(main());
}

TEST(condition_variable, an_exception_of_the_predicate_leaves_the_wait_with_the_lock) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        bool has_thrown = false;
        try {
            co_await here.changed.wait(guard, []() -> bool { throw std::runtime_error("a predicate"); });
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_TRUE(has_thrown);
        EXPECT_TRUE(guard);
    };
    run_bounded(main());
}

/// Waits with a guard of the test's.
task<> wait_with(place& here, mutex_guard& guard) {
    co_await here.changed.wait(guard);
    ADD_FAILURE() << "it was to be dropped before";
}

TEST(condition_variable, a_dropped_wait_leaves_the_guard_empty) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        auto waiting = spawn(wait_with(here, guard));
        co_await yield();
        EXPECT_FALSE(guard);
        waiting.cancel();
        EXPECT_FALSE(guard);
        EXPECT_FALSE(here.shared.is_locked());

        guard = here.shared.try_lock();
        waiting = spawn(wait_with(here, guard));
        co_await yield();
        here.changed.notify_one();
        EXPECT_TRUE(here.shared.is_locked()) << "it was handed to who waits";
        waiting.cancel();
        EXPECT_FALSE(guard);
        EXPECT_FALSE(here.shared.is_locked());
        here.changed.notify_one();  // for nobody
    };
    run_bounded(main());
}

TEST(condition_variable, a_dropped_wait_passes_on_the_notification_that_it_was_chosen_by) {
    const auto main = []() -> task<> {
        place here;
        auto leaving = spawn(wait_and_note(here, 'l'));
        co_await yield();
        auto first = spawn(wait_and_note(here, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(here, 'b'));
        co_await yield();
        auto third = spawn(wait_and_note(here, 'c'));
        co_await test::turns(1);
        leaving.cancel();
        here.changed.notify_one();
        first.cancel();
        EXPECT_TRUE(here.shared.is_locked()) << "it is the second's now";
        co_await test::turns(3);
        EXPECT_EQ(here.order, "b");
        EXPECT_FALSE(third.done());
        third.cancel();
        here.changed.notify_one();  // for nobody
    };
    run_bounded(main());
}

TEST(condition_variable, a_dropped_wait_in_the_queue_of_the_lock_passes_its_notification_on) {
    const auto main = []() -> task<> {
        place here;
        auto first = spawn(wait_and_note(here, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(here, 'b'));
        co_await test::turns(1);
        auto guard = here.shared.try_lock();
        here.changed.notify_one();
        first.cancel();
        EXPECT_FALSE(second.done());
        guard.unlock();
        co_await second;
        EXPECT_EQ(here.order, "b");
    };
    run_bounded(main());
}

TEST(condition_variable, a_wait_dropped_after_notify_all_or_its_deadline_passes_nothing_on) {
    const auto main = []() -> task<> {
        place here;
        auto first = spawn(wait_and_note(here, 'a'));
        co_await test::turns(1);
        here.changed.notify_all();
        auto second = spawn(wait_and_note(here, 'b'));
        first.cancel();
        co_await test::turns(2);
        auto late = spawn(wait_briefly(here, 100us));
        co_await yield();
        auto guard = here.shared.try_lock();
        co_await sleep_for(1ms);
        late.cancel();
        guard.unlock();
        co_await test::turns(2);
        EXPECT_EQ(here.order, "");
        here.changed.notify_one();
        co_await second;
        EXPECT_EQ(here.order, "b");
    };
    run_bounded(main());
}

task<> wait_shared(std::shared_ptr<place> here) {
    auto guard = co_await here->shared.lock();
    co_await here->changed.wait(guard);
    ADD_FAILURE() << "it was to be dropped before";
}

TEST(condition_variable, a_wait_dropped_with_its_lock_on_the_way_from_another_worker_gives_it_back) {
    const auto main = []() -> task<> {
        const auto here = std::make_shared<place>();
        co_await test::drop_with_the_news_under_way(wait_shared(here), [&] {
            here->changed.notify_all();
            EXPECT_TRUE(here->shared.is_locked());
        });
        EXPECT_FALSE(here->shared.is_locked());
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(condition_variable, a_wait_dropped_on_another_worker_passes_its_notification_on) {
    const auto main = []() -> task<> {
        const auto here = std::make_shared<place>();
        handle<> second;
        const auto notify_first = [](place& shared, handle<>& behind_it) -> task<> {
            behind_it = spawn(wait_and_note(shared, 'b'));
            co_await test::turns(1);
            shared.changed.notify_one();
            EXPECT_TRUE(shared.shared.is_locked()) << "who is dropped has it";
        };
        co_await test::drop_with_the_news_under_way(wait_shared(here), notify_first(*here, second));
        co_await second;
        EXPECT_EQ(here->order, "b");
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// Both live where the last to wait ends.
task<> wait_last() {
    auto* const here = new place;
    auto there = runtime::current().spawn_on(1, [](place& taken) -> task<> {
        {
            auto guard = co_await taken.shared.lock();
            taken.value = 1;
            co_await taken.changed.wait(guard);
            guard.release();
        }
        delete &taken;
    }(*here));
    bool is_notified = false;
    while (!is_notified) {
        co_await test::turns(1);
        auto guard = co_await here->shared.lock();
        is_notified = here->value == 1;
        if (is_notified) {
            guard.unlock();
            here->changed.notify_all();
        }
    }
    co_await there;
}

TEST(condition_variable, may_be_destroyed_by_the_last_whose_wait_returns) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time)
            co_await wait_last();
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(condition_variable, blocks_a_thread_until_a_task_notifies) {
    const auto main = []() -> task<> {
        place here;
        std::thread other([&] {
            auto guard = here.shared.lock_blocking();
            here.value = 1;
            here.changed.notify_one();
            while (here.value != 2)
                here.changed.wait_blocking(guard);
            EXPECT_TRUE(guard);
            here.value = 3;
        });
        {
            auto guard = co_await here.shared.lock();
            co_await here.changed.wait(guard, [&] { return here.value == 1; });
            here.value = 2;
            here.changed.notify_one();
        }
        other.join();
        EXPECT_EQ(here.value, 3);
    };
    run_bounded(main());
}

TEST(condition_variable, may_be_waited_for_with_a_deadline_around_it) {
    const auto main = []() -> task<> {
        place here;
        auto guard = here.shared.try_lock();
        const auto late = co_await as_result(with_timeout(here.changed.wait(guard), 100us));
        EXPECT_TRUE(!late && late.error() == std::errc::timed_out);
        EXPECT_FALSE(guard) << "the wait was dropped";
        EXPECT_FALSE(here.shared.is_locked());
    };
    run_bounded(main());
}

TEST(condition_variable, allocates_nothing_while_tasks_wait) {
    const auto main = []() -> task<> {
        place here;
        here.order.reserve(8);
        auto first = spawn(wait_and_note(here, 'a'));
        auto second = spawn(wait_and_note(here, 'b'));
        auto third = spawn(wait_briefly(here, 1h));
        {
            const test::no_allocation expected;
            co_await yield();
            here.changed.notify_one();
            first.cancel();
            here.changed.notify_all();
            co_await yield();
            co_await yield();
        }
        EXPECT_TRUE(second.done());
        EXPECT_TRUE(third.done());
    };
    run_bounded(main());
}

TEST(condition_variable, loses_no_notification_whoever_is_dropped) {
    auto generator = test::seeded_generator();
    for (const std::size_t workers : {4U, 16U})
        run_bounded(test::give_and_take_on_each(generator()), runtime_options().workers(workers));
}

TEST(condition_variable, no_notification_comes_between_the_unlock_and_the_wait) {
    run_bounded(test::ask_a_hurried_thread(test::stress_operations() / 50));
}

}  // namespace
}  // namespace eddy::condition_variable_test
