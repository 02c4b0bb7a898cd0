// Steps 4 and 5 of lab 5: waiters that unlink themselves, and a crew.

#include "crew.hpp"
#include "drop_world.hpp"
#include "semaphore.hpp"
#include "support/test.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

using namespace lab_test;

// -- step 4 --

constexpr const char* waiters_anchor = "step-4-waiters-that-unlink-themselves";

namespace {

lab::task<> hold(lab::semaphore& of, std::vector<int>& order, int number, int how_long) {
    const lab::permit held = co_await of.acquire();
    order.push_back(number);
    co_await turns(how_long);
}

}  // namespace

TEST(step4, permits_are_given_in_order) {
    course::suspect("a task that waits for a permit never gets one", waiters_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::semaphore two(2);
        std::vector<int> order;
        std::vector<std::unique_ptr<begun>> tasks;
        for (int number = 0; number < 6; ++number)
            tasks.push_back(std::make_unique<begun>(hold(two, order, number, 3)));
        EXPECT_EQ(order.size(), 2U) << course::why("two permits are for two tasks", waiters_anchor);
        co_await turns(30);
        EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}))
            << course::why("those that wait get permits in the order in which they came", waiters_anchor);
        EXPECT_EQ(two.free(), 2U);
    };
    here.loop.run(work());
}

TEST(step4, a_dropped_waiter_leaves_no_gap) {
    course::suspect("a semaphore resumes a task that was dropped while it waited", waiters_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::semaphore one(1);
        std::vector<int> order;
        begun first(hold(one, order, 0, 5));
        begun second(hold(one, order, 1, 1));
        begun third(hold(one, order, 2, 1));
        second.drop();
        co_await turns(20);
        EXPECT_EQ(order, (std::vector<int>{0, 2}))
            << course::why("a task that was dropped while it waited must leave the queue", waiters_anchor);
        EXPECT_EQ(one.free(), 1U);
    };
    here.loop.run(work());
}

TEST(step4, a_permit_that_was_not_taken_goes_to_the_next) {
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::semaphore one(1);
        std::vector<int> order;
        begun first(hold(one, order, 0, 1000));
        begun second(hold(one, order, 1, 1));
        begun third(hold(one, order, 2, 1));
        first.drop();   // its permit is the second one's now, which is ready
        second.drop();  // and is dropped before it has seen it
        co_await turns(10);
        EXPECT_EQ(order, (std::vector<int>{0, 2}))
            << course::why("a waiter was dropped after its turn had come, and its permit is lost: pass it on",
                           waiters_anchor);
        EXPECT_EQ(one.free(), 1U) << course::why("a permit was lost, or there is one too many",
                                                 waiters_anchor);
    };
    here.loop.run(work());
}

TEST(step4, a_newcomer_does_not_overtake) {
    world here;
    const auto work = [&]() -> lab::task<> {
        lab::semaphore one(1);
        std::vector<int> order;
        begun first(hold(one, order, 0, 1000));
        begun second(hold(one, order, 1, 1));
        first.drop();
        begun third(hold(one, order, 2, 1));
        EXPECT_EQ(order.size(), 1U) << course::why(
            "a task that comes later has taken the permit of one that waits", waiters_anchor);
        co_await turns(10);
        EXPECT_EQ(order, (std::vector<int>{0, 1, 2}))
            << course::why("a task that comes later has taken the permit of one that waits", waiters_anchor);
    };
    here.loop.run(work());
}

// -- step 5 --

constexpr const char* crew_anchor = "step-5-a-crew";

namespace {

/// Notes that it is destroyed.
struct trace_end {
    explicit trace_end(int& count) : ends(count) {}
    trace_end(const trace_end&) = delete;
    ~trace_end() { ++ends; }
    int& ends;
};

lab::task<> stay(int how_long, int& ends, int& ended_by_itself) {
    const trace_end end(ends);
    co_await turns(how_long);
    ++ended_by_itself;
}

}  // namespace

TEST(step5, members_run_and_end) {
    course::suspect("join() never ends, or a member is destroyed twice", crew_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        int ends = 0;
        int ended = 0;
        lab::crew all;
        for (int number = 0; number < 10; ++number)
            all.spawn(stay(number, ends, ended));
        EXPECT_EQ(all.size(), 10U);
        EXPECT_EQ(ended, 0) << course::why("spawn() posts the task, and does not run it", crew_anchor);
        co_await all.join();
        EXPECT_EQ(ended, 10);
        EXPECT_EQ(ends, 10) << course::why("the frame of a member that has ended is destroyed at once",
                                           crew_anchor);
        EXPECT_EQ(all.size(), 0U);
        co_await all.join();
    };
    here.loop.run(work());
}

TEST(step5, one_is_dropped_and_the_others_go_on) {
    world here;
    const auto work = [&]() -> lab::task<> {
        int ends = 0;
        int ended = 0;
        lab::crew all;
        all.spawn(stay(5, ends, ended));
        lab::crew::member& second = all.spawn(stay(1000, ends, ended));
        all.spawn(stay(5, ends, ended));
        co_await turns(2);
        all.drop(second);
        EXPECT_EQ(ends, 1) << course::why("a task that is dropped ends at once", crew_anchor);
        co_await all.join();
        EXPECT_EQ(ended, 2);
    };
    here.loop.run(work());
}

TEST(step5, dropping_the_crew_drops_all_of_it) {
    world here;
    int ends = 0;
    int ended = 0;
    const auto work = [&]() -> lab::task<> {
        {
            lab::crew all;
            for (int number = 0; number < 10; ++number)
                all.spawn(stay(1000, ends, ended));
            co_await turns(2);
            // Not begun when it is dropped.
            all.spawn(stay(1000, ends, ended));
        }
        EXPECT_EQ(ends, 10) << course::why("the destructor of a crew drops its members", crew_anchor);
        co_await turns(3);
        EXPECT_EQ(ends, 10) << course::why("a member was dropped before it began, and has begun nevertheless",
                                           crew_anchor);
    };
    here.loop.run(work());
    EXPECT_EQ(ended, 0);
}

TEST(step5, a_join_ends_when_the_last_one_was_dropped) {
    course::suspect("a task that joins is not woken by the last drop", crew_anchor);
    world here;
    const auto work = [&]() -> lab::task<> {
        int ends = 0;
        int ended = 0;
        lab::crew all;
        lab::crew::member& only = all.spawn(stay(1000, ends, ended));
        bool is_joined = false;
        const auto join = [&]() -> lab::task<> {
            co_await all.join();
            is_joined = true;
        };
        begun joining(join());
        co_await turns(2);
        EXPECT_FALSE(is_joined);
        all.drop(only);
        co_await turns(2);
        EXPECT_TRUE(is_joined) << course::why("there is no member left, and join() still waits", crew_anchor);
    };
    here.loop.run(work());
}
