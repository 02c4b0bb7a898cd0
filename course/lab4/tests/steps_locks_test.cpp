#include "channel.hpp"
#include "condition_variable.hpp"
#include "inbox.hpp"
#include "loop.hpp"
#include "mutex.hpp"
#include "sleep.hpp"
#include "support/test.hpp"
#include "support/turns.hpp"
#include "task.hpp"
#include "wait_group.hpp"
#include "workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace std::chrono_literals;
using namespace course;
using lab_test::turns;

// Where sanitizers slow all down.
constexpr int rounds = course::is_sanitized ? 2'000 : 20'000;

// ---- Step 5

constexpr const char* mutex_anchor = "step-5-a-mutex";

TEST(step5, one_task_at_a_time_has_it) {
    suspect("a task that waits for the mutex was not woken when it was unlocked", mutex_anchor);
    lab::workers pool(3);
    lab::mutex lock;
    long count = 0;  // guarded by the mutex alone
    lab::wait_group group;
    auto add = [](lab::mutex& guards, long& counts, lab::wait_group& ends) -> lab::task<> {
        for (int round = 0; round < rounds / 10; ++round) {
            const auto guard = co_await guards.lock();
            const long before = counts;
            if (round % 16 == 0)
                co_await lab::yield();  // the lock is held meanwhile
            counts = before + 1;
        }
        ends.done();
    };
    auto main = [](lab::workers& on, auto& make, lab::mutex& guards, long& counts,
                   lab::wait_group& ends) -> lab::task<> {
        ends.add(6);
        for (std::size_t at = 0; at < 6; ++at)
            on.spawn_on(at % 3, make(guards, counts, ends));
        co_await ends.wait();
    };
    pool.run_on(0, main(pool, add, lock, count, group));
    EXPECT_EQ(count, 6 * (rounds / 10))
        << why("two tasks had the lock at the same time: when unlock() wakes a waiter the mutex stays "
               "locked, for it",
               mutex_anchor);
}

TEST(step5, waiters_have_it_in_the_order_in_which_they_came) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    std::string order;
    lab::mutex lock;
    auto take = [](lab::mutex& from, std::string& log, char name) -> lab::task<> {
        const auto guard = co_await from.lock();
        log += name;
        co_await lab::yield();
    };
    auto main = [](auto& make, lab::mutex& from, std::string& log) -> lab::task<> {
        auto guard = std::make_unique<lab::mutex_guard>(co_await from.lock());
        for (const char name : {'a', 'b', 'c'})
            lab::loop::current().spawn(make(from, log, name));
        co_await turns(3);
        guard.reset();
        // It was faster than the waiters, which came first.
        const auto again = co_await from.lock();
        log += 'm';
    };
    suspect("a waiter of the mutex was never woken", mutex_anchor);
    loop.run(main(take, lock, order));
    EXPECT_EQ(order, "abcm") << why(
        "a waiter was overtaken: hand the lock to the first that waits, so that no other can take it in "
        "between",
        mutex_anchor);
}

TEST(step5, try_lock_does_not_wait) {
    lab::mutex lock;
    EXPECT_TRUE(lock.try_lock());
    EXPECT_FALSE(lock.try_lock());
    lock.unlock();
    EXPECT_TRUE(lock.try_lock()) << why("unlock() without a waiter has to open the mutex", mutex_anchor);
    lock.unlock();
}

// ---- Step 6

constexpr const char* condition_anchor = "step-6-a-condition-variable";

TEST(step6, a_task_waits_until_something_is_true) {
    suspect("the notification was lost: a waiter has to be in the list before it unlocks the mutex",
            condition_anchor);
    lab::workers pool(2);
    struct shared {
        lab::mutex lock;
        lab::condition_variable changed;
        int turn = 0;
    } state;
    auto play = [](shared& game, int mine) -> lab::task<> {
        for (int round = 0; round < rounds / 4; ++round) {
            auto guard = co_await game.lock.lock();
            co_await game.changed.wait(guard, [&] { return game.turn == mine; });
            game.turn = 1 - mine;
            game.changed.notify_one();
        }
    };
    auto main = [](lab::workers& on, auto& make, shared& game) -> lab::task<> {
        on.spawn_on(1, make(game, 1));
        co_await make(game, 0);
        auto guard = co_await game.lock.lock();
        co_await game.changed.wait(guard, [&] { return game.turn == 0; });
    };
    pool.run_on(0, main(pool, play, state));
}

TEST(step6, the_lock_is_held_after_the_wait) {
    lab::workers pool(1);
    struct shared {
        lab::mutex lock;
        lab::condition_variable changed;
        bool is_ready = false;
    } state;
    suspect("the waiter does not unlock the mutex while it waits, or is never notified", condition_anchor);
    auto wait = [](shared& from) -> lab::task<bool> {
        auto guard = co_await from.lock.lock();
        co_await from.changed.wait(guard, [&] { return from.is_ready; });
        co_return !from.lock.try_lock();
    };
    auto notify = [](shared& from) -> lab::task<> {
        const auto guard = co_await from.lock.lock();
        from.is_ready = true;
        from.changed.notify_all();
    };
    auto main = [](auto& waits, auto& notifies, shared& from) -> lab::task<bool> {
        lab::loop::current().spawn(notifies(from));
        co_return co_await waits(from);
    };
    EXPECT_TRUE(pool.run_on(0, main(wait, notify, state)))
        << why("wait() returns with the mutex locked, as it was before", condition_anchor);
}

TEST(step6, notify_one_wakes_one_and_notify_all_wakes_all) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    struct shared {
        lab::mutex lock;
        lab::condition_variable changed;
        int woken = 0;
    } state;
    auto wait = [](shared& from) -> lab::task<> {
        auto guard = co_await from.lock.lock();
        co_await from.changed.wait(guard);
        ++from.woken;
    };
    for (int at = 0; at < 5; ++at)
        loop.spawn(wait(state));
    loop.run(turns(10));
    auto notify = [](shared& from, bool all) -> lab::task<> {
        if (all)
            from.changed.notify_all();
        else
            from.changed.notify_one();
        co_await turns(20);
    };
    loop.run(notify(state, false));
    EXPECT_EQ(state.woken, 1) << why("notify_one() wakes one of the waiters", condition_anchor);
    loop.run(notify(state, true));
    EXPECT_EQ(state.woken, 5) << why("notify_all() wakes all of the waiters", condition_anchor);
}

// ---- Step 7

constexpr const char* channel_anchor = "step-7-a-channel";

lab::task<> send_all(lab::channel<int>& into, int count) {
    for (int at = 1; at <= count; ++at)
        co_await into.send(at);
    into.close();
}

lab::task<long> receive_all(lab::channel<int>& from, bool& is_in_order) {
    long sum = 0;
    int last = 0;
    for (;;) {
        const std::optional<int> item = co_await from.receive();
        if (!item)
            break;
        is_in_order = is_in_order && *item == last + 1;
        last = *item;
        sum += *item;
    }
    co_return sum;
}

void pass_through(std::size_t capacity) {
    lab::workers pool(2);
    lab::channel<int> items(capacity);
    bool is_in_order = true;
    pool.spawn_on(1, send_all(items, rounds));
    EXPECT_EQ(pool.run_on(0, receive_all(items, is_in_order)), static_cast<long>(rounds) * (rounds + 1) / 2)
        << why("items were lost, or came twice", channel_anchor);
    EXPECT_TRUE(is_in_order) << why(
        "items of one sender arrive in the order in which they were sent: what a waiting sender has goes "
        "behind what is in the queue",
        channel_anchor);
}

TEST(step7, items_pass_in_order) {
    suspect(
        "a sender or receiver was not woken: each change of the queue serves one that waits on the other "
        "side",
        channel_anchor);
    pass_through(4);
}

TEST(step7, without_capacity_items_go_from_hand_to_hand) {
    suspect("with a capacity of 0 a receiver takes the item from a sender that waits, or waits for one",
            channel_anchor);
    pass_through(0);
}

TEST(step7, a_full_channel_makes_its_senders_wait) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    lab::channel<int> items(2);
    int sent = 0;
    auto send = [](lab::channel<int>& into, int& counts) -> lab::task<> {
        for (int at = 0; at < 5; ++at) {
            co_await into.send(at);
            ++counts;
        }
    };
    loop.spawn(send(items, sent));
    loop.run(turns(5));
    EXPECT_EQ(sent, 2) << why(
        "a channel holds no more items than its capacity: back-pressure is what it is for", channel_anchor);
    auto drain = [](lab::channel<int>& from) -> lab::task<int> {
        int sum = 0;
        for (int at = 0; at < 5; ++at)
            sum += (co_await from.receive()).value_or(100);
        co_return sum;
    };
    suspect("the sender that waits was not woken when there was room", channel_anchor);
    EXPECT_EQ(loop.run(drain(items)), 10);
}

TEST(step7, closing_ends_receivers_once_it_is_empty) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    lab::channel<int> items(4);
    auto fill = [](lab::channel<int>& into) -> lab::task<> {
        co_await into.send(1);
        co_await into.send(2);
        into.close();
    };
    loop.run(fill(items));
    bool is_in_order = true;
    suspect("a receiver waits at a channel that is closed", channel_anchor);
    EXPECT_EQ(loop.run(receive_all(items, is_in_order)), 3)
        << why("what was sent before close() is still received", channel_anchor);
    auto send = [](lab::channel<int>& into) -> lab::task<bool> { co_return co_await into.send(3); };
    EXPECT_FALSE(loop.run(send(items)))
        << why("nothing can be sent into a closed channel: send() returns false", channel_anchor);
}

TEST(step7, closing_wakes_all_that_wait) {
    suspect(
        "tasks that waited when the channel was closed were not woken: senders fail, receivers get nothing",
        channel_anchor);
    lab::workers pool(2);
    lab::channel<int> items(0);
    auto main = [](lab::workers& on, lab::channel<int>& channel) -> lab::task<int> {
        lab::wait_group group;
        std::atomic<int> empty = 0;
        auto receive = [](lab::channel<int>& from, std::atomic<int>& counts,
                          lab::wait_group& ends) -> lab::task<> {
            const auto item = co_await from.receive();
            counts += item ? 0 : 1;
            ends.done();
        };
        group.add(4);
        for (std::size_t at = 0; at < 4; ++at)
            on.spawn_on(at % 2, receive(channel, empty, group));
        co_await lab::sleep(5ms);
        channel.close();
        co_await group.wait();
        co_return empty.load();
    };
    EXPECT_EQ(pool.run_on(0, main(pool, items)), 4);
}

}  // namespace
