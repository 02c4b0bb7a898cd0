#include "baseline/function_loop.hpp"
#include "loop.hpp"
#include "support/ratio.hpp"
#include "support/todo.hpp"
#include "task.hpp"
#include "timers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <type_traits>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr long turns = 200'000;

lab::task<> yield_often() {
    for (long turn = 0; turn < turns; ++turn)
        co_await lab::yield();
}

TEST(speed, a_yield_beside_a_queue_of_functions) {
    const auto ours = [] {
        lab::loop loop;
        for (int at = 0; at < 3; ++at)
            loop.spawn(yield_often());
        loop.run(yield_often());
    };
    const auto baseline = [] {
        baseline::function_loop loop;
        std::deque<baseline::repeated> tasks;
        for (int at = 0; at < 4; ++at)
            tasks.emplace_back(loop, turns)();
        loop.run();
    };
    course::expect_ratio(course::ratio(ours, baseline), 1.5,
                         "a yield should link a node into a list and jump: look for memory that is "
                         "allocated, or for a system call "
                         "(the time!) in each turn",
                         "what-it-costs");
}

// As servers do: a time-out for each of 10,000 connections, of which each is moved on with every message.
TEST(speed, setting_a_timer_anew_beside_a_sorted_tree) {
    if (!std::is_same_v<lab::timer_queue, lab::timer_wheel>)
        course::todo("step 7: timer_queue in timers.hpp");
    constexpr std::size_t connections = 10'000;
    constexpr std::size_t messages = 300'000;
    const lab::time_point start{1h};
    lab::timer_queue queue(start);
    std::deque<lab::timer> timers(connections);
    baseline::timer_map map;
    std::vector<baseline::timer_map::position> positions;
    for (std::size_t at = 0; at < connections; ++at) {
        timers[at].at = start + at * 1ms + 30s;
        queue.add(timers[at]);
        positions.push_back(map.add(timers[at].at, [] {}));
    }
    const auto ours = [&] {
        for (std::size_t message = 0; message < messages; ++message) {
            lab::timer& one = timers[message * 7919 % connections];
            queue.remove(one);
            one.at = start + message * 10us + 30s;
            queue.add(one);
        }
    };
    const auto baseline = [&] {
        for (std::size_t message = 0; message < messages; ++message) {
            auto& one = positions[message * 7919 % connections];
            map.remove(one);
            one = map.add(start + message * 10us + 30s, [] {});
        }
    };
    const double measured = course::ratio(ours, baseline);
    for (auto& each : timers)
        queue.remove(each);
    course::expect_ratio(measured, 0.5,
                         "adding and removing should take a few instructions, whatever is pending: use the "
                         "wheel, and intrusive lists",
                         "step-7-a-wheel-of-timers");
}

}  // namespace
