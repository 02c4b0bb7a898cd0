#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/crossing.hpp"
#include "sync/stress.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/mutex.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::mutex_test {
namespace {

using test::run_bounded;

task<> lock_and_note(mutex& shared, std::string& order, char name) {
    const auto guard = co_await shared.lock();
    order += name;
    co_await test::turns(2);
    order += name;
}

TEST(mutex, lets_one_task_in_at_a_time_in_the_order_of_asking) {
    const auto main = []() -> task<> {
        mutex shared;
        std::string order;
        auto first = spawn(lock_and_note(shared, order, 'a'));
        co_await yield();
        auto second = spawn(lock_and_note(shared, order, 'b'));
        co_await yield();
        auto third = spawn(lock_and_note(shared, order, 'c'));
        co_await third;
        co_await second;
        co_await first;
        EXPECT_EQ(order, "aabbcc");
        EXPECT_FALSE(shared.is_locked());
    };
    run_bounded(main());
}

TEST(mutex, try_lock_takes_it_only_if_nobody_has_it) {
    mutex shared;
    auto guard = shared.try_lock();
    EXPECT_TRUE(guard);
    EXPECT_EQ(guard.mutex(), &shared);
    EXPECT_FALSE(shared.try_lock());
    guard.unlock();
    EXPECT_FALSE(guard);
    EXPECT_TRUE(shared.try_lock());
    EXPECT_FALSE(shared.is_locked());
}

TEST(mutex, a_guard_moves_the_lock_and_releases_it_to_who_will_unlock) {
    mutex shared;
    auto guard = shared.try_lock();
    mutex_guard moved = std::move(guard);
    EXPECT_FALSE(guard);
    EXPECT_TRUE(shared.is_locked());
    moved.release();
    EXPECT_TRUE(shared.is_locked());
    shared.unlock();
    EXPECT_FALSE(shared.is_locked());
}

TEST(mutex, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        mutex shared;
        std::string order;
        auto guard = shared.try_lock();
        auto first = spawn(lock_and_note(shared, order, 'a'));
        co_await yield();
        auto second = spawn(lock_and_note(shared, order, 'b'));
        co_await yield();
        auto third = spawn(lock_and_note(shared, order, 'c'));
        co_await yield();
        second.cancel();
        guard.unlock();
        co_await first;
        co_await third;
        EXPECT_EQ(order, "aacc");
    };
    run_bounded(main());
}

TEST(mutex, a_wait_dropped_after_it_was_given_the_lock_hands_it_on) {
    const auto main = []() -> task<> {
        mutex shared;
        std::string order;
        auto guard = shared.try_lock();
        auto first = spawn(lock_and_note(shared, order, 'a'));
        co_await yield();
        auto second = spawn(lock_and_note(shared, order, 'b'));
        co_await yield();
        guard.unlock();
        EXPECT_TRUE(shared.is_locked()) << "it was handed on";
        first.cancel();
        co_await second;
        EXPECT_EQ(order, "bb");
        EXPECT_FALSE(shared.is_locked());
    };
    run_bounded(main());
}

// What is shared between two workers, owned by both.
struct crossing {
    mutex shared;
    std::binary_semaphore waits{0};
    std::binary_semaphore unlocked{0};
};

task<> lock_it(mutex& shared) {
    const auto guard = co_await shared.lock();
}

task<> lock_and_count(mutex& shared, int& locked) {
    const auto guard = co_await shared.lock();
    ++locked;
}

/// Its worker stands still between the waiters' beginning and the drop of the first, so that the call lies in
/// the inbox meanwhile.
task<> drop_with_the_call_under_way(std::shared_ptr<crossing> both) {
    int locked = 0;
    auto dropped = spawn(lock_it(both->shared));
    co_await yield();
    auto behind = spawn(lock_and_count(both->shared, locked));
    co_await yield();
    both->waits.release();
    both->unlocked.acquire();
    EXPECT_FALSE(dropped.done());
    dropped.cancel();
    EXPECT_TRUE(both->shared.is_locked()) << "it is the next one's";
    co_await behind;
    EXPECT_EQ(locked, 1);
    EXPECT_FALSE(both->shared.is_locked());
}

TEST(mutex, a_wait_dropped_with_its_call_on_the_way_from_another_worker_lets_the_next_have_the_lock) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>();
        auto guard = both->shared.try_lock();
        auto there = runtime::current().spawn_on(1, drop_with_the_call_under_way(both));
        both->waits.acquire();
        guard.unlock();
        both->unlocked.release();
        co_await there;
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// Stands still like that, and then lets its waiter find what has become of the lock.
task<> wait_where_the_call_takes_long(std::shared_ptr<crossing> both, int& locked) {
    auto waiting = spawn(lock_and_count(both->shared, locked));
    co_await yield();
    both->waits.release();
    both->unlocked.acquire();
    co_await waiting;
}

task<> do_nothing() {
    co_return;
}

// What was sent to the other worker before has arrived there.
task<> let_messages_arrive() {
    co_await runtime::current().spawn_on(1, do_nothing());
}

TEST(mutex, is_free_for_who_comes_until_a_call_has_reached_another_worker) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>();
        int locked = 0;
        auto guard = both->shared.try_lock();
        auto there = runtime::current().spawn_on(1, wait_where_the_call_takes_long(both, locked));
        both->waits.acquire();
        guard.unlock();
        EXPECT_FALSE(both->shared.is_locked());
        guard = co_await both->shared.lock();
        both->unlocked.release();
        co_await let_messages_arrive();
        EXPECT_EQ(locked, 0) << "it found the lock taken";
        guard.unlock();
        co_await there;
        EXPECT_EQ(locked, 1);
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// Waits for the lock on worker 1, and has begun to when it returns the handle.
task<remote_handle<>> lock_on_the_other_worker(task<> locks) {
    const auto wait_for_it = [](task<> locking, std::shared_ptr<test::standstill> both) -> task<> {
        auto waiting = spawn(std::move(locking));
        co_await test::turns(1);
        both->waits.release();
        co_await waiting;
    };
    const auto both = std::make_shared<test::standstill>();
    auto there = runtime::current().spawn_on(1, wait_for_it(std::move(locks), both));
    both->waits.acquire();
    co_return there;
}

task<> stand_still(test::standstill& both) {
    both.waits.release();
    both.released.acquire();
    co_return;
}

/// Unlocks, and takes the lock again before the call has reached worker 1. Returns whether that succeeded:
/// the waiter was called, and not handed the lock.
task<bool> call_in_vain(mutex_guard& guard) {
    mutex& shared = *guard.mutex();
    test::standstill both;
    auto there = runtime::current().spawn_on(1, stand_still(both));
    both.waits.acquire();
    guard.unlock();
    guard = shared.try_lock();
    both.released.release();
    co_await there;
    co_await let_messages_arrive();
    co_return static_cast<bool>(guard);
}

TEST(mutex, is_handed_to_a_waiter_that_was_called_four_times_and_found_it_taken) {
    const auto main = []() -> task<> {
        mutex shared;
        int locked = 0;
        auto guard = shared.try_lock();
        auto there = co_await lock_on_the_other_worker(lock_and_count(shared, locked));
        for (int time = 0; time < 4; ++time) {
            const bool is_mine = co_await call_in_vain(guard);
            EXPECT_TRUE(is_mine) << time;
            EXPECT_EQ(locked, 0);
        }
        const bool is_mine = co_await call_in_vain(guard);
        EXPECT_FALSE(is_mine);
        guard.unlock();
        co_await there;
        EXPECT_EQ(locked, 1);
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(mutex, keeps_a_waiter_that_was_called_and_found_it_taken_in_front_of_the_others) {
    const auto main = []() -> task<> {
        mutex shared;
        std::string order;
        auto guard = shared.try_lock();
        auto first = co_await lock_on_the_other_worker(lock_and_note(shared, order, 'a'));
        auto second = co_await lock_on_the_other_worker(lock_and_note(shared, order, 'b'));
        const bool is_mine = co_await call_in_vain(guard);
        EXPECT_TRUE(is_mine);
        guard.unlock();
        co_await first;
        co_await second;
        EXPECT_EQ(order, "aabb");
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// The mutex lives where the last to lock it ends.
task<> lock_last() {
    auto* const shared = new mutex;
    auto guard = shared->try_lock();
    auto there = runtime::current().spawn_on(1, [](mutex& taken) -> task<> {
        const auto last = co_await taken.lock();
        static_cast<void>(last);
    }(*shared));
    co_await test::turns(3);
    guard.unlock();
    co_await there;
    delete shared;
}

TEST(mutex, may_be_destroyed_by_the_last_who_locks_it) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time)
            co_await lock_last();
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(mutex, blocks_a_thread_until_a_task_unlocks) {
    const auto main = []() -> task<> {
        mutex shared;
        auto guard = shared.try_lock();
        std::atomic<bool> is_in = false;
        std::thread other([&] {
            const auto taken = shared.lock_blocking();
            is_in = true;
        });
        co_await test::turns(3);
        EXPECT_FALSE(is_in);
        guard.unlock();
        other.join();
        EXPECT_TRUE(is_in);
        EXPECT_FALSE(shared.is_locked());
    };
    run_bounded(main());
}

task<> lock_often(mutex& shared, int& locked, int times) {
    for (; times > 0; --times) {
        const auto guard = co_await shared.lock();
        ++locked;
    }
}

TEST(mutex, has_one_owner_at_a_time_among_threads_and_tasks) {
    constexpr int times = 5000;
    const auto main = []() -> task<> {
        mutex shared;
        int locked = 0;
        auto there = runtime::current().spawn_on(1, lock_often(shared, locked, times));
        const auto lock_there = [&] {
            for (int left = times; left > 0; --left) {
                const auto guard = shared.lock_blocking();
                ++locked;
            }
        };
        std::thread first(lock_there);
        std::thread second(lock_there);
        co_await lock_often(shared, locked, times);
        co_await there;
        first.join();
        second.join();
        EXPECT_EQ(locked, 4 * times);
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(mutex, may_be_waited_for_with_a_deadline) {
    const auto main = []() -> task<> {
        mutex shared;
        auto guard = shared.try_lock();
        const auto late = co_await as_result(with_timeout(shared.lock(), std::chrono::microseconds(100)));
        EXPECT_TRUE(!late && late.error() == std::errc::timed_out);
        guard.unlock();
        const auto in_time = co_await with_timeout(shared.lock(), std::chrono::hours(1));
        EXPECT_TRUE(in_time);
    };
    run_bounded(main());
}

TEST(mutex, a_guard_takes_over_a_lock_that_no_guard_owns) {
    mutex shared;
    shared.try_lock().release();
    {
        const mutex_guard adopted(shared, std::adopt_lock);
        EXPECT_EQ(adopted.mutex(), &shared);
    }
    EXPECT_FALSE(shared.is_locked());
}

struct guarded_count {
    mutex shared;
    int inside = 0;
    std::size_t entered = 0;
};

/// One that is inside, until it is dropped or leaves.
class visit {
public:
    explicit visit(guarded_count& visited) : visited_(visited) {
        EXPECT_EQ(std::exchange(visited_.inside, 1), 0) << "two have the lock";
        ++visited_.entered;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() { visited_.inside = 0; }

private:
    guarded_count& visited_;
};

task<> enter(std::shared_ptr<guarded_count> counted, bool does_yield) {
    const auto guard = co_await counted->shared.lock();
    const visit inside(*counted);
    if (does_yield)
        co_await yield();
}

TEST(mutex, has_one_owner_at_a_time_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto counted = std::make_shared<guarded_count>();
        test::stress(workers,
                     [counted](test::stress_choice choice) { return enter(counted, choice.flip()); });
        EXPECT_FALSE(counted->shared.is_locked());
        EXPECT_GT(counted->entered, 0U);
    }
}

}  // namespace
}  // namespace eddy::mutex_test
