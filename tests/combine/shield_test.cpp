#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/shield.hpp>
#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace eddy::shield_test {
namespace {

using namespace std::chrono_literals;

TEST(shield, gives_the_result_or_the_exception_of_its_work) {
    test::manual_loop loop;
    const auto five = []() -> task<int> {
        co_await yield();
        co_return 5;
    };
    const auto fail = []() -> task<> {
        co_await yield();
        throw std::runtime_error("no");
    };
    const auto work = [](auto first, auto second) -> task<int> {
        const int value = co_await shield(first());
        try {
            co_await shield(second());
        } catch (const std::runtime_error&) {
            co_return value;
        }
        co_return -1;
    };
    auto running = spawn(work(five, fail));
    loop.run();
    EXPECT_EQ(running.get(), 5);
}

TEST(a_drop_that_meets_a_shield, lets_the_work_end_first) {
    test::manual_loop loop;
    test::journal seen;
    const auto critical = [](test::journal& notes) -> task<> {
        const test::journal::entry guard(notes, "critical");
        for (int step = 0; step < 3; ++step) {
            co_await yield();
            notes.note(std::to_string(step));
        }
    };
    const auto outer = [](auto inner, test::journal& notes) -> task<> {
        const test::journal::entry guard(notes, "outer");
        co_await shield(inner(notes));
        notes.note("went on");
    };
    auto running = spawn(outer(critical, seen));
    loop.step();
    loop.step();
    EXPECT_EQ(seen.text(), "");
    running.cancel();
    EXPECT_EQ(seen.text(), "0 1 2 ~critical ~outer");
}

TEST(a_drop_that_meets_a_shield, lets_work_end_that_waits_for_the_next_turn) {
    test::manual_loop loop;
    test::journal seen;
    const auto critical = [](test::journal& notes) -> task<> {
        for (int step = 0; step < 3; ++step) {
            co_await next_turn();
            notes.note(std::to_string(step));
        }
    };
    const auto outer = [](auto inner, test::journal& notes) -> task<> { co_await shield(inner(notes)); };
    auto running = spawn(outer(critical, seen));
    loop.step();
    running.cancel();
    EXPECT_EQ(seen.text(), "0 1 2");
}

TEST(a_drop_that_meets_a_shield, resumes_no_other_task) {
    test::manual_loop loop;
    test::journal seen;
    const auto bystander = [](test::journal& notes) -> task<> {
        co_await yield();
        notes.note("bystander");
    };
    const auto critical = [](test::journal& notes) -> task<> {
        const auto child = [](test::journal& reported) -> task<> {
            co_await yield();
            reported.note("child");
        };
        auto spawned = spawn(child(notes));
        co_await yield();
        co_await spawned;
        notes.note("critical");
    };
    const auto outer = [](auto inner, test::journal& notes) -> task<> { co_await shield(inner(notes)); };
    auto running = spawn(outer(critical, seen));
    auto other = spawn(bystander(seen));
    loop.step();
    loop.step();
    running.cancel();
    EXPECT_EQ(seen.text(), "child critical");
    loop.run();
    EXPECT_EQ(seen.text(), "child critical bystander");
}

TEST(a_drop_that_meets_a_shield, may_come_from_a_running_task_that_is_dropped_meanwhile) {
    test::manual_loop loop;
    test::journal seen;
    handle<> dropper;
    const auto critical = [](handle<>& running, test::journal& notes) -> task<> {
        co_await yield();
        running.cancel();
        notes.note("dropped the dropper");
        co_await yield();
    };
    const auto outer = [](auto inner, handle<>& running, test::journal& notes) -> task<> {
        co_await shield(inner(running, notes));
    };
    auto shielded = spawn(outer(critical, dropper, seen));
    const auto drop = [](handle<>& victim, test::journal& notes) -> task<> {
        co_await yield();
        victim.cancel();
        notes.note("victim gone");
        co_await yield();
        notes.note("still there");
    };
    dropper = spawn(drop(shielded, seen));
    loop.run();
    EXPECT_EQ(seen.text(), "dropped the dropper victim gone");
}

TEST(a_shield, whose_work_drops_the_task_that_awaits_it_lets_the_work_run_on) {
    test::manual_loop loop;
    test::journal seen;
    handle<> running;
    const auto critical = [](handle<>& self, test::journal& notes) -> task<> {
        co_await yield();
        self.cancel();
        notes.note("dropped");
        co_await yield();
        notes.note("ended");
    };
    const auto outer = [](auto inner, handle<>& self, test::journal& notes) -> task<> {
        const test::journal::entry guard(notes, "outer");
        co_await shield(inner(self, notes));
    };
    running = spawn(outer(critical, running, seen));
    loop.run();
    EXPECT_EQ(seen.text(), "~outer dropped ended");
}

// The work waits for the kernel, for a timer and for another thread.
TEST(a_drop_that_meets_a_shield, waits_for_the_system) {
    const auto critical = [](test::stream_pair& streams, bool& ended) -> task<> {
        std::array<std::byte, 4> bytes{};
        const auto read = [](tcp_stream& from, std::array<std::byte, 4>& out) -> task<> {
            co_await from.read(out);
        };
        const auto write = [](tcp_stream& to) -> task<> {
            co_await sleep_for(1ms);
            const std::array<std::byte, 4> sent{};
            co_await to.write(sent);
        };
        co_await when_all(read(streams.server, bytes), write(streams.client));
        const int number = co_await offload([] { return 3; });
        ended = number == 3;
    };
    const auto outer = [](auto inner, test::stream_pair& streams, bool& ended) -> task<> {
        co_await shield(inner(streams, ended));
    };
    const auto work = [](auto around, auto inner) -> task<> {
        auto streams = co_await test::connected_streams();
        bool ended = false;
        auto running = spawn(around(inner, streams, ended));
        co_await yield();
        running.cancel();
        EXPECT_TRUE(ended);
    };
    test::run_bounded(work(outer, critical));
}

TEST(the_end_of_a_runtime, waits_for_shielded_work) {
    bool ended = false;
    const auto critical = [](bool& reported) -> task<> {
        co_await sleep_for(1ms);
        reported = true;
    };
    const auto outer = [](auto inner, bool& reported) -> task<> { co_await shield(inner(reported)); };
    const auto work = [](auto around, auto inner, bool& reported) -> task<> {
        spawn(around(inner, reported)).detach();
        co_await yield();
        co_await yield();
    };
    test::run_bounded(work(outer, critical, ended));
    EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace eddy::shield_test
