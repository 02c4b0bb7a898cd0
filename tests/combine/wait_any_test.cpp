#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/combine/wait_any.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace eddy::wait_any_test {
namespace {

task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}
task<> nothing_after(test::gate& opened) {
    co_await opened;
}

TEST(wait_any, tells_the_first_that_ended_and_cancels_nobody) {
    test::manual_loop loop;
    std::array<test::gate, 2> gates;
    const auto work = [](std::array<test::gate, 2>& held) -> task<int> {
        auto number = spawn(number_after(held[0], 5));
        auto nothing = spawn(nothing_after(held[1]));
        const std::size_t first = co_await wait_any(number, nothing);
        EXPECT_EQ(first, 1u);
        EXPECT_TRUE(nothing.done());
        EXPECT_FALSE(number.done());
        co_await nothing;
        co_return co_await number;
    };
    auto running = spawn(work(gates));
    loop.run();
    gates[1].open();
    loop.run();
    EXPECT_FALSE(running.done());
    gates[0].open();
    loop.run();
    EXPECT_EQ(running.get(), 5);
}

TEST(wait_any, does_not_wait_when_one_has_ended) {
    test::manual_loop loop;
    test::gate never;
    test::gate opened;
    opened.open();
    const auto work = [](test::gate& closed, test::gate& open) -> task<std::size_t> {
        auto first = spawn(nothing_after(closed));
        auto second = spawn(nothing_after(open));
        co_await second;
        second = spawn(nothing_after(open));
        while (!second.done())
            co_await wait_any(second);
        co_return co_await wait_any(first, second);
    };
    auto running = spawn(work(never, opened));
    loop.run();
    EXPECT_EQ(running.get(), 1u);
}

TEST(wait_any, of_a_range_wakes_once_though_all_end_in_one_turn) {
    test::manual_loop loop;
    std::array<test::gate, 3> gates;
    const auto work = [](std::array<test::gate, 3>& held) -> task<int> {
        std::vector<handle<int>> handles;
        for (test::gate& each : held)
            handles.push_back(spawn(number_after(each, 1)));
        int sum = 0;
        while (!handles.empty()) {
            const std::size_t ended = co_await wait_any(handles);
            sum += co_await handles[ended];
            handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(ended));
        }
        co_return sum;
    };
    auto running = spawn(work(gates));
    loop.run();
    for (test::gate& each : gates)
        each.open();
    loop.run();
    EXPECT_EQ(running.get(), 3);
}

TEST(a_dropped_wait_any, leaves_the_tasks_running_and_free_to_be_awaited) {
    test::manual_loop loop;
    test::gate opened;
    auto watched = spawn(number_after(opened, 6));
    const auto wait = [](handle<int>& first) -> task<> { co_await wait_any(first); };
    auto waiting = spawn(wait(watched));
    loop.run();
    waiting.cancel();
    const auto take = [](handle<int>& first) -> task<int> { co_return co_await first; };
    auto taking = spawn(take(watched));
    loop.run();
    opened.open();
    loop.run();
    EXPECT_EQ(taking.get(), 6);
}

}  // namespace
}  // namespace eddy::wait_any_test
