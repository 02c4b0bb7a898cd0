#include "support/counted_object.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/time_bound.hpp"
#include "support/turns.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace eddy::run_test {
namespace {

using namespace std::chrono_literals;

task<int> number(int value) {
    co_return value;
}

TEST(run, ends_with_a_task_that_never_waits) {
    EXPECT_EQ(test::run_bounded(number(3)), 3);
}

TEST(run, gives_move_only_results_and_throws_exceptions) {
    const auto owned = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(4); };
    const auto thrower = []() -> task<> {
        co_await yield();
        throw std::runtime_error("no");
    };
    EXPECT_EQ(*test::run_bounded(owned()), 4);
    EXPECT_THROW(test::run_bounded(thrower()), std::runtime_error);
}

TEST(run, uses_the_calling_thread_alone_unless_told_otherwise) {
    const auto work = [](std::thread::id caller) -> task<std::size_t> {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        co_return runtime::current().workers();
    };
    EXPECT_EQ(test::run_bounded(work(std::this_thread::get_id())), 1u);
}

TEST(run, drops_what_main_left_behind) {
    std::atomic<int> living = 0;
    const auto left = [](test::counted_object) -> task<> { co_await sleep_for(1h); };
    const auto main = [](auto work, std::atomic<int>& count) -> task<> {
        spawn(work(test::counted_object(count))).detach();
        co_await yield();
        EXPECT_EQ(count, 1);
    };
    test::run_bounded(main(left, living));
    EXPECT_EQ(living, 0);
}

TEST(runtime, obeys_the_environment) {
    const char* const wanted = std::getenv("EDDY_BACKEND");
    if (wanted == nullptr)
        GTEST_SKIP() << "[backend] EDDY_BACKEND is not set";
    runtime made(runtime_options().workers(2));
    EXPECT_EQ(made.backend_name(), wanted);
}

TEST(runtime, has_as_many_workers_as_cpus_unless_told_otherwise) {
    runtime made;
    EXPECT_GE(made.workers(), 1u);
    EXPECT_LE(made.workers(), std::thread::hardware_concurrency());
}

TEST(runtime, runs_several_tasks_one_after_the_other) {
    const test::time_bound bound;
    runtime made(runtime_options().workers(1));
    EXPECT_EQ(made.run(number(1)), 1);
    EXPECT_EQ(made.run(number(2)), 2);
}

TEST(runtime, goes_on_with_left_tasks_in_the_next_run) {
    const test::time_bound bound;
    runtime made(runtime_options().workers(1));
    int steps = 0;
    const auto left = [](int& count) -> task<> {
        for (;;) {
            ++count;
            co_await yield();
        }
    };
    const auto starter = [](auto work, int& count) -> task<> {
        spawn(work(count)).detach();
        co_return;
    };
    made.run(starter(left, steps));
    const int before = steps;
    made.run(test::turns(3));
    EXPECT_GT(steps, before);
}

TEST(runtime, of_another_thread_is_another_world) {
    const test::time_bound bound;
    const auto work = [](int rounds) -> task<runtime*> {
        for (int at = 0; at < rounds; ++at)
            co_await test::turns(1);
        co_return &runtime::current();
    };
    const auto live = [&](int rounds) {
        runtime made(runtime_options().workers(2));
        EXPECT_EQ(made.run(work(rounds)), &made);
    };
    std::thread first(live, 1000);
    std::thread second(live, 1000);
    first.join();
    second.join();
}

TEST(runtime, shares_its_thread_with_another_in_turns) {
    const test::time_bound bound;
    runtime first(runtime_options().workers(1));
    runtime second(runtime_options().workers(1));
    const auto where = []() -> task<runtime*> {
        co_await sleep_for(1ms);
        co_return &runtime::current();
    };
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(first.run(where()), &first);
        EXPECT_EQ(second.run(where()), &second);
    }
}

TEST(runtime, may_be_made_run_and_ended_inside_a_task_of_another) {
    const auto inner = []() -> task<int> {
        co_await sleep_for(1ms);
        co_return 5;
    };
    const auto outer = [](auto work) -> task<int> {
        runtime& before = runtime::current();
        int result = 0;
        {
            runtime nested(runtime_options().workers(1));
            result = nested.run(work());
        }
        EXPECT_EQ(&runtime::current(), &before);
        co_await sleep_for(1ms);
        result += co_await number(1);
        co_return result;
    };
    EXPECT_EQ(test::run_bounded(outer(inner)), 6);
}

TEST(runtime, leaves_no_descriptor_and_no_thread_behind) {
    test::run_bounded(number(1), runtime_options().workers(2));  // what the library opens once, it may keep
    const std::size_t before = test::open_descriptors();
    const auto offloading = []() -> task<> {
        const auto nothing = [] {};
        auto function = nothing;
        co_await offload(std::move(function));
    };
    for (int round = 0; round < 20; ++round)
        test::run_bounded(offloading(), runtime_options().workers(3));
    EXPECT_EQ(test::open_descriptors(), before);
}

TEST(runtime, gives_worker_threads_no_signals) {
    const test::time_bound bound;
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    runtime made(runtime_options().workers(2));
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM))
        << "the caller's own mask is its own";

    const auto blocks_signals = [] {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        return sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGINT) == 1 &&
               sigismember(&mask, SIGCHLD) == 1;
    };
    const auto work = [](auto check) -> task<bool> { co_return check(); };
    const auto main = [](auto on_worker, auto check) -> task<> {
        auto remote = runtime::current().spawn_on(1, on_worker(check));
        EXPECT_TRUE(co_await remote);
        auto function = check;
        EXPECT_TRUE(co_await offload(std::move(function)));
    };
    made.run(main(work, blocks_signals));
}

TEST(runtime, counts_what_its_workers_do) {
    const test::time_bound bound;
    runtime made(runtime_options().workers(1));
    const auto before = made.metrics(0);
    const auto work = []() -> task<> {
        for (int at = 0; at < 10; ++at)
            co_await sleep_for(1us);
        for (int at = 0; at < 5; ++at) {
            auto function = [] {};
            co_await offload(std::move(function));
        }
        auto held = spawn(number(1));
        co_await held;
    };
    made.run(work());
    const auto after = made.metrics(0);
    EXPECT_EQ(after.timers_fired - before.timers_fired, 10u);
    EXPECT_EQ(after.messages - before.messages, 5u);
    EXPECT_GE(after.turns - before.turns, 15u);
    EXPECT_EQ(after.resumptions - before.resumptions, 1u + 10u + 5u + 2u);
    EXPECT_GE(after.backend.kernel_entries - before.backend.kernel_entries, 1u);
    made.run(work());
    EXPECT_EQ(made.metrics(0).frames, after.frames) << "as of the last turn of a run";
    EXPECT_EQ(after.connections, 0u);
}

TEST(runtime, resumes_a_busy_task_no_more_than_its_budget_before_timers) {
    // One task never waits for anything but its turn; a timer and the end come all the same.
    const auto busy = []() -> task<> {
        for (;;)
            co_await yield();
    };
    const auto main = [](auto work) -> task<> {
        auto hog = spawn(work());
        co_await sleep_for(5ms);
    };
    test::run_bounded(main(busy), runtime_options().turn_budget(16));
}

TEST(run_on_each, runs_a_task_on_every_worker) {
    const auto where = [](std::size_t index) -> task<std::size_t> {
        EXPECT_EQ(worker::current().index(), index);
        co_return index;
    };
    const auto main = [](auto work) -> task<> {
        auto started = runtime::current().run_on_each(work);
        std::set<std::size_t> seen;
        for (auto& each : started)
            seen.insert(co_await each);
        EXPECT_EQ(seen, (std::set<std::size_t>{0, 1, 2}));
    };
    test::run_bounded(main(where), runtime_options().workers(3));
}

}  // namespace
}  // namespace eddy::run_test
