// What waits for time, for another thread or for another task is dropped at the moments that scripts of its
// own module do not reach: it has been told already, and has not gone on.

#include "support/counted_object.hpp"
#include "support/gate.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/wait_any.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <utility>

namespace eddy::waiting_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;
using test::gate;
using test::run_bounded;

/// Comes back after the worker has taken its messages and turned, ahead of those that this has made ready.
task<> until_told() {
    const auto before = runtime::current().metrics(0).turns;
    while (runtime::current().metrics(0).turns == before)
        co_await yield();
}

task<> sleep_until_passed() {
    co_await sleep_until(time_point::min());
}

TEST(a_dropped_sleep, that_has_been_woken_is_not_resumed) {
    const auto main = []() -> task<> {
        auto dropped = spawn(sleep_until_passed());
        auto kept = spawn(sleep_until_passed());
        co_await sleep_until(time_point::min());  // armed before the others, and so resumed before them
        EXPECT_FALSE(dropped.done());
        EXPECT_FALSE(kept.done());
        dropped.cancel();
        co_await yield();
        EXPECT_TRUE(kept.done()) << "it had not been woken";
    };
    run_bounded(main());
}

TEST(a_dropped_sleep, leaves_no_timer_at_any_moment) {
    const auto main = []() -> task<> {
        for (const bool is_armed : {false, true}) {
            auto dropped = spawn(sleep_until_passed());
            if (is_armed)
                co_await yield();
            dropped.cancel();
            co_await test::turns(2);  // a timer that had stayed would fire into what is gone
        }
    };
    run_bounded(main());
}

// -- with_timeout around a task --

task<counted_object> give_when_open(gate& opened, std::atomic<int>& living) {
    const counted_object held(living);
    co_await opened;
    co_return counted_object(living);
}
task<> wait_with_deadline(gate& opened, std::atomic<int>& living, time_point at) {
    static_cast<void>(co_await with_deadline(give_when_open(opened, living), at));
}

TEST(a_dropped_with_deadline, that_is_late_drops_its_task) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        gate never;
        auto dropped = spawn(wait_with_deadline(never, count, time_point::min()));
        co_await sleep_until(time_point::min());
        EXPECT_FALSE(dropped.done());
        EXPECT_EQ(count, 1) << "the task inside has not begun";
        dropped.cancel();
        EXPECT_EQ(count, 0);
        EXPECT_FALSE(never.has_waiter());
        co_await test::turns(2);
    };
    run_bounded(main(living));
}

TEST(a_dropped_with_deadline, whose_task_has_ended_frees_the_result) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        gate opened;
        auto dropped = spawn(wait_with_deadline(opened, count, time_point::max()));
        co_await test::turns(2);
        EXPECT_EQ(count, 1);
        opened.open();
        co_await yield();  // the task inside ends; who waits for it is told
        EXPECT_FALSE(dropped.done());
        EXPECT_EQ(count, 1) << "the result";
        dropped.cancel();
        EXPECT_EQ(count, 0);
        co_await test::turns(2);
    };
    run_bounded(main(living));
}

// -- wait_any --

task<> pass(gate& opened) {
    co_await opened;
}
task<> wait_for_any(handle<>& first, handle<>& second) {
    co_await wait_any(first, second);
}

TEST(a_dropped_wait_any, that_was_told_of_an_end_leaves_the_handles_to_be_awaited) {
    const auto main = []() -> task<> {
        gate first_gate;
        gate second_gate;
        auto first = spawn(pass(first_gate));
        auto second = spawn(pass(second_gate));
        auto dropped = spawn(wait_for_any(first, second));
        co_await test::turns(1);
        first_gate.open();
        co_await yield();
        EXPECT_TRUE(first.done());
        EXPECT_FALSE(dropped.done());
        dropped.cancel();
        co_await first;
        second_gate.open();
        co_await second;
    };
    run_bounded(main());
}

// -- other threads --

task<> take_from_pool(std::atomic<int>& living) {
    auto make = [&living] { return counted_object(living); };
    static_cast<void>(co_await offload(std::move(make)));
}
task<> set_on_pool(std::atomic<bool>& flag) {
    auto set = [&flag] { flag = true; };
    co_await offload(std::move(set));
}

TEST(a_dropped_offload, whose_result_is_on_its_way_or_home_frees_it) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        for (const bool is_home : {false, true}) {
            std::atomic<bool> is_posted = false;
            auto dropped = spawn(take_from_pool(count));
            auto behind = spawn(set_on_pool(is_posted));
            co_await yield();
            // The pool's only thread begins the second call when it has sent the first one home.
            while (!is_posted) {
            }
            if (is_home)
                co_await until_told();
            EXPECT_FALSE(dropped.done());
            EXPECT_EQ(count, 1) << "the result";
            dropped.cancel();
            if (is_home) {
                EXPECT_EQ(count, 0);
            }
            co_await behind;
            EXPECT_EQ(count, 0) << "it had come home before the other";
        }
    };
    run_bounded(main(living), runtime_options().workers(1).offload_threads(1));
}

task<> await_remote(remote_handle<counted_object>& awaited) {
    static_cast<void>(co_await awaited);
}
task<> cancel_remote(remote_handle<counted_object>& cancelled) {
    co_await cancelled.cancel();
}
task<counted_object> give(std::atomic<int>& living) {
    co_return counted_object(living);
}
task<counted_object> give_late(std::atomic<int>& living) {
    co_await sleep_for(24h);
    co_return counted_object(living);
}

TEST(a_dropped_wait_for_a_remote_task, that_was_told_of_the_end_leaves_the_result) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        auto remote = runtime::current().spawn_on(1, give(count));
        auto dropped = spawn(await_remote(remote));
        while (!remote.done())
            co_await yield();  // this task stands before the one that is told
        EXPECT_FALSE(dropped.done());
        dropped.cancel();
        EXPECT_EQ(count, 1);
        {
            const counted_object taken = co_await remote;
            EXPECT_EQ(count, 1);
        }
        EXPECT_EQ(count, 0);
    };
    run_bounded(main(living), runtime_options().workers(2));
}

TEST(a_dropped_wait_for_a_remote_cancellation, does_not_take_the_cancellation_back) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        for (const bool was_told : {false, true}) {
            auto remote = runtime::current().spawn_on(1, give_late(count));
            auto dropped = spawn(cancel_remote(remote));
            co_await yield();
            while (was_told && !remote.done())
                co_await yield();
            EXPECT_FALSE(dropped.done());
            dropped.cancel();
            while (!remote.done())
                co_await yield();
            EXPECT_EQ(count, 0);
        }
    };
    run_bounded(main(living), runtime_options().workers(2));
}

}  // namespace
}  // namespace eddy::waiting_test
