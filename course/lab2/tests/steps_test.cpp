#include "loop.hpp"
#include "sleep.hpp"
#include "support/test.hpp"
#include "support/virtual_clock.hpp"
#include "task.hpp"
#include "timeout.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace {

using namespace std::chrono_literals;
using namespace course;

// ---- Step 1

constexpr const char* queue_anchor = "step-1-a-ready-queue";

lab::task<int> seven() {
    co_return 7;
}

TEST(step1, a_loop_runs_a_task_to_its_end) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect(
        "run() never resumed the task, or run() waits although its task has ended: look at done() after each "
        "batch, before you wait",
        queue_anchor);
    EXPECT_EQ(loop.run(seven()), 7);
    EXPECT_EQ(clock.waits, 0) << why(
        "run() waits although its task has ended: look at done() after each batch, before you wait",
        queue_anchor);
}

TEST(step1, an_exception_leaves_run) {
    virtual_clock clock;
    lab::loop loop(clock);
    auto fail = []() -> lab::task<> {
        throw std::runtime_error("no luck");
        co_return;
    };
    EXPECT_THROW(loop.run(fail()), std::runtime_error);
}

TEST(step1, a_task_finds_its_loop) {
    virtual_clock clock;
    lab::loop loop(clock);
    auto find = []() -> lab::task<lab::loop*> { co_return &lab::loop::current(); };
    EXPECT_EQ(loop.run(find()), &loop)
        << why("current() is the loop whose run() is under way in this thread", queue_anchor);
}

TEST(step1, a_loop_inside_a_loop_brings_the_outer_one_back) {
    virtual_clock clock;
    lab::loop outer(clock);
    auto nested = [](lab::waiter& waits) -> lab::task<lab::loop*> {
        lab::loop inner(waits);
        inner.run(seven());
        co_return &lab::loop::current();
    };
    EXPECT_EQ(outer.run(nested(clock)), &outer)
        << why("run() has to bring back what current() was before it", queue_anchor);
}

// ---- Step 2

constexpr const char* yield_anchor = "step-2-yield";

TEST(step2, a_task_that_yields_goes_on) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect("a task that yields is not in the queue: post it in await_suspend()", yield_anchor);
    auto count = []() -> lab::task<int> {
        int turns = 0;
        while (turns < 1000) {
            co_await lab::yield();
            ++turns;
        }
        co_return turns;
    };
    EXPECT_EQ(loop.run(count()), 1000);
}

// Resumes what it is made for in the order of the posts, which it notes.
lab::task<> note(std::string& order, char name) {
    order += name;
    co_return;
}

TEST(step2, coroutines_are_resumed_in_the_order_in_which_they_were_posted) {
    virtual_clock clock;
    lab::loop loop(clock);
    std::string order;
    std::deque<lab::task<>> tasks;
    std::deque<lab::parked> ready;
    for (const char name : {'a', 'b', 'c'}) {
        tasks.push_back(note(order, name));
        ready.emplace_back().frame = tasks.back().handle();
        loop.post(ready.back());
    }
    loop.run(note(order, 'd'));
    EXPECT_EQ(order, "abcd") << why("the queue is not first in, first out: some tasks would starve",
                                    yield_anchor);
}

TEST(step2, what_becomes_ready_waits_for_the_next_turn) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect(
        "a task that always yields keeps the loop in one turn for ever: take the queue as it is now, and "
        "resume that",
        yield_anchor);
    auto busy = []() -> lab::task<> {
        for (int turns = 0; turns < 100; ++turns)
            co_await lab::yield();
    };
    loop.run(busy());
    EXPECT_GE(clock.waits, 99) << why(
        "between two turns the loop has to look at its waiter, or a busy task starves timers and the kernel",
        yield_anchor);
}

TEST(step2, what_was_posted_can_be_taken_back) {
    virtual_clock clock;
    lab::loop loop(clock);
    std::string order;
    auto left_out = note(order, 'x');
    {
        lab::parked ready;
        ready.frame = left_out.handle();
        loop.post(ready);
    }
    loop.run(note(order, 'a'));
    EXPECT_EQ(order, "a") << why(
        "a node that was destroyed leaves the queue: keep the nodes themselves in a list, and no copies of "
        "their handles",
        yield_anchor);
}

// ---- Step 3

constexpr const char* spawn_anchor = "step-3-spawn";

TEST(step3, spawned_tasks_run_beside_the_main_one) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect("a task that was spawned never ran", spawn_anchor);
    std::string order;
    auto twice = [](std::string& log, char name) -> lab::task<> {
        log += name;
        co_await lab::yield();
        log += name;
    };
    auto main = [](auto& run, std::string& log) -> lab::task<> {
        lab::loop::current().spawn(run(log, 'a'));
        lab::loop::current().spawn(run(log, 'b'));
        log += 'm';
        for (int turn = 0; turn < 3; ++turn)
            co_await lab::yield();
    };
    loop.run(main(twice, order));
    EXPECT_EQ(order, "mabab") << why("spawn() posts the task and returns; it starts in the loop's next turn",
                                     spawn_anchor);
}

TEST(step3, a_spawned_task_frees_itself_when_it_ends) {
    virtual_clock clock;
    lab::loop loop(clock);
    census counts;
    auto hold = [](tracked) -> lab::task<> { co_return; };
    auto main = [](auto& make, census& into) -> lab::task<int> {
        lab::loop::current().spawn(make(tracked(into)));
        co_await lab::yield();
        co_await lab::yield();
        co_return into.alive + course::live_coroutines();
    };
    // The main task is one.
    EXPECT_EQ(loop.run(main(hold, counts)), 1) << why(
        "a spawned task has no owner but itself: its final_suspend() does not suspend, which frees the frame",
        spawn_anchor);
}

TEST(step3, what_has_not_ended_goes_on_in_the_next_run) {
    virtual_clock clock;
    lab::loop loop(clock);
    std::string order;
    auto slow = [](std::string& log) -> lab::task<> {
        co_await lab::yield();
        co_await lab::yield();
        log += 'e';
    };
    loop.spawn(slow(order));
    loop.run(seven());
    EXPECT_EQ(order, "");
    auto wait = []() -> lab::task<> {
        for (int turn = 0; turn < 4; ++turn)
            co_await lab::yield();
    };
    loop.run(wait());
    EXPECT_EQ(order, "e");
}

TEST(step3, a_loop_that_goes_takes_its_spawned_tasks_along) {
    virtual_clock clock;
    census counts;
    {
        lab::loop loop(clock);
        auto hold = [](tracked) -> lab::task<> {
            for (;;)
                co_await lab::yield();
        };
        loop.spawn(hold(tracked(counts)));
        loop.run(seven());
        loop.spawn(hold(tracked(counts)));
    }
    EXPECT_EQ(counts.alive, 0) << why(
        "spawned tasks that have not ended are the loop's: its destructor destroys them", spawn_anchor);
}

// ---- Step 5

constexpr const char* sleep_anchor = "step-5-sleep";

lab::task<> sleep_and_note(lab::duration length, std::string& order, char name) {
    co_await lab::sleep(length);
    order += name;
}

TEST(step5, a_task_sleeps_until_its_time) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect(
        "the sleeper is never resumed: add its timer in await_suspend(), and post what is due in each turn",
        sleep_anchor);
    const auto begin = clock.now();
    auto sleep = []() -> lab::task<> { co_await lab::sleep(1h); };
    loop.run(sleep());
    EXPECT_EQ(clock.now() - begin, 1h)
        << why("the loop waits until the time of the next timer, and no longer", sleep_anchor);
    EXPECT_LE(clock.waits, 200) << why("the loop spins until the time has come, where it should wait",
                                       sleep_anchor);
}

TEST(step5, sleepers_wake_in_the_order_of_their_times) {
    virtual_clock clock;
    lab::loop loop(clock);
    std::string order;
    loop.spawn(sleep_and_note(30ms, order, 'c'));
    loop.spawn(sleep_and_note(10ms, order, 'a'));
    loop.spawn(sleep_and_note(20ms, order, 'b'));
    auto main = []() -> lab::task<> { co_await lab::sleep(40ms); };
    loop.run(main());
    EXPECT_EQ(order, "abc") << why("the loop waits for another timer than the next one", sleep_anchor);
}

TEST(step5, a_busy_task_does_not_keep_sleepers_asleep) {
    virtual_clock clock;
    clock.turn_takes = 1ms;
    lab::loop loop(clock);
    suspect("while a task is always ready, no timer is looked at: fire timers in each turn", sleep_anchor);
    std::string order;
    loop.spawn(sleep_and_note(10ms, order, 'a'));
    auto busy = [](std::string& log) -> lab::task<int> {
        int turns = 0;
        for (; log.empty() && turns < 1'000'000; ++turns)
            co_await lab::yield();
        co_return turns;
    };
    const int turns = loop.run(busy(order));
    EXPECT_LE(turns, 20) << why(
        "while a task is always ready, no timer is looked at: fire timers in each turn", sleep_anchor);
}

TEST(step5, to_sleep_for_no_time_is_to_yield) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect("a timer whose time is past never fires", sleep_anchor);
    auto sleep = []() -> lab::task<> {
        co_await lab::sleep(0ms);
        co_await lab::sleep(-5ms);
        co_await lab::sleep_until(lab::time_point(1ms));
    };
    const auto begin = clock.now();
    loop.run(sleep());
    EXPECT_EQ(clock.now(), begin);
}

TEST(step5, a_sleep_for_ever_does_not_overflow) {
    virtual_clock clock;
    lab::loop loop(clock);
    std::string order;
    loop.spawn(sleep_and_note(lab::duration::max(), order, 'x'));
    auto main = []() -> lab::task<> { co_await lab::sleep(10ms); };
    loop.run(main());
    EXPECT_EQ(order, "") << why(
        "now() + duration::max() overflows into the past: such a sleep ends at time_point::max()",
        sleep_anchor);
}

TEST(step5, a_sleeper_that_is_dropped_takes_its_timer_back) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect(
        "the timer of a sleeper that was dropped is still in the queue, which points into a frame that is "
        "gone: remove it in the destructor",
        sleep_anchor);
    std::string order;
    {
        auto dropped = sleep_and_note(10ms, order, 'x');
        auto main = [](lab::task<>& started) -> lab::task<> {
            started.handle().resume();
            co_return;
        };
        loop.run(main(dropped));
    }
    auto main = []() -> lab::task<> { co_await lab::sleep(20ms); };
    loop.run(main());
    EXPECT_EQ(order, "") << why("a sleeper that was dropped woke up", sleep_anchor);
}

TEST(step5, real_time_passes_too) {
    lab::loop loop;
    const auto begin = lab::clock::now();
    auto sleep = []() -> lab::task<> { co_await lab::sleep(20ms); };
    loop.run(sleep());
    EXPECT_GE(lab::clock::now() - begin, 20ms) << why("a sleep ended before its time", sleep_anchor);
}

// ---- Step 6

constexpr const char* timeout_anchor = "step-6-time-outs";

lab::task<int> slow(lab::duration length, tracked held) {
    static_cast<void>(held);
    co_await lab::sleep(length);
    co_return 7;
}

TEST(step6, a_task_in_time_returns_its_result) {
    virtual_clock clock;
    lab::loop loop(clock);
    census counts;
    const auto begin = clock.now();
    EXPECT_EQ(loop.run(lab::with_timeout(1h, slow(10ms, tracked(counts)))), 7);
    EXPECT_EQ(clock.now() - begin, 10ms);
    EXPECT_EQ(counts.alive, 0);
}

TEST(step6, a_task_that_takes_too_long_is_dropped) {
    virtual_clock clock;
    lab::loop loop(clock);
    census counts;
    const auto begin = clock.now();
    auto main = [](census& into) -> lab::task<int> {
        try {
            co_await lab::with_timeout(10ms, slow(1h, tracked(into)));
        } catch (const std::system_error& error) {
            if (error.code() == std::errc::timed_out)
                co_return into.alive;
        }
        co_return -1;
    };
    EXPECT_EQ(loop.run(main(counts)), 0)
        << why("std::errc::timed_out is thrown once the task is gone: destroy it first", timeout_anchor);
    EXPECT_EQ(clock.now() - begin, 10ms)
        << why("the time-out waits for the task although its time is over", timeout_anchor);
}

TEST(step6, a_task_that_ends_at_once_needs_no_timer) {
    virtual_clock clock;
    lab::loop loop(clock);
    suspect("the task ended while the branches were started, and the caller was resumed too early or never",
            timeout_anchor);
    EXPECT_EQ(loop.run(lab::with_timeout(1h, seven())), 7);
}

TEST(step6, the_timer_goes_when_the_task_is_done) {
    virtual_clock clock;
    lab::loop loop(clock);
    census counts;
    const auto begin = clock.now();
    auto main = [](census& into) -> lab::task<> {
        co_await lab::with_timeout(20ms, slow(10ms, tracked(into)));
        co_await lab::sleep(30ms);
    };
    loop.run(main(counts));
    EXPECT_EQ(clock.now() - begin, 40ms)
        << why("the timer of a time-out that was not needed went off later", timeout_anchor);
}

TEST(step6, an_exception_of_the_task_passes) {
    virtual_clock clock;
    lab::loop loop(clock);
    auto fail = []() -> lab::task<> {
        co_await lab::sleep(1ms);
        throw std::runtime_error("no luck");
    };
    EXPECT_THROW(loop.run(lab::with_timeout(1h, fail())), std::runtime_error);
}

TEST(step6, time_outs_nest) {
    virtual_clock clock;
    lab::loop loop(clock);
    census counts;
    const auto begin = clock.now();
    EXPECT_THROW(loop.run(lab::with_timeout(10ms, lab::with_timeout(20ms, slow(1h, tracked(counts))))),
                 std::system_error);
    EXPECT_EQ(clock.now() - begin, 10ms);
    EXPECT_EQ(counts.alive, 0);
}

}  // namespace
