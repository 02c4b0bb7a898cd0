// A task that loops over what it need not wait for gives way to others in a bounded number of steps.
#include "support/run_bounded.hpp"

#include <eddy/combine/select.hpp>
#include <eddy/combine/task_set.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/barrier.hpp>
#include <eddy/sync/broadcast.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/oneshot.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/sync/shared_mutex.hpp>
#include <eddy/sync/wait_group.hpp>
#include <eddy/sync/watch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace eddy::fair_share_test {
namespace {

using test::run_bounded;

// Far more than a turn has, and few enough to end at once where none is counted.
constexpr int steps_max = 20'000;

struct progress {
    bool is_over = false;
    int steps = 0;

    [[nodiscard]] bool goes_on() const { return !is_over && steps < steps_max; }
};

template <class Step>
task<> loop_over(progress& made, Step step) {
    for (; made.goes_on(); ++made.steps)
        co_await step();
}

// In each turn the loop may come back before this task or after it.
task<> two_turns() {
    co_await next_turn();
    co_await next_turn();
}

/// Another task gets its turn while `step` is taken over and over, and so do timers and the system.
template <class Step>
task<> expect_turns(const char* what, Step step) {
    progress made;
    auto looping = spawn(loop_over(made, std::move(step)));
    co_await two_turns();
    const int first = made.steps;
    EXPECT_GT(first, 0) << what;
    co_await two_turns();
    EXPECT_GT(made.steps, first) << what << ": the loop gets its turn";
    made.is_over = true;
    co_await looping;
    EXPECT_LT(made.steps, steps_max) << what << ": nothing else got a turn";
}

TEST(fair_share, is_kept_by_loops_over_what_is_open) {
    run_bounded([]() -> task<> {
        event<> is_set;
        is_set.set();
        co_await expect_turns("event", [&]() -> task<> { co_await is_set.wait(); });
        event<int> has_value;
        has_value.set(1);
        co_await expect_turns("event with a value", [&]() -> task<> { co_await has_value.wait(); });
        latch down(0);
        co_await expect_turns("latch", [&]() -> task<> { co_await down.wait(); });
        wait_group idle;
        co_await expect_turns("wait group", [&]() -> task<> {
            idle.add();
            idle.done();
            co_await idle.wait();
        });
        barrier<> alone(1);
        co_await expect_turns("barrier", [&]() -> task<> { co_await alone.arrive_and_wait(); });
        auto_reset_event signal;
        co_await expect_turns("auto-reset event", [&]() -> task<> {
            signal.set();
            co_await signal.wait();
        });
    }());
}

TEST(fair_share, is_kept_by_loops_over_what_is_free) {
    run_bounded([]() -> task<> {
        mutex lock;
        co_await expect_turns("mutex", [&]() -> task<> { const auto guard = co_await lock.lock(); });
        shared_mutex shared;
        co_await expect_turns("writer", [&]() -> task<> { const auto guard = co_await shared.lock(); });
        co_await expect_turns("reader",
                              [&]() -> task<> { const auto guard = co_await shared.lock_shared(); });
        semaphore permits(2);
        co_await expect_turns("semaphore",
                              [&]() -> task<> { const auto permit = co_await permits.acquire(2); });
    }());
}

TEST(fair_share, is_kept_by_loops_over_what_is_there) {
    run_bounded([]() -> task<> {
        channel<int> items(2);
        co_await expect_turns("channel", [&]() -> task<> {
            co_await items.send(1);
            EXPECT_EQ(co_await items.recv(), 1);
        });
        auto endless = channel<int>::unbounded();
        co_await expect_turns("sender", [&]() -> task<> { co_await endless.send(1); });
        while (endless.size() < steps_max)
            static_cast<void>(endless.try_send(1));
        co_await expect_turns("receiver", [&]() -> task<> { static_cast<void>(co_await endless.recv()); });
        broadcast<int> news(2);
        auto listener = news.subscribe();
        co_await expect_turns("broadcast", [&]() -> task<> {
            news.send(1);
            static_cast<void>(co_await listener.recv());
        });
        watch<int> setting(0);
        auto watcher = setting.subscribe();
        co_await expect_turns("watch", [&]() -> task<> {
            setting.set(1);
            static_cast<void>(co_await watcher.changed());
        });
        co_await expect_turns("oneshot", []() -> task<> {
            oneshot<int> answer;
            answer.sender.send(1);
            static_cast<void>(co_await answer.receiver);
        });
        auto [one, other] = duplex(64);
        co_await expect_turns("pipe in memory", [&]() -> task<> {
            std::array<std::byte, 8> bytes{};
            co_await one.write_all(bytes);
            co_await other.read(bytes);
        });
    }());
}

TEST(fair_share, is_kept_by_a_loop_over_select) {
    run_bounded([]() -> task<> {
        channel<int> items(1);
        channel<int> others(1);
        progress made;
        auto looping = spawn(loop_over(made, [&]() -> task<> {
            static_cast<void>(items.try_send(1));
            static_cast<void>(co_await select(items.recv(), others.recv()));
        }));
        for (int turn = 0; turn < 4; ++turn)
            co_await yield();
        EXPECT_GT(made.steps, 0);
        made.is_over = true;
        co_await looping;
        EXPECT_LT(made.steps, steps_max) << "nothing else got a turn";
    }());
}

task<> nothing() {
    co_return;
}

TEST(fair_share, is_kept_by_loops_over_a_task_set) {
    run_bounded([]() -> task<> {
        task_set set;
        co_await expect_turns("join", [&]() -> task<> { co_await set.join(); });
        co_await expect_turns("fewer_than", [&]() -> task<> { co_await set.fewer_than(1); });
        co_await expect_turns("spawn_when_free",
                              [&]() -> task<> { co_await set.spawn_when_free(nothing()); });
        co_await set.join();
    }());
}

// Lets a loop come to where its turn is over. Then it holds nothing of what it loops over.
template <class Loop>
task<> meet_away(Loop loop) {
    progress made;
    auto looping = spawn(loop(made));
    co_await yield();
    EXPECT_GT(made.steps, 0);
    EXPECT_LT(made.steps, steps_max);
    looping.cancel();
}

task<> locks(mutex& lock, progress& made) {
    for (; made.goes_on(); ++made.steps)
        const auto guard = co_await lock.lock();
}

task<> acquires(semaphore& permits, progress& made) {
    for (; made.goes_on(); ++made.steps)
        const auto permit = co_await permits.acquire(3);
}

task<> takes_signals(auto_reset_event& signal, progress& made) {
    for (; made.goes_on(); ++made.steps) {
        signal.set();
        co_await signal.wait();
    }
}

task<> receives(channel<int>& items, int& expected, progress& made) {
    for (; made.goes_on(); ++made.steps) {
        const auto item = co_await items.recv();
        EXPECT_EQ(item, expected);
        ++expected;
    }
}

TEST(fair_share, takes_nothing_along_when_it_is_dropped_while_others_have_their_turn) {
    run_bounded([]() -> task<> {
        mutex lock;
        co_await meet_away([&](progress& made) { return locks(lock, made); });
        EXPECT_FALSE(lock.is_locked());
        semaphore permits(3);
        co_await meet_away([&](progress& made) { return acquires(permits, made); });
        EXPECT_EQ(permits.available(), 3U);
        auto_reset_event signal;
        co_await meet_away([&](progress& made) { return takes_signals(signal, made); });
        EXPECT_TRUE(signal.is_set());
        auto items = channel<int>::unbounded();
        for (int at = 0; at < steps_max; ++at)
            static_cast<void>(items.try_send(at));
        int expected = 0;
        co_await meet_away([&](progress& made) { return receives(items, expected, made); });
        EXPECT_EQ(items.size(), static_cast<std::size_t>(steps_max - expected));
        EXPECT_EQ(co_await items.recv(), expected);
    }());
}

TEST(fair_share, waits_when_it_comes_back_for_what_others_have_taken_meanwhile) {
    run_bounded([]() -> task<> {
        mutex lock;
        semaphore permits(3);
        progress locked;
        progress acquired;
        auto locking = spawn(locks(lock, locked));
        auto acquiring = spawn(acquires(permits, acquired));
        co_await yield();
        EXPECT_FALSE(lock.is_locked()) << "it is not held while others have their turn";
        auto guard = lock.try_lock();
        auto permit = permits.try_acquire(1);
        EXPECT_TRUE(guard);
        EXPECT_TRUE(permit);
        const int locked_before = locked.steps;
        const int acquired_before = acquired.steps;
        for (int turn = 0; turn < 3; ++turn)
            co_await next_turn();
        EXPECT_EQ(locked.steps, locked_before);
        EXPECT_EQ(acquired.steps, acquired_before);
        guard.unlock();
        permit.give_back();
        co_await two_turns();
        EXPECT_GT(locked.steps, locked_before);
        EXPECT_GT(acquired.steps, acquired_before);
        locked.is_over = acquired.is_over = true;
        co_await locking;
        co_await acquiring;

        auto items = channel<int>::unbounded();
        for (int at = 0; at < steps_max; ++at)
            static_cast<void>(items.try_send(at));
        int expected = 0;
        progress received;
        auto receiving = spawn(receives(items, expected, received));
        co_await yield();
        int next = expected;
        while (const auto item = items.try_recv())
            EXPECT_EQ(*item, next++);
        EXPECT_EQ(next, steps_max) << "it has taken nothing while others have their turn";
        co_await two_turns();
        expected = steps_max;
        received.is_over = true;
        static_cast<void>(items.try_send(steps_max));
        co_await receiving;
        EXPECT_EQ(expected, steps_max + 1);
    }());
}

}  // namespace
}  // namespace eddy::fair_share_test
