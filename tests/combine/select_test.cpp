#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/select.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/oneshot.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace eddy::select_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(pollable<receive_operation<int>> && pollable<send_operation<int>> &&
              pollable<send_operation<int>&>);
static_assert(!pollable<task<int>>);

TEST(select, gives_the_one_that_is_ready_without_touching_the_others) {
    const auto main = []() -> task<> {
        channel<int> numbers(2);
        channel<std::string> texts(2);
        co_await texts.send("ready");
        const auto winner = co_await select(numbers.recv(), texts.recv(), sleep_for(1h));
        EXPECT_EQ(winner.index(), 1U);
        EXPECT_EQ(std::get<1>(winner), "ready");
        const auto sent = co_await select(numbers.send(5), texts.recv());
        EXPECT_EQ(sent.index(), 0U);
        EXPECT_TRUE(std::get<0>(sent));
        EXPECT_EQ(numbers.try_recv().value_or(-1), 5);
    };
    run_bounded(main());
}

TEST(select, waits_for_channels_timers_and_tasks_alike) {
    const auto main = []() -> task<> {
        channel<int> numbers(0);
        const auto late = co_await select(numbers.recv(), sleep_for(1ms));
        EXPECT_EQ(late.index(), 1U);
        const auto worked = co_await select(numbers.recv(), []() -> task<int> {
            co_await yield();
            co_return 3;
        }());
        EXPECT_EQ(std::get<1>(worked), 3);
        auto sending = spawn([](channel<int>& target) -> task<> {
            co_await test::turns(2);
            static_cast<void>(co_await target.send(4));
        }(numbers));
        const auto received = co_await select(numbers.recv(), sleep_for(1h));
        EXPECT_EQ(std::get<0>(received), 4);
        co_await sending;
        numbers.close();
        const auto closed = co_await select(numbers.recv(), sleep_for(1h));
        EXPECT_FALSE(std::get<0>(closed)) << "a closed channel is ready";
    };
    run_bounded(main());
}

TEST(select, rethrows_what_the_first_to_end_has_thrown) {
    const auto main = []() -> task<> {
        channel<int> numbers(0);
        bool has_thrown = false;
        try {
            static_cast<void>(co_await select(numbers.recv(), []() -> task<> {
                co_await yield();
                throw std::runtime_error("first");
            }()));
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_TRUE(has_thrown);
    };
    run_bounded(main());
}

TEST(select, is_fair_to_what_is_ready_as_often) {
    const auto main = [](auto choose) -> task<std::array<int, 2>> {
        auto first = channel<int>::unbounded();
        auto second = channel<int>::unbounded();
        std::array<int, 2> wins{};
        for (int time = 0; time < 1000; ++time) {
            co_await first.send(1);
            co_await second.send(2);
            const auto winner = co_await choose(first, second);
            ++wins[winner.index()];
        }
        co_return wins;
    };
    // A shuffled worker lets a task take few steps at once, so that it is often the others' turn.
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
        const auto options = runtime_options().shuffle_seed(seed);
        const auto fair =
            run_bounded(main([](auto& a, auto& b) { return select(a.recv(), b.recv()); }), options);
        EXPECT_GT(fair[0], 300) << seed;
        EXPECT_GT(fair[1], 300) << seed;
        const auto ordered =
            run_bounded(main([](auto& a, auto& b) { return select_in_order(a.recv(), b.recv()); }), options);
        EXPECT_EQ(ordered[0], 1000) << seed;
    }
}

TEST(select_now, gives_nothing_if_nothing_is_ready) {
    channel<int> numbers(1);
    channel<int> answers(1);
    EXPECT_FALSE(select_now(numbers.recv(), answers.recv()));
    EXPECT_EQ(answers.try_send(2), try_send_result::sent);
    const auto second = select_now(numbers.recv(), answers.recv());
    ASSERT_TRUE(second);
    EXPECT_EQ(std::get<1>(*second), 2);
    EXPECT_EQ(numbers.try_send(1), try_send_result::sent);
    auto sending = numbers.send(7);
    EXPECT_FALSE(select_now(sending, answers.recv()));
    EXPECT_FALSE(sending.is_sent());
    EXPECT_TRUE(numbers.try_recv());
    EXPECT_TRUE(select_now(sending, answers.recv()));
    EXPECT_TRUE(sending.is_sent());
}

TEST(select, may_lose_a_send_whose_operation_then_tells_what_came_of_it) {
    const auto main = []() -> task<> {
        channel<std::unique_ptr<int>> boxes(0);
        auto sending = boxes.send(std::make_unique<int>(1));
        const auto late = co_await select(sending, sleep_for(1ms));
        EXPECT_EQ(late.index(), 1U);
        EXPECT_FALSE(sending.is_sent());
        const auto item = std::move(sending).item();
        EXPECT_EQ(*item, 1);
    };
    run_bounded(main());
}

/// Sends a number of items to each of two channels, from its own worker.
task<> send_to_both(std::shared_ptr<std::array<channel<int>, 2>> targets, int count) {
    for (int at = 0; at < count; ++at)
        static_cast<void>(co_await (*targets)[static_cast<std::size_t>(at % 2)].send(at));
    for (auto& each : *targets)
        each.close();
}

TEST(select, loses_no_item_of_another_worker_whichever_loses) {
    static constexpr int count = 20'000;
    const auto main = [](std::size_t capacity) -> task<> {
        const std::shared_ptr<std::array<channel<int>, 2>> both(
            new std::array<channel<int>, 2>{channel<int>(capacity), channel<int>(capacity)});
        auto there = runtime::current().spawn_on(1, send_to_both(both, count));
        std::array<int, 2> next{0, 1};
        for (;;) {
            const auto winner =
                co_await select((*both)[0].recv(), (*both)[1].recv(), sleep_until(time_point::min()));
            if (winner.index() == 2)
                continue;
            const auto item = winner.index() == 0 ? std::get<0>(winner) : std::get<1>(winner);
            if (!item)
                break;
            EXPECT_EQ(*item, std::exchange(next[winner.index()], next[winner.index()] + 2));
        }
        // The other may hold some.
        for (std::size_t at = 0; at < 2; ++at)
            while (const auto item = co_await (*both)[at].recv())
                EXPECT_EQ(*item, std::exchange(next[at], next[at] + 2));
        EXPECT_EQ(next[0], count);
        EXPECT_EQ(next[1], count + 1);
        co_await there;
    };
    for (const std::size_t capacity : {0U, 1U, 16U})
        run_bounded(main(capacity), runtime_options().workers(2));
}

}  // namespace
}  // namespace eddy::select_test
