#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/agents.hpp"
#include "sync/between_workers.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/latch.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace eddy::latch_test {
namespace {

using test::run_bounded;

task<> wait_for(latch& awaited) {
    co_await awaited.wait();
}

task<> wait_and_note(latch& awaited, std::string& order, char name) {
    co_await awaited.wait();
    order += name;
}

task<> arrive_and_note(latch& awaited, std::string& order, char name) {
    co_await awaited.arrive_and_wait();
    order += name;
}

void count_down_by_one(latch& counted) {
    counted.count_down();
}

TEST(latch, opens_when_all_have_counted_down_and_stays_open) {
    const auto main = []() -> task<> {
        latch done(3);
        auto waiting = spawn(wait_for(done));
        co_await yield();
        done.count_down();
        EXPECT_FALSE(done.try_wait());
        co_await test::turns(2);
        EXPECT_FALSE(waiting.done());
        done.count_down(2);
        EXPECT_TRUE(done.try_wait());
        EXPECT_FALSE(waiting.done()) << "it was resumed inside count_down()";
        co_await waiting;
        co_await done.wait();
    };
    run_bounded(main());
}

TEST(latch, that_counts_from_zero_is_open) {
    const auto main = []() -> task<> {
        latch done(0);
        EXPECT_TRUE(done.try_wait());
        done.count_down(0);
        co_await done.wait();
        co_await done.arrive_and_wait(0);
    };
    run_bounded(main());
}

TEST(latch, lets_waiters_go_on_in_the_order_in_which_they_came) {
    const auto main = []() -> task<> {
        latch done(1);
        std::string order;
        std::vector<handle<>> waiting;
        for (const char name : {'a', 'b', 'c', 'd'}) {
            waiting.push_back(spawn(wait_and_note(done, order, name)));
            co_await yield();
        }
        done.count_down();
        for (auto& each : waiting)
            co_await each;
        EXPECT_EQ(order, "abcd");
    };
    run_bounded(main());
}

TEST(latch, is_counted_down_by_those_who_wait_too) {
    const auto main = []() -> task<> {
        latch done(3);
        std::string order;
        auto first = spawn(arrive_and_note(done, order, 'a'));
        co_await yield();
        auto second = spawn(arrive_and_note(done, order, 'b'));
        co_await test::turns(2);
        EXPECT_EQ(order, "");
        co_await done.arrive_and_wait();
        order += 'c';
        co_await first;
        co_await second;
        EXPECT_EQ(order, "cab") << "the last one goes on without having waited";
    };
    run_bounded(main());
}

TEST(latch, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        latch done(1);
        std::string order;
        auto first = spawn(wait_and_note(done, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(done, order, 'b'));
        co_await yield();
        first.cancel();
        done.count_down();
        co_await second;
        EXPECT_EQ(order, "b");
    };
    run_bounded(main());
}

TEST(latch, a_wait_dropped_after_it_was_let_go_on_does_not_go_on) {
    const auto main = []() -> task<> {
        latch done(1);
        std::string order;
        auto first = spawn(wait_and_note(done, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(done, order, 'b'));
        co_await yield();
        done.count_down();
        first.cancel();
        co_await second;
        EXPECT_EQ(order, "b");
    };
    run_bounded(main());
}

TEST(latch, a_dropped_arrival_has_counted) {
    const auto main = []() -> task<> {
        latch done(2);
        std::string order;
        auto arriving = spawn(arrive_and_note(done, order, 'a'));
        co_await yield();
        arriving.cancel();
        done.count_down();
        EXPECT_TRUE(done.try_wait());
        co_await done.wait();
        EXPECT_EQ(order, "");
    };
    run_bounded(main());
}

TEST(latch, may_be_waited_for_with_a_bound) {
    const auto main = []() -> task<> {
        latch never(1);
        const auto late = co_await as_result(with_timeout(never.wait(), std::chrono::microseconds(50)));
        const bool is_late = !late.has_value() && late.error() == std::errc::timed_out;
        EXPECT_TRUE(is_late);
    };
    run_bounded(main());
}

TEST(latch, a_wait_may_be_dropped_with_its_news_on_the_way_from_another_worker) {
    test::drop_released_elsewhere<latch>(
        &wait_for, &count_down_by_one, [](latch& seen) { EXPECT_TRUE(seen.try_wait()); }, 1);
}

TEST(latch, may_be_destroyed_right_after_the_wait) {
    test::destroy_right_after_the_wait<latch>(&wait_for, &count_down_by_one, 1);
}

TEST(latch, may_be_destroyed_once_it_was_seen_open) {
    const auto look = [](latch& seen) -> task<> {
        while (!seen.try_wait())
            co_await yield();
    };
    test::destroy_right_after_the_wait<latch>(look, &count_down_by_one, 1);
}

task<> count_down_here(latch& counted) {
    counted.count_down();
    co_return;
}

TEST(latch, blocks_a_thread_that_is_no_worker) {
    const test::time_bound bound;
    for (int time = 0; time < 200; ++time) {
        latch done(2);
        std::thread other([&done] { done.count_down(); });
        std::thread working([&done] { run(count_down_here(done)); });
        done.wait_blocking();
        EXPECT_TRUE(done.try_wait());
        other.join();
        working.join();
        done.wait_blocking();
    }
}

struct played_round {
    explicit played_round(std::size_t workers) : done(static_cast<std::ptrdiff_t>(workers)) {}
    latch done;
    std::atomic<std::size_t> arrived{0};
};

struct game {
    explicit game(std::size_t workers) : workers(workers) {
        for (std::size_t count = test::stress_rounds(workers); count > 0; --count)
            rounds.emplace_back(workers);
    }
    std::size_t workers;
    std::deque<played_round> rounds;
};

task<> observe(played_round& watched, std::size_t workers) {
    co_await watched.done.wait();
    EXPECT_EQ(watched.arrived, workers) << "it went on too early";
}

task<> play(std::shared_ptr<game> shared, test::stress_choice choice) {
    std::vector<handle<>> waiting;
    for (auto& round : shared->rounds) {
        for (std::size_t at = 0; at < test::observers; ++at)
            waiting.push_back(spawn(observe(round, shared->workers)));
        if (choice.flip())
            co_await yield();
        ++round.arrived;
        if (choice.flip())
            co_await round.done.arrive_and_wait();
        else
            round.done.count_down();
        co_await test::end_some(waiting, choice);
        co_await observe(round, shared->workers);
    }
}

TEST(latch, opens_for_all_on_all_workers_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U})
        test::run_workers(workers, std::make_shared<game>(workers), &play);
}

}  // namespace
}  // namespace eddy::latch_test
