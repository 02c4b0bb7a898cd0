#include "support/run_bounded.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>

namespace eddy::next_turn_test {
namespace {

using namespace std::chrono_literals;

TEST(next_turn, lets_tasks_that_yield_and_timers_that_are_due_go_first) {
    const auto yielder = [](std::string& events) -> task<> {
        co_await yield();
        events += "yielder ";
    };
    const auto sleeper = [](std::string& events) -> task<> {
        co_await sleep_for(0ns);
        events += "sleeper ";
    };
    const auto main = [](auto yields, auto sleeps) -> task<> {
        std::string events;
        auto first = spawn(sleeps(events));
        auto second = spawn(yields(events));
        co_await yield();  // both wait now
        co_await next_turn();
        co_await next_turn();  // the timer's deadline is looked at before this one
        events += "main";
        EXPECT_EQ(events, "yielder sleeper main");
        co_await first;
        co_await second;
    };
    test::run_bounded(main(yielder, sleeper));
}

TEST(next_turn, lets_all_ready_tasks_go_first_even_if_they_take_several_turns) {
    const auto other = [](int& gone) -> task<> {
        ++gone;
        co_return;
    };
    const auto main = [](auto goes) -> task<> {
        int gone = 0;
        task_set others;
        for (int number = 0; number < 5; ++number)
            others.spawn(goes(gone));
        co_await next_turn();
        EXPECT_EQ(gone, 5);
        co_await others.join();
    };
    test::run_bounded(main(other), runtime_options().turn_budget(1));
}

TEST(next_turn, lets_the_system_bring_what_is_there) {
    const auto reader = [](local_stream& from, std::size_t& received) -> task<> {
        std::array<std::byte, 16> memory{};
        for (std::size_t count = 1; count != 0;) {
            count = co_await from.read(memory);
            received += count;
        }
    };
    const auto main = [](auto reads) -> task<> {
        auto [left, right] = socket_pair();
        std::size_t received = 0;
        auto reading = spawn(reads(right, received));
        const std::string text = "abc";
        for (std::size_t round = 1; round <= 100; ++round) {
            co_await left.write_all(as_bytes(text));
            for (int turns = 0; turns < 100 && received != round * text.size(); ++turns)
                co_await next_turn();
            EXPECT_EQ(received, round * text.size());
        }
        left.close();
        co_await reading;
    };
    test::run_bounded(main(reader));
}

TEST(next_turn, can_be_dropped) {
    const auto waiter = [](bool& has_come) -> task<> {
        co_await next_turn();
        has_come = true;
    };
    const auto main = [](auto waits) -> task<> {
        bool has_come = false;
        {
            auto waiting = spawn(waits(has_come));
            co_await yield();
        }
        co_await next_turn();
        co_await next_turn();
        EXPECT_FALSE(has_come);
    };
    test::run_bounded(main(waiter));
}

}  // namespace
}  // namespace eddy::next_turn_test
