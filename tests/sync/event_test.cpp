#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/agents.hpp"
#include "sync/between_workers.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::event_test {
namespace {

using test::run_bounded;

task<> wait_for(event<>& awaited) {
    co_await awaited.wait();
}

task<> wait_and_note(event<>& awaited, std::string& order, char name) {
    co_await awaited.wait();
    order += name;
}

void set(event<>& changed) {
    changed.set();
}

TEST(event, lets_everybody_go_on_until_it_is_reset) {
    const auto main = []() -> task<> {
        event<> begun;
        EXPECT_FALSE(begun.is_set());
        auto first = spawn(wait_for(begun));
        auto second = spawn(wait_for(begun));
        co_await test::turns(2);
        EXPECT_FALSE(first.done());
        begun.set();
        EXPECT_FALSE(first.done()) << "it was resumed inside set()";
        co_await first;
        co_await second;
        co_await begun.wait();
        begun.set();
        EXPECT_TRUE(begun.is_set());
        begun.reset();
        EXPECT_FALSE(begun.is_set());
        begun.reset();
        auto third = spawn(wait_for(begun));
        co_await test::turns(2);
        EXPECT_FALSE(third.done());
        begun.reset();
        begun.set();
        co_await third;
    };
    run_bounded(main());
}

TEST(event, lets_waiters_go_on_in_the_order_in_which_they_came_even_if_it_is_reset) {
    const auto main = []() -> task<> {
        event<> begun;
        std::string order;
        std::vector<handle<>> waiting;
        for (const char name : {'a', 'b', 'c', 'd'}) {
            waiting.push_back(spawn(wait_and_note(begun, order, name)));
            co_await yield();
        }
        begun.set();
        begun.reset();
        for (auto& each : waiting)
            co_await each;
        EXPECT_EQ(order, "abcd");
    };
    run_bounded(main());
}

TEST(event, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        event<> begun;
        std::string order;
        auto first = spawn(wait_and_note(begun, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(begun, order, 'b'));
        co_await yield();
        auto third = spawn(wait_and_note(begun, order, 'c'));
        co_await yield();
        second.cancel();
        begun.set();
        third.cancel();
        co_await first;
        EXPECT_EQ(order, "a");
    };
    run_bounded(main());
}

TEST(event, is_set_and_reset_as_ever_after_all_its_waiters_were_dropped) {
    const auto main = []() -> task<> {
        event<> begun;
        auto dropped = spawn(wait_for(begun));
        co_await yield();
        dropped.cancel();
        begun.reset();
        EXPECT_FALSE(begun.is_set());
        auto waiting = spawn(wait_for(begun));
        co_await yield();
        waiting.cancel();
        begun.set();
        EXPECT_TRUE(begun.is_set());
        co_await begun.wait();
    };
    run_bounded(main());
}

TEST(event, may_be_waited_for_with_a_bound) {
    const auto main = []() -> task<> {
        event<> never;
        const auto late = co_await as_result(with_timeout(never.wait(), std::chrono::microseconds(50)));
        const bool is_late = !late.has_value() && late.error() == std::errc::timed_out;
        EXPECT_TRUE(is_late);
    };
    run_bounded(main());
}

TEST(event, a_wait_may_be_dropped_with_its_news_on_the_way_from_another_worker) {
    test::drop_released_elsewhere<event<>>(&wait_for, &set,
                                           [](event<>& seen) { EXPECT_TRUE(seen.is_set()); });
}

TEST(event, may_be_destroyed_right_after_the_wait) {
    test::destroy_right_after_the_wait<event<>>(&wait_for, &set);
}

// -- with a value --

using message = event<std::string>;

task<> expect_hello(message& awaited) {
    const std::string& text = co_await awaited.wait();
    EXPECT_EQ(text, "hello");
}

void say_hello(message& changed) {
    changed.set("hello");
}

TEST(event, gives_all_a_reference_to_one_value) {
    const auto main = []() -> task<> {
        event<std::unique_ptr<int>> come;
        std::vector<const std::unique_ptr<int>*> seen;
        const auto look = [](event<std::unique_ptr<int>>& awaited,
                             std::vector<const std::unique_ptr<int>*>& addresses) -> task<> {
            addresses.push_back(&co_await awaited.wait());
        };
        auto first = spawn(look(come, seen));
        auto second = spawn(look(come, seen));
        co_await yield();
        come.set(std::make_unique<int>(7));
        co_await first;
        co_await second;
        const std::unique_ptr<int>& value = co_await come.wait();
        EXPECT_EQ(*value, 7);
        EXPECT_EQ(seen, std::vector(2, &value));
    };
    run_bounded(main());
}

TEST(event, brings_a_new_value_after_each_reset) {
    const auto main = []() -> task<> {
        message come;
        come.set("first");
        const std::string& first = co_await come.wait();
        EXPECT_EQ(first, "first");
        auto early = spawn(expect_hello(come));
        early.cancel();
        come.reset();
        EXPECT_EQ(first, "first") << "the value stays until the next one";
        auto waiting = spawn(expect_hello(come));
        co_await test::turns(2);
        EXPECT_FALSE(waiting.done());
        come.set("hello");
        come.reset();
        co_await waiting;
    };
    run_bounded(main());
}

class throws_when_moved {
public:
    explicit throws_when_moved(bool throws) noexcept : throws_(throws) {}
    throws_when_moved(throws_when_moved&& other) : throws_(other.throws_) {
        if (throws_)
            throw std::runtime_error("moved");
    }

private:
    bool throws_;
};

TEST(event, is_not_set_by_a_value_that_fails_to_move) {
    event<throws_when_moved> come;
    EXPECT_THROW(come.set(throws_when_moved(true)), std::runtime_error);
    EXPECT_FALSE(come.is_set());
    come.set(throws_when_moved(false));
    EXPECT_TRUE(come.is_set());
}

TEST(event, a_value_may_be_dropped_on_its_way_from_another_worker) {
    test::drop_released_elsewhere<message>(&expect_hello, &say_hello, [](message& seen) {
        EXPECT_TRUE(seen.is_set());
        EXPECT_EQ(seen.wait().await_resume(), "hello");
    });
}

TEST(event, may_be_destroyed_with_its_value_right_after_the_wait) {
    test::destroy_right_after_the_wait<message>(&expect_hello, &say_hello);
}

// -- threads that are no workers --

task<> answer(event<>& question, message& answered) {
    co_await question.wait();
    answered.set("hello");
}

TEST(event, lets_threads_and_tasks_wait_for_each_other) {
    const test::time_bound bound;
    for (int time = 0; time < 200; ++time) {
        event<> question;
        message answered;
        std::thread asking([&] {
            question.set();
            EXPECT_EQ(answered.wait_blocking(), "hello");
        });
        std::thread listening([&] {
            question.wait_blocking();
            EXPECT_EQ(answered.wait_blocking(), "hello");
        });
        run(answer(question, answered));
        asking.join();
        listening.join();
    }
}

// -- many --

struct played_round {
    event<std::size_t> begun;
    std::atomic<std::size_t> arrived{0};
};

struct game {
    explicit game(std::size_t workers) : workers(workers), rounds(test::stress_rounds(workers)) {}
    std::size_t workers;
    std::deque<played_round> rounds;
    event<> pulse;  // set and reset all the time
};

task<> observe(played_round& watched, std::size_t workers) {
    const std::size_t& seen = co_await watched.begun.wait();
    EXPECT_EQ(seen, workers);
}

/// The last one to come to a round begins it. Who watches the pulse is dropped at the end of the round,
/// whether it waits, has been released, or has gone on.
task<> play(std::shared_ptr<game> shared, test::stress_choice choice) {
    std::vector<handle<>> waiting;
    for (auto& round : shared->rounds) {
        for (std::size_t at = 0; at < test::observers; ++at)
            waiting.push_back(spawn(observe(round, shared->workers)));
        const auto watching = spawn(wait_for(shared->pulse));
        if (choice.flip())
            co_await yield();
        if (const auto arrived = ++round.arrived; arrived == shared->workers)
            round.begun.set(arrived);
        shared->pulse.set();
        co_await test::end_some(waiting, choice);
        if (choice.flip())
            shared->pulse.reset();
        co_await observe(round, shared->workers);
    }
}

TEST(event, is_seen_by_all_on_all_workers_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U})
        test::run_workers(workers, std::make_shared<game>(workers), &play);
}

}  // namespace
}  // namespace eddy::event_test
