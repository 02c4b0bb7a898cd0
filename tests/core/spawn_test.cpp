#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::spawn_test {
namespace {

using test::gate;
using test::journal;
using test::manual_loop;

std::int64_t live_blocks() {
    return detail::frame_cache::live_blocks();
}

task<> note(journal& events, std::string name) {
    events.note(name);
    co_return;
}

task<int> number(int value) {
    co_return value;
}

task<int> number_after(gate& opened, int value) {
    co_await opened;
    co_return value;
}

task<> wait_for(gate& opened, journal& events, std::string name) {
    const journal::entry local(events, name);
    co_await opened;
    events.note(name);
}

TEST(spawn, lets_the_caller_go_on_first) {
    manual_loop loop;
    journal events;
    const auto caller = [](journal& to) -> task<> {
        auto child = spawn(note(to, "child"));
        to.note("caller");
        co_await child;
        to.note("end");
    };
    auto running = spawn(caller(events));
    EXPECT_EQ(events.text(), "");
    loop.run();
    EXPECT_EQ(events.text(), "caller child end");
}

TEST(spawn, starts_tasks_in_the_order_of_spawning) {
    manual_loop loop;
    journal events;
    auto first = spawn(note(events, "1"));
    auto second = spawn(note(events, "2"));
    auto third = spawn(note(events, "3"));
    loop.run();
    EXPECT_EQ(events.text(), "1 2 3");
}

TEST(handle, gives_the_result_to_who_awaits_it_before_the_end) {
    manual_loop loop;
    gate opened;
    const auto waiter = [](gate& to) -> task<int> {
        auto child = spawn(number_after(to, 4));
        co_return co_await child;
    };
    auto running = spawn(waiter(opened));
    loop.run();
    EXPECT_FALSE(running.done());
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), 4);
}

TEST(handle, gives_the_result_to_who_awaits_it_after_the_end) {
    manual_loop loop;
    const auto waiter = []() -> task<int> {
        auto child = spawn(number(4));
        while (!child.done())
            co_await yield();
        co_return co_await child;
    };
    auto running = spawn(waiter());
    loop.run();
    EXPECT_EQ(running.get(), 4);
    EXPECT_FALSE(static_cast<bool>(running));
}

TEST(handle, gives_move_only_results_and_references) {
    manual_loop loop;
    int target = 0;
    const auto owned = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(3); };
    const auto reference = [](int& to) -> task<int&> { co_return to; };
    const auto waiter = [](auto make, auto refer, int& to) -> task<bool> {
        auto first = spawn(make());
        auto second = spawn(refer(to));
        const auto value = co_await first;
        int& named = co_await second;
        co_return *value == 3 && &named == &to;
    };
    auto running = spawn(waiter(owned, reference, target));
    loop.run();
    EXPECT_TRUE(running.get());
}

TEST(handle, throws_what_the_task_threw) {
    manual_loop loop;
    const auto thrower = [](gate& opened) -> task<> {
        co_await opened;
        throw std::runtime_error("no");
    };
    gate opened;
    const auto waiter = [](auto work, gate& to) -> task<std::string> {
        auto child = spawn(work(to));
        try {
            co_await child;
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    auto running = spawn(waiter(thrower, opened));
    loop.run();
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), "no");
}

TEST(handle, cancels_its_task_when_dropped) {
    const auto before = live_blocks();
    manual_loop loop;
    journal events;
    gate never;
    {
        auto dropped = spawn(wait_for(never, events, "task"));
        loop.run();
        EXPECT_TRUE(never.has_waiter());
    }
    EXPECT_EQ(events.text(), "~task");
    EXPECT_FALSE(never.has_waiter());
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, cancels_its_task_on_demand) {
    manual_loop loop;
    journal events;
    gate never;
    auto cancelled = spawn(wait_for(never, events, "task"));
    loop.run();
    cancelled.cancel();
    EXPECT_EQ(events.text(), "~task");
    EXPECT_FALSE(static_cast<bool>(cancelled));
    cancelled.cancel();
}

TEST(handle, cancels_the_task_that_another_replaces) {
    manual_loop loop;
    journal events;
    gate never;
    auto held = spawn(wait_for(never, events, "old"));
    loop.run();
    held = spawn(note(events, "new"));
    EXPECT_EQ(events.text(), "~old");
    loop.run();
    EXPECT_EQ(events.text(), "~old new");
}

TEST(handle, drops_a_result_that_nobody_took) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        const auto made = [](journal& to) -> task<journal::entry> { co_return journal::entry(to, "result"); };
        {
            auto ended = spawn(made(events));
            loop.run();
            EXPECT_TRUE(ended.done());
            EXPECT_EQ(events.text(), "");
        }
        EXPECT_EQ(events.text(), "~result");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, drops_a_task_that_is_ready_but_has_not_run) {
    const auto before = live_blocks();
    manual_loop loop;
    journal events;
    {
        auto dropped = spawn(note(events, "ran"));
    }
    EXPECT_EQ(loop.run(), 0u);
    EXPECT_EQ(events.text(), "");
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, drops_a_task_that_was_woken_but_has_not_run) {
    manual_loop loop;
    journal events;
    gate opened;
    {
        auto dropped = spawn(wait_for(opened, events, "task"));
        loop.run();
        opened.open();
    }
    EXPECT_EQ(events.text(), "~task");
    EXPECT_EQ(loop.run(), 0u);
}

TEST(handle, drops_a_task_that_yields) {
    manual_loop loop;
    const auto yielder = []() -> task<> {
        for (;;)
            co_await yield();
    };
    {
        auto dropped = spawn(yielder());
        loop.step();
        loop.step();
    }
    EXPECT_EQ(loop.run(), 0u);
}

TEST(handle, lets_a_task_run_on_when_its_waiter_is_dropped) {
    manual_loop loop;
    journal events;
    gate opened;
    auto child = spawn(wait_for(opened, events, "child"));
    {
        const auto waiter = [](handle<>& awaited) -> task<> { co_await awaited; };
        auto dropped = spawn(waiter(child));
        loop.run();
    }
    opened.open();
    loop.run();
    EXPECT_TRUE(child.done());
    EXPECT_EQ(events.text(), "child ~child");
    const auto second_waiter = [](handle<>& awaited) -> task<> { co_await awaited; };
    auto running = spawn(second_waiter(child));
    loop.run();
    EXPECT_TRUE(running.done());
}

TEST(handle, lets_its_waiter_be_dropped_after_the_end_was_told) {
    manual_loop loop;
    journal events;
    gate opened;
    auto child = spawn(wait_for(opened, events, "child"));
    {
        const auto waiter = [](handle<>& awaited, journal& to) -> task<> {
            co_await awaited;
            to.note("resumed");
        };
        auto dropped = spawn(waiter(child, events));
        loop.run();
        opened.open();
        loop.step();  // the child ends, the waiter is ready
        EXPECT_TRUE(child.done());
    }
    EXPECT_EQ(loop.run(), 0u);
    child.get();
    EXPECT_EQ(events.text(), "child ~child");
}

TEST(handle, owned_by_a_task_cancels_with_it) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        gate never;
        const auto parent = [](gate& closed, journal& to) -> task<> {
            const journal::entry local(to, "parent");
            auto child = spawn(wait_for(closed, to, "child"));
            co_await child;
        };
        {
            auto dropped = spawn(parent(never, events));
            loop.run();
        }
        EXPECT_EQ(events.text(), "~child ~parent");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, detaches_a_task_that_runs_on) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        gate opened;
        spawn(wait_for(opened, events, "task")).detach();
        loop.run();
        opened.open();
        loop.run();
        EXPECT_EQ(events.text(), "task ~task");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, detaches_a_task_that_has_ended) {
    const auto before = live_blocks();
    manual_loop loop;
    journal events;
    auto ended = spawn(note(events, "task"));
    loop.run();
    ended.detach();
    EXPECT_FALSE(static_cast<bool>(ended));
    EXPECT_EQ(live_blocks(), before);
}

TEST(handle, is_gone_once_its_task_was_detached_and_its_loop_has_ended) {
    const auto before = live_blocks();
    journal events;
    {
        gate never;
        manual_loop loop;
        spawn(wait_for(never, events, "1")).detach();
        spawn(wait_for(never, events, "ready")).detach();
        loop.step();
    }
    EXPECT_EQ(events.text(), "~1");
    EXPECT_EQ(live_blocks(), before);
}

// -- fairness --

TEST(yield, lets_every_other_ready_task_go_first) {
    manual_loop loop;
    journal events;
    const auto turns = [](journal& to, std::string name) -> task<> {
        for (int at = 0; at < 3; ++at) {
            to.note(name);
            co_await yield();
        }
    };
    auto first = spawn(turns(events, "a"));
    auto second = spawn(turns(events, "b"));
    auto third = spawn(turns(events, "c"));
    loop.run();
    EXPECT_EQ(events.text(), "a b c a b c a b c");
}

TEST(resume_loop, stops_at_its_budget) {
    manual_loop loop;
    std::vector<handle<int>> running;
    for (int at = 0; at < 10; ++at)
        running.push_back(spawn(number(at)));
    EXPECT_EQ(loop.loop().run(4), 4u);
    EXPECT_TRUE(running[3].done());
    EXPECT_FALSE(running[4].done());
    EXPECT_EQ(loop.run(), 6u);
}

// -- the end of the program --

void throw_in_a_detached_task(bool at_once) {
    manual_loop loop;
    const auto thrower = []() -> task<> {
        throw std::runtime_error("out of cheese");
        co_return;
    };
    auto started = spawn(thrower(), "cheese counter");
    if (at_once)
        started.detach();
    loop.run();
    if (!at_once)
        started.detach();
}

TEST(detached_task_death_test, that_throws_ends_the_program_and_is_named) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(throw_in_a_detached_task(true), "detached task: cheese counter: out of cheese");
    EXPECT_DEATH(throw_in_a_detached_task(false), "detached task: cheese counter: out of cheese");
}

TEST(detached_task_death_test, that_throws_says_where_it_was_spawned) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(throw_in_a_detached_task(true), "out of cheese .spawned at .*spawn_test.cpp:[1-9]");
}

TEST(handle_death_test, is_awaited_by_one_task_at_a_time) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto twice = [] {
        manual_loop loop;
        gate never;
        const auto waiter = [](handle<int>& awaited) -> task<> { co_await awaited; };
        auto child = spawn(number_after(never, 1));
        auto first = spawn(waiter(child));
        auto second = spawn(waiter(child));
        loop.run();
    };
    EXPECT_DEATH(twice(), "one task at a time awaits a handle");
}

TEST(handle_death_test, stays_where_it_is_while_it_is_awaited) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto disturb = [](auto disturbance) {
        manual_loop loop;
        gate never;
        const auto waiter = [](handle<int>& awaited) -> task<> { co_await awaited; };
        auto child = spawn(number_after(never, 1));
        auto waiting = spawn(waiter(child));
        loop.run();
        disturbance(child);
    };
    EXPECT_DEATH(disturb([](handle<int>& child) { handle<int> moved(std::move(child)); }), "that is awaited");
    EXPECT_DEATH(disturb([](handle<int>& child) { child.cancel(); }), "that is awaited");
    EXPECT_DEATH(disturb([](handle<int>& child) { child.detach(); }), "that is awaited");
}

#ifndef NDEBUG
TEST(handle_death_test, is_dropped_on_its_own_worker) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto drop_elsewhere = [] {
        manual_loop loop;
        gate never;
        auto child = spawn(number_after(never, 1));
        loop.run();
        std::thread([&child] { child.cancel(); }).join();
    };
    EXPECT_DEATH(drop_elsewhere(), "dropped on its own worker");
}
#endif

}  // namespace
}  // namespace eddy::spawn_test
