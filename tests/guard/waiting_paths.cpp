// What tasks wait for: locks, channels, timers, each other's workers; and how such a wait is dropped.
#include "guard/hot_path.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/timer.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/mutex.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <thread>

namespace eddy::guard {
namespace {

using namespace std::chrono_literals;

task<> lock_and_unlock(std::uint64_t times) {
    mutex lock;
    for (std::uint64_t at = 0; at < times; ++at)
        const auto guard = co_await lock.lock();
}

task<> send_and_receive(std::uint64_t times) {
    channel<std::uint64_t> items(1);
    for (std::uint64_t at = 0; at < times; ++at) {
        co_await items.send(at);
        static_cast<void>(co_await items.recv());
    }
}

task<> hand_on(channel<std::uint64_t>& items, std::uint64_t times) {
    for (std::uint64_t at = 0; at < times; ++at)
        co_await items.send(at);
}

task<> receive_from_another(std::uint64_t times) {
    channel<std::uint64_t> items(1);
    auto sending = spawn(hand_on(items, times));
    for (std::uint64_t at = 0; at < times; ++at)
        static_cast<void>(co_await items.recv());
    co_await sending;
}

task<> arm_and_cancel(std::uint64_t times) {
    timer alarm;
    for (std::uint64_t at = 0; at < times; ++at) {
        alarm.expires_after(10s);
        alarm.cancel();
    }
    co_return;
}

task<> wait_for(event<>& awaited) {
    co_await awaited.wait();
}

task<> drop_waits(std::uint64_t times) {
    event<> never;
    for (std::uint64_t at = 0; at < times; ++at) {
        const auto waiting = spawn(wait_for(never));
        co_await yield();
    }
}

task<> finish_within(std::uint64_t times) {
    event<> now;
    now.set();
    for (std::uint64_t at = 0; at < times; ++at)
        co_await with_timeout(wait_for(now), 10s);
}

// Another thread posts while the worker rests, so that nothing depends on who is faster.
void post_from_a_thread(std::uint64_t times) {
    runtime made(runtime_options().workers(1));
    std::uint64_t called = 0;
    std::thread([&] {
        for (std::uint64_t at = 0; at < times; ++at)
            made.post_on(0, [&called] { ++called; });
    }).join();
    while (called < times)
        made.poll();
}

template <task<> (*Loop)(std::uint64_t)>
void run_task(std::uint64_t times) {
    eddy::run(Loop(times));
}

constexpr std::array paths{
    hot_path{"mutex", &run_task<&lock_and_unlock>},
    hot_path{"channel_in_one_task", &run_task<&send_and_receive>},
    hot_path{"channel_between_tasks", &run_task<&receive_from_another>},
    hot_path{"timer_arm_and_cancel", &run_task<&arm_and_cancel>},
    hot_path{"drop_of_a_wait", &run_task<&drop_waits>},
    hot_path{"with_timeout", &run_task<&finish_within>},
    hot_path{"post_from_a_thread", &post_from_a_thread},
};

}  // namespace

std::span<const hot_path> waiting_paths() noexcept {
    return paths;
}

}  // namespace eddy::guard
