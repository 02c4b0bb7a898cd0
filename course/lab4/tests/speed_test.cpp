#include "baseline/thread_queue.hpp"
#include "channel.hpp"
#include "inbox.hpp"
#include "loop.hpp"
#include "mutex.hpp"
#include "support/ratio.hpp"
#include "task.hpp"
#include "workers.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <optional>

namespace {

lab::task<> echo(lab::channel<int>& there, lab::channel<int>& back) {
    for (;;) {
        const std::optional<int> item = co_await there.receive();
        if (!item)
            break;
        co_await back.send(*item);
    }
    back.close();
}

lab::task<> ping(lab::channel<int>& there, lab::channel<int>& back, int count) {
    for (int at = 0; at < count; ++at) {
        co_await there.send(at);
        co_await back.receive();
    }
    there.close();
    co_await back.receive();
}

TEST(speed, a_channel_between_workers_beside_threads_that_block) {
    constexpr int count = 5'000;
    lab::workers pool(2);
    const auto ours = [&] {
        lab::channel<int> there(1);
        lab::channel<int> back(1);
        pool.spawn_on(1, echo(there, back));
        pool.run_on(0, ping(there, back, count));
    };
    course::expect_ratio(course::ratio(
                             ours, [] { baseline::ping_pong(count); }, 5),
                         2.0,
                         "a message should cost one wake-up of the other worker at the most: look for a "
                         "write to the eventfd of a worker that "
                         "runs, or for one that wakes up for nothing",
                         "step-2-sleep-and-wake-up");
}

TEST(speed, a_channel_within_a_worker_beside_threads_that_block) {
    constexpr int count = 5'000;
    const auto ours = [&] {
        lab::inbox box;
        const lab::inbox::entered here(box);
        lab::loop loop(box);
        lab::channel<int> there(1);
        lab::channel<int> back(1);
        loop.spawn(echo(there, back));
        loop.run(ping(there, back, count));
    };
    course::expect_ratio(
        course::ratio(
            ours, [] { baseline::ping_pong(count); }, 5),
        0.2,
        "tasks of one worker wake each other by a node in the ready queue, without inbox and system call",
        "what-they-have-in-common");
}

lab::task<> lock_often(lab::mutex& lock, int count) {
    for (int at = 0; at < count; ++at)
        static_cast<void>(co_await lock.lock());
}

TEST(speed, a_mutex_that_is_free_beside_that_of_the_standard_library) {
    constexpr int count = 500'000;
    const auto ours = [] {
        lab::inbox box;
        const lab::inbox::entered here(box);
        lab::loop loop(box);
        lab::mutex lock;
        loop.run(lock_often(lock, count));
    };
    const auto baseline = [] {
        std::mutex lock;
        for (int at = 0; at < count; ++at) {
            const std::lock_guard guard(lock);
            course::keep(at);
        }
    };
    course::expect_ratio(
        course::ratio(ours, baseline), 4.0,
        "a lock that is free should cost two short critical sections, one to take it and one to open it",
        "step-5-a-mutex");
}

}  // namespace
