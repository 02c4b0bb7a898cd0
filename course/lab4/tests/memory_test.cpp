#include "channel.hpp"
#include "event.hpp"
#include "inbox.hpp"
#include "latch.hpp"
#include "loop.hpp"
#include "mutex.hpp"
#include "support/test.hpp"
#include "task.hpp"
#include "wait_group.hpp"
#include "workers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace course;

constexpr int rounds = 1'000;

TEST(memory, what_has_waited_may_destroy_the_event) {
    suspect(
        "set() touched the event after it had woken a task, which had destroyed it by then: take all waiters "
        "out under the lock, and wake them after it",
        "what-may-be-gone");
    lab::workers pool(2);
    auto set = [](lab::event& which) -> lab::task<> {
        which.set();
        co_return;
    };
    auto main = [](lab::workers& on, auto& sets) -> lab::task<> {
        for (int round = 0; round < rounds; ++round) {
            auto happens = std::make_unique<lab::event>();
            on.spawn_on(1, sets(*happens));
            co_await happens->wait();
            happens.reset();
        }
    };
    pool.run_on(0, main(pool, set));
}

TEST(memory, what_has_waited_may_destroy_the_latch) {
    suspect("count_down() touched the latch after the last count had opened it", "what-may-be-gone");
    lab::workers pool(3);
    auto count = [](lab::latch& counts) -> lab::task<> {
        counts.count_down();
        co_return;
    };
    auto main = [](lab::workers& on, auto& counts) -> lab::task<> {
        for (int round = 0; round < rounds; ++round) {
            auto all = std::make_unique<lab::latch>(2);
            on.spawn_on(1, counts(*all));
            on.spawn_on(2, counts(*all));
            co_await all->wait();
            all.reset();
        }
    };
    pool.run_on(0, main(pool, count));
}

TEST(memory, what_a_mutex_guards_is_seen_by_the_next_one) {
    suspect("what one task wrote under the mutex is not ordered before what the next one reads",
            "step-5-a-mutex");
    lab::workers pool(2);
    lab::mutex lock;
    std::string text;  // a plain object: the mutex is all that orders its uses
    lab::wait_group group;
    auto append = [](lab::mutex& guards, std::string& into, lab::wait_group& ends) -> lab::task<> {
        for (int round = 0; round < rounds; ++round) {
            const auto guard = co_await guards.lock();
            into += "x";
        }
        ends.done();
    };
    auto main = [](lab::workers& on, auto& appends, lab::mutex& guards, std::string& into,
                   lab::wait_group& ends) -> lab::task<> {
        ends.add(2);
        on.spawn_on(0, appends(guards, into, ends));
        on.spawn_on(1, appends(guards, into, ends));
        co_await ends.wait();
    };
    pool.run_on(0, main(pool, append, lock, text, group));
    EXPECT_EQ(text.size(), 2u * rounds);
}

TEST(memory, what_is_posted_is_seen_where_it_arrives) {
    suspect(
        "what a thread wrote before it posted is not ordered before what the loop reads: push with release, "
        "and take with acquire",
        "step-1-an-inbox");
    lab::workers pool(2);
    auto read = [](std::unique_ptr<std::string> text, std::size_t& into, lab::event& ends) -> lab::task<> {
        into += text->size();
        ends.set();
        co_return;
    };
    auto main = [](lab::workers& on, auto& reads) -> lab::task<std::size_t> {
        std::size_t sum = 0;
        for (int round = 0; round < rounds; ++round) {
            lab::event ends;
            on.spawn_on(1, reads(std::make_unique<std::string>(100, 'x'), sum, ends));
            co_await ends.wait();
        }
        co_return sum;
    };
    EXPECT_EQ(pool.run_on(0, main(pool, read)), 100u * rounds);
}

TEST(memory, items_of_a_channel_are_moved_and_freed) {
    suspect("an item was freed twice, or was left in a sender or a receiver that has gone",
            "step-7-a-channel");
    lab::workers pool(2);
    lab::channel<std::unique_ptr<std::string>> items(3);
    auto send = [](lab::channel<std::unique_ptr<std::string>>& into) -> lab::task<> {
        for (int at = 0; at < rounds; ++at)
            co_await into.send(std::make_unique<std::string>(100, 'x'));
        into.close();
        co_await into.send(std::make_unique<std::string>("too late"));
    };
    auto receive = [](lab::channel<std::unique_ptr<std::string>>& from) -> lab::task<std::size_t> {
        std::size_t sum = 0;
        for (;;) {
            auto item = co_await from.receive();
            if (!item)
                break;
            sum += (*item)->size();
        }
        co_return sum;
    };
    pool.spawn_on(1, send(items));
    EXPECT_EQ(pool.run_on(0, receive(items)), 100u * rounds);
}

TEST(memory, waiting_allocates_nothing) {
    if (!course::counts_allocations)
        GTEST_SKIP() << "[sanitizer] allocations are not counted";
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    auto main = []() -> lab::task<std::size_t> {
        lab::event happened;
        lab::latch open(0);
        lab::mutex lock;
        lab::wait_group none;
        happened.set();
        const std::size_t before = course::allocations();
        for (int round = 0; round < 100; ++round) {
            co_await happened.wait();
            co_await open.wait();
            co_await none.wait();
            const auto guard = co_await lock.lock();
        }
        co_return course::allocations() - before;
    };
    EXPECT_EQ(loop.run(main()), 0u) << why(
        "a waiter lies in the frame of the task that waits: nothing is allocated for it",
        "what-they-have-in-common");
}

}  // namespace
