#include "event.hpp"
#include "inbox.hpp"
#include "latch.hpp"
#include "loop.hpp"
#include "sleep.hpp"
#include "support/test.hpp"
#include "support/turns.hpp"
#include "task.hpp"
#include "wait_group.hpp"
#include "workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace course;
using lab_test::turns;

// Where sanitizers slow all down.
constexpr int rounds = course::is_sanitized ? 2'000 : 20'000;

// ---- Step 1

constexpr const char* inbox_anchor = "step-1-an-inbox";

// Suspends until it is woken, by any thread.
class park {
public:
    explicit park(lab::suspended& node) noexcept : node_(node) {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> caller) noexcept { node_.suspend(caller); }
    void await_resume() const noexcept {}

private:
    lab::suspended& node_;
};

lab::task<> note(lab::suspended& node, std::string& order, char name) {
    co_await park(node);
    order += name;
}

TEST(step1, what_is_posted_arrives_in_order) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    suspect(
        "what was posted to the inbox never came to the loop: fetch() hands it over, and wait() calls that",
        inbox_anchor);
    std::string order;
    std::deque<lab::suspended> nodes(3);
    for (int at = 0; at < 3; ++at)
        loop.spawn(note(nodes[static_cast<std::size_t>(at)], order, static_cast<char>('a' + at)));
    loop.run(turns(2));
    for (auto& each : nodes)
        box.post(each);
    loop.run(turns(4));
    EXPECT_EQ(order, "abc") << why(
        "the newest is at the front of the stack: turn it round before you hand it over", inbox_anchor);
}

TEST(step1, nothing_is_lost_between_threads) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    suspect(
        "a post was lost: the exchange that pushes has to be one atomic step, again and again until it "
        "succeeds",
        inbox_anchor);
    constexpr std::size_t each = 10'000;
    std::string order;
    std::deque<lab::suspended> nodes(4 * each);
    for (auto& node : nodes)
        loop.spawn(note(node, order, 'x'));
    loop.run(turns(2));
    std::latch start(4);
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            start.arrive_and_wait();
            for (std::size_t at = 0; at < each; ++at)
                box.post(nodes[thread * each + at]);
        });
    auto wait = [](std::string& log) -> lab::task<> {
        while (log.size() < 4 * each)
            co_await lab::yield();
    };
    loop.run(wait(order));
    for (auto& thread : threads)
        thread.join();
    EXPECT_EQ(order.size(), 4 * each);
}

// ---- Step 2

constexpr const char* sleep_anchor = "step-2-sleep-and-wake-up";

lab::task<int> seven() {
    co_return 7;
}

TEST(step2, a_loop_that_sleeps_is_woken) {
    suspect(
        "the loop sleeps although something was posted: the post that finds the sleeping mark has to write "
        "to the eventfd",
        sleep_anchor);
    lab::workers pool(1);
    for (int round = 0; round < 50; ++round) {
        std::this_thread::sleep_for(1ms);
        EXPECT_EQ(pool.run_on(0, seven()), 7);
    }
}

TEST(step2, no_wake_up_is_lost_just_before_the_sleep) {
    suspect(
        "a post came between the last look and the sleep, and its wake-up was lost: go to sleep by one "
        "compare-and-exchange from empty to the mark, which "
        "fails if something has come",
        sleep_anchor);
    // Posts the next one as soon as the last one has run, which is just when the loop goes to sleep.
    std::atomic<int> arrived = 0;
    auto count = [](std::atomic<int>& into) -> lab::task<> {
        ++into;
        co_return;
    };
    lab::workers pool(1);
    for (int round = 1; round <= 4 * rounds; ++round) {
        pool.spawn_on(0, count(arrived));
        for (int spins = 0; arrived.load() < round; ++spins) {
            ASSERT_LT(spins, 20'000) << why(
                "a post came between the last look and the sleep, and its wake-up was lost: "
                "go to sleep by one compare-and-exchange from empty to the mark",
                sleep_anchor);
            if (spins > 1000)
                std::this_thread::sleep_for(50us);
        }
    }
}

TEST(step2, a_loop_that_runs_is_not_woken) {
    lab::inbox box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    std::string order;
    std::deque<lab::suspended> nodes(100);
    for (auto& each : nodes)
        loop.spawn(note(each, order, 'x'));
    loop.run(turns(2));
    for (auto& each : nodes)
        box.post(each);
    loop.run(turns(3));
    EXPECT_EQ(box.wake_ups(), 0u) << why(
        "a wake-up is a system call: only the post that finds the sleeping mark makes one", sleep_anchor);
}

TEST(step2, it_wakes_for_its_timers) {
    suspect("the loop slept past its timer: the time until then is the timeout of ppoll()", sleep_anchor);
    lab::workers pool(1);
    auto sleep = []() -> lab::task<lab::duration> {
        const auto begin = lab::clock::now();
        co_await lab::sleep(20ms);
        co_return lab::clock::now() - begin;
    };
    EXPECT_GE(pool.run_on(0, sleep()), 20ms);
}

TEST(step2, a_sleep_is_one_sleep) {
    struct counting : lab::inbox {
        void wait(std::optional<lab::time_point> until) override {
            ++waits;
            inbox::wait(until);
        }
        int waits = 0;
    } box;
    const lab::inbox::entered here(box);
    lab::loop loop(box);
    std::string order;
    lab::suspended node;
    loop.spawn(note(node, order, 'x'));
    loop.run(turns(2));
    box.waits = 0;
    std::thread other([&] {
        std::this_thread::sleep_for(5ms);
        box.post(node);
    });
    auto sleep = []() -> lab::task<> { co_await lab::sleep(50ms); };
    loop.run(sleep());
    other.join();
    EXPECT_LE(box.waits, 30) << why(
        "the loop spins where it should sleep: after a wake-up, read the eventfd, or it stays readable",
        sleep_anchor);
}

// ---- Step 3

constexpr const char* event_anchor = "step-3-an-event";

// Where a task goes on.
lab::task<lab::inbox*> home_after(lab::event& awaited) {
    co_await awaited.wait();
    co_return lab::inbox::current();
}

lab::task<> set(lab::event& which) {
    which.set();
    co_return;
}

TEST(step3, a_task_waits_for_an_event_of_another_worker) {
    suspect("the event was set, and the task that waits was not woken", event_anchor);
    lab::workers pool(2);
    lab::event happens;
    auto main = [](lab::workers& on, lab::event& awaited) -> lab::task<lab::inbox*> {
        on.spawn_on(1, set(awaited));
        co_return co_await home_after(awaited);
    };
    EXPECT_EQ(pool.run_on(0, main(pool, happens)), &pool.inbox_of(0))
        << why("a task that was woken goes on in its own worker: post it to the inbox of its home, never "
               "resume it where set() is called",
               event_anchor);
}

TEST(step3, an_event_that_has_happened_is_not_waited_for) {
    suspect(
        "the task waits for an event that was set before: look at it under the lock, and return false from "
        "await_suspend()",
        event_anchor);
    lab::workers pool(1);
    lab::event happens;
    happens.set();
    EXPECT_TRUE(happens.is_set());
    pool.run_on(0, home_after(happens));
}

TEST(step3, all_that_wait_are_woken) {
    suspect("an event wakes all that wait for it", event_anchor);
    lab::workers pool(2);
    lab::event happens;
    lab::latch woken(10);
    auto wait = [](lab::event& awaited, lab::latch& counts) -> lab::task<> {
        co_await awaited.wait();
        counts.count_down();
    };
    for (int at = 0; at < 10; ++at)
        pool.spawn_on(static_cast<std::size_t>(at % 2), wait(happens, woken));
    auto main = [](lab::event& which, lab::latch& counts) -> lab::task<> {
        co_await lab::sleep(5ms);
        which.set();
        co_await counts.wait();
    };
    pool.run_on(0, main(happens, woken));
}

TEST(step3, no_event_is_missed_in_between) {
    suspect("the event was set between the look and the wait: both happen under one lock", event_anchor);
    lab::workers pool(2);
    auto main = [](lab::workers& on) -> lab::task<> {
        for (int round = 0; round < rounds; ++round) {
            lab::event happens;
            on.spawn_on(1, set(happens));
            co_await happens.wait();
        }
    };
    pool.run_on(0, main(pool));
}

// ---- Step 4

constexpr const char* count_anchor = "step-4-a-latch-and-a-wait-group";

TEST(step4, a_latch_opens_with_the_last_count) {
    suspect("the last count_down() has to set the event", count_anchor);
    lab::workers pool(2);
    std::atomic<int> counted = 0;
    lab::latch all(100);
    auto count = [](std::atomic<int>& into, lab::latch& counts) -> lab::task<> {
        ++into;
        counts.count_down();
        co_return;
    };
    auto main = [](lab::workers& on, auto& make, std::atomic<int>& into,
                   lab::latch& counts) -> lab::task<int> {
        for (std::size_t at = 0; at < 100; ++at)
            on.spawn_on(at % 2, make(into, counts));
        co_await counts.wait();
        co_return into.load();
    };
    EXPECT_EQ(pool.run_on(0, main(pool, count, counted, all)), 100)
        << why("the latch opened before the last count", count_anchor);
}

TEST(step4, a_latch_of_nothing_is_open) {
    suspect("a latch that counts nothing is open from the beginning", count_anchor);
    lab::workers pool(1);
    lab::latch all(0);
    auto wait = [](lab::latch& counts) -> lab::task<> { co_await counts.wait(); };
    pool.run_on(0, wait(all));
}

lab::task<> finish(lab::wait_group& group) {
    co_await lab::yield();
    group.done();
}

TEST(step4, a_wait_group_is_used_again_and_again) {
    suspect("a wait group is not used up: its count may rise again after it was zero", count_anchor);
    lab::workers pool(2);
    auto main = [](lab::workers& on) -> lab::task<> {
        lab::wait_group group;
        for (int round = 0; round < rounds / 20; ++round) {
            group.add(2);
            on.spawn_on(0, finish(group));
            on.spawn_on(1, finish(group));
            co_await group.wait();
        }
    };
    pool.run_on(0, main(pool));
}

TEST(step4, nothing_under_way_is_no_reason_to_wait) {
    suspect("a wait group of zero does not suspend", count_anchor);
    lab::workers pool(1);
    lab::wait_group group;
    auto wait = [](lab::wait_group& counts) -> lab::task<> { co_await counts.wait(); };
    pool.run_on(0, wait(group));
}

}  // namespace
