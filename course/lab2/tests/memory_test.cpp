#include "loop.hpp"
#include "sleep.hpp"
#include "support/test.hpp"
#include "support/virtual_clock.hpp"
#include "task.hpp"
#include "timeout.hpp"
#include "when_all.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace course;

lab::task<> sleep_for(lab::duration length, std::string text) {
    co_await lab::sleep(length);
    text += "end";
}

lab::task<> yield_for_ever(std::string text) {
    for (;;) {
        co_await lab::yield();
        text[0] = 'y';
    }
}

std::string long_text() {
    return std::string(100, 'x');
}

TEST(memory, a_loop_goes_with_tasks_in_every_state) {
    suspect(
        "the loop's destructor leaves spawned tasks behind, or destroys lists before the frames whose nodes "
        "are in them",
        "step-3-spawn");
    virtual_clock clock;
    lab::loop loop(clock);
    loop.spawn(sleep_for(1h, long_text()));
    loop.spawn(yield_for_ever(long_text()));
    loop.spawn(lab::with_timeout(1h, sleep_for(2h, long_text())));
    auto main = []() -> lab::task<> { co_await lab::sleep(1ms); };
    loop.spawn(main());
    auto yields = []() -> lab::task<> {
        for (int turn = 0; turn < 5; ++turn)
            co_await lab::yield();
    };
    loop.run(yields());
    loop.spawn(sleep_for(1h, long_text()));
}

TEST(memory, a_task_that_is_ready_when_its_time_is_over_is_dropped) {
    suspect(
        "a task was dropped while it was ready, and its node stayed in the queue: the loop resumed a frame "
        "that is gone",
        "step-6-time-outs");
    virtual_clock clock;
    clock.turn_takes = 1ms;
    lab::loop loop(clock);
    EXPECT_THROW(loop.run(lab::with_timeout(20ms, yield_for_ever(long_text()))), std::system_error);
    auto main = []() -> lab::task<> { co_await lab::sleep(20ms); };
    loop.run(main());
}

TEST(memory, tasks_that_are_due_at_the_same_time_drop_each_other) {
    suspect(
        "a timer had fired and its node was in the batch when its task was dropped: the node has to leave "
        "the batch, too",
        "step-6-time-outs");
    virtual_clock clock;
    lab::loop loop(clock);
    for (int at = 0; at < 20; ++at)
        try {
            loop.run(lab::with_timeout(10ms, sleep_for(at % 2 == 0 ? 10ms : 11ms, long_text())));
        } catch (const std::system_error&) {
        }
    auto main = []() -> lab::task<> { co_await lab::sleep(1h); };
    loop.run(main());
}

TEST(memory, sleepers_are_dropped_in_any_order) {
    suspect("a timer was left in the queue by a sleeper that was dropped", "step-5-sleep");
    virtual_clock clock;
    lab::loop loop(clock);
    auto main = []() -> lab::task<> {
        std::vector<lab::task<>> sleepers;
        for (int at = 0; at < 100; ++at) {
            sleepers.push_back(sleep_for((at * 37 % 100) * 1s, long_text()));
            sleepers.back().handle().resume();
        }
        for (int at = 0; at < 90; ++at)
            sleepers.erase(sleepers.begin() + at * 13 % static_cast<int>(sleepers.size()));
        co_await lab::sleep(1h);
    };
    loop.run(main());
}

TEST(memory, yield_and_sleep_allocate_nothing) {
    if (!course::counts_allocations)
        GTEST_SKIP() << "[sanitizer] allocations are not counted";
    virtual_clock clock;
    lab::loop loop(clock);
    auto main = []() -> lab::task<std::size_t> {
        co_await lab::sleep(1ms);
        const std::size_t before = course::allocations();
        for (int turn = 0; turn < 100; ++turn) {
            co_await lab::yield();
            co_await lab::sleep(1ms);
        }
        co_return course::allocations() - before;
    };
    EXPECT_EQ(loop.run(main()), 0u) << why(
        "what waits lies in the coroutine's frame: neither the ready queue nor the timers need memory of "
        "their own",
        "a-node-lies-in-the-frame");
}

TEST(memory, a_spawned_task_needs_two_frames) {
    if (!course::counts_allocations)
        GTEST_SKIP() << "[sanitizer] allocations are not counted";
    virtual_clock clock;
    lab::loop loop(clock);
    auto nothing = []() -> lab::task<> { co_return; };
    auto main = [](auto& make) -> lab::task<std::size_t> {
        const std::size_t before = course::allocations();
        for (int at = 0; at < 100; ++at)
            lab::loop::current().spawn(make());
        co_await lab::yield();
        co_return course::allocations() - before;
    };
    EXPECT_LE(loop.run(main(nothing)), 200u) << why(
        "a spawned task needs its own frame, and the one of the coroutine that owns it", "step-3-spawn");
}

}  // namespace
