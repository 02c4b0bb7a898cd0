#include "support/time_bound.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <poll.h>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::runtime_test {
namespace {

using namespace std::chrono_literals;

runtime_options workers(std::size_t count) {
    return runtime_options().workers(count);
}

task<> count_after_yields(std::atomic<int>& counted, int yields) {
    for (int at = 0; at < yields; ++at)
        co_await yield();
    ++counted;
}

task<> sleep_and_count(std::atomic<int>& counted, duration length) {
    co_await sleep_for(length);
    ++counted;
}

/// Starts tasks from outside of any.
template <class Start>
void start_on(runtime& driven, std::size_t worker, Start start) {
    driven.post_on(worker, std::move(start));
}

TEST(run, returns_when_all_work_has_ended_on_every_worker) {
    const test::time_bound bound;
    runtime driven(workers(3));
    std::atomic<int> counted = 0;
    for (std::size_t worker = 0; worker < 3; ++worker)
        start_on(driven, worker, [&counted] {
            spawn(sleep_and_count(counted, 5ms)).detach();
            spawn(count_after_yields(counted, 100)).detach();
        });
    driven.run();
    EXPECT_EQ(counted, 6);
}

TEST(run, returns_at_once_where_there_is_no_work) {
    const test::time_bound bound;
    for (const std::size_t count : {1U, 4U}) {
        runtime driven(workers(count));
        driven.run();
        EXPECT_FALSE(driven.run_one());
        EXPECT_EQ(driven.run_for(1h), 0U);
    }
}

/// Goes from worker to worker, one leg after the other.
task<> travel(std::atomic<int>& counted, int legs) {
    ++counted;
    if (legs > 0) {
        auto& here = runtime::current();
        here.spawn_on((worker::current().index() + 1) % here.workers(), travel(counted, legs - 1)).detach();
    }
    co_return;
}

TEST(run, waits_for_what_workers_send_each_other) {
    const test::time_bound bound;
    for (int time = 0; time < 10; ++time) {
        runtime driven(workers(3));
        std::atomic<int> counted = 0;
        start_on(driven, 1, [&counted] { spawn(travel(counted, 200)).detach(); });
        driven.run();
        EXPECT_EQ(counted, 201);
    }
}

TEST(run, waits_for_posted_functions_that_post_others) {
    const test::time_bound bound;
    runtime driven(workers(2));
    std::atomic<int> counted = 0;
    struct relay {
        runtime& through;
        std::atomic<int>& counted;
        int left;
        void operator()() const {
            ++counted;
            if (left > 0)
                through.post(relay{through, counted, left - 1});
        }
    };
    driven.post(relay{driven, counted, 1000});
    driven.run();
    EXPECT_EQ(counted, 1001);
}

using counts = std::array<std::atomic<int>, 3>;

task<> stay(counts& begun) {
    ++begun[worker::current().index()];
    co_await sleep_for(1h);
}

task<> look_at_placement(counts& begun) {
    runtime& here = runtime::current();
    std::vector<remote_handle<>> kept;
    for (const std::size_t worker : {0, 0, 2})
        kept.push_back(here.spawn_on(worker, stay(begun)));
    kept.push_back(here.spawn(stay(begun)));
    while (begun[0] + begun[1] + begun[2] < 4)
        for (std::size_t worker = 0; worker < 3; ++worker)
            co_await here.spawn_on(worker, [] {});
}

TEST(spawn, places_a_task_where_the_fewest_are) {
    const test::time_bound bound;
    runtime driven(workers(3));
    counts begun{};
    driven.run(look_at_placement(begun));
    EXPECT_EQ(begun[0], 2);
    EXPECT_EQ(begun[1], 1);
    EXPECT_EQ(begun[2], 1);
}

TEST(run, gives_the_result_of_its_task_and_leaves_others_running) {
    const test::time_bound bound;
    runtime driven(workers(1));
    std::atomic<int> counted = 0;
    const auto main = [](std::atomic<int>& count) -> task<int> {
        spawn(sleep_and_count(count, 1ms)).detach();
        co_return 7;
    };
    EXPECT_EQ(driven.run(main(counted)), 7);
    EXPECT_EQ(counted, 0);
    driven.run();
    EXPECT_EQ(counted, 1);
}

TEST(stop, ends_a_run_from_another_thread_and_leaves_the_tasks) {
    const test::time_bound bound;
    runtime driven(workers(2));
    std::atomic<int> counted = 0;
    start_on(driven, 0, [&counted] { spawn(sleep_and_count(counted, 24h)).detach(); });
    std::thread stopper([&driven] { driven.stop(); });
    driven.run();
    stopper.join();
    EXPECT_EQ(counted, 0);
    start_on(driven, 0, [&driven] { driven.stop(); });
    driven.run();
}

TEST(stop, ends_a_run_that_looks_for_messages_which_come_soon) {
    const test::time_bound bound;
    runtime driven(workers(2));
    std::atomic<int> counted = 0;
    start_on(driven, 0, [&counted] { spawn(sleep_and_count(counted, 24h)).detach(); });
    for (int round = 0; round < 2000; ++round) {
        std::thread stopper([&driven] {
            for (int message = 0; message < 4; ++message) {
                std::atomic<bool> has_come = false;
                driven.post_on(0, [&has_come] { has_come = true; });
                while (!has_come)
                    std::this_thread::yield();
            }
            driven.stop();
        });
        driven.run();
        stopper.join();
    }
    EXPECT_EQ(counted, 0);
}

TEST(stop, cancels_the_task_that_run_was_given) {
    const test::time_bound bound;
    runtime driven(workers(1));
    const auto main = [](runtime& stopped) -> task<> {
        stopped.stop();
        co_await sleep_for(24h);
    };
    try {
        driven.run(main(driven));
        FAIL() << "it was not stopped";
    } catch (const std::system_error& thrown) {
        EXPECT_EQ(thrown.code(), std::errc::operation_canceled);
    }
    const auto other = []() -> task<int> { co_return 1; };
    EXPECT_EQ(driven.run(other()), 1) << "one stop ends one run";
}

TEST(run_one, resumes_one_task_or_calls_one_function) {
    const test::time_bound bound;
    runtime driven(workers(1));
    std::atomic<int> counted = 0;
    for (int at = 0; at < 3; ++at)
        driven.post([&counted] { ++counted; });
    // From this thread while it does not drive: by way of the inbox.
    for (int called = 1; called <= 3; ++called) {
        EXPECT_TRUE(driven.run_one());
        EXPECT_EQ(counted, called);
    }
    EXPECT_FALSE(driven.run_one());
    driven.post([&counted] { spawn(sleep_and_count(counted, 1ms)).detach(); });
    int steps = 0;
    while (driven.run_one())
        ++steps;
    EXPECT_EQ(steps, 3) << "the function, the task to its sleep, the task to its end";
    EXPECT_EQ(counted, 4);
}

TEST(run_for, ends_in_time_though_tasks_are_left) {
    const test::time_bound bound;
    runtime driven(workers(1));
    std::atomic<int> counted = 0;
    driven.post([&counted] {
        spawn(sleep_and_count(counted, 1ms)).detach();
        spawn(sleep_and_count(counted, 24h)).detach();
    });
    const auto before = clock::now();
    while (counted == 0)
        driven.run_for(2ms);
    driven.run_for(2ms);
    EXPECT_GE(clock::now() - before, 3ms);
    EXPECT_EQ(counted, 1);
}

TEST(poll, runs_what_is_ready_and_never_waits) {
    const test::time_bound bound;
    runtime driven(workers(1));
    std::atomic<int> counted = 0;
    EXPECT_EQ(driven.poll(), 0U);
    driven.post([&counted] {
        spawn(sleep_and_count(counted, 24h)).detach();
        for (int at = 0; at < 2000; ++at)
            spawn(count_after_yields(counted, 1)).detach();
    });
    EXPECT_EQ(driven.poll(), 1U + 1U + 2U * 2000U);
    EXPECT_EQ(counted, 2000);
    EXPECT_EQ(driven.poll(), 0U);
    ASSERT_TRUE(driven.wait_time().has_value());
    EXPECT_GT(*driven.wait_time(), 1s)
        << "what so many tasks have left is looked at, and far timers now and then";
}

TEST(poll, stops_at_its_budget) {
    const test::time_bound bound;
    runtime driven(workers(1));
    const auto endless = []() -> task<> {
        for (;;)
            co_await yield();
    };
    driven.post([&] { spawn(endless()).detach(); });
    EXPECT_GE(driven.poll(1000), 1000U);
    EXPECT_EQ(driven.wait_time(), duration::zero());
}

bool is_readable(int descriptor, std::chrono::milliseconds wait) {
    pollfd watched{descriptor, POLLIN, 0};
    return ::poll(&watched, 1, static_cast<int>(wait.count())) == 1;
}

TEST(descriptor, wakes_a_loop_of_somebody_elses) {
    const test::time_bound bound;
    runtime driven(workers(2));
    std::atomic<int> counted = 0;
    const int descriptor = driven.descriptor();
    driven.poll();
    EXPECT_FALSE(is_readable(descriptor, 0ms));
    EXPECT_FALSE(driven.wait_time().has_value());
    for (int time = 1; time <= 100; ++time) {
        std::thread other([&] { driven.post_on(0, [&counted] { ++counted; }); });
        EXPECT_TRUE(is_readable(descriptor, 5s));
        other.join();
        while (counted < time)
            driven.poll();
        while (is_readable(descriptor, 0ms))
            driven.poll();
    }
    // The same from a worker.
    for (int time = 101; time <= 200; ++time) {
        driven.post_on(1, [&] { driven.post_on(0, [&counted] { ++counted; }); });
        EXPECT_TRUE(is_readable(descriptor, 5s));
        while (counted < time)
            driven.poll();
    }
}

TEST(wait_time, tells_of_the_next_timer) {
    const test::time_bound bound;
    runtime driven(workers(1));
    std::atomic<int> counted = 0;
    driven.post([&counted] { spawn(sleep_and_count(counted, 20ms)).detach(); });
    EXPECT_EQ(driven.wait_time(), duration::zero()) << "there is a function to call";
    driven.poll();
    while (counted == 0) {
        const auto wait = driven.wait_time();
        ASSERT_TRUE(wait.has_value());
        EXPECT_LE(*wait, 21ms);
        is_readable(driven.descriptor(), std::chrono::ceil<std::chrono::milliseconds>(*wait));
        driven.poll();
    }
}

TEST(two_runtimes, live_in_one_program) {
    const test::time_bound bound;
    runtime first(workers(2));
    runtime second(workers(2));
    std::atomic<int> counted = 0;
    first.post_on(1, [&] { second.post_on(1, [&] { first.post_on(0, [&counted] { ++counted; }); }); });
    second.post([&counted] { ++counted; });
    while (counted < 2)
        first.run_for(1ms), second.poll();
    EXPECT_EQ(counted, 2);
}

}  // namespace
}  // namespace eddy::runtime_test
