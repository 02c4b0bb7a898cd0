#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/agents.hpp"
#include "sync/between_workers.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/wait_group.hpp>

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

namespace eddy::wait_group_test {
namespace {

using test::run_bounded;

task<> wait_for(wait_group& awaited) {
    co_await awaited.wait();
}

task<> wait_and_note(wait_group& awaited, std::string& order, char name) {
    co_await awaited.wait();
    order += name;
}

void end_one(wait_group& changed) {
    changed.done();
}

TEST(wait_group, lets_everybody_go_on_when_all_is_done_again_and_again) {
    const auto main = []() -> task<> {
        wait_group work;
        co_await work.wait();
        for (int time = 0; time < 3; ++time) {
            work.add(2);
            auto first = spawn(wait_for(work));
            auto second = spawn(wait_for(work));
            co_await yield();
            work.add();
            work.done();
            work.done();
            EXPECT_EQ(work.count(), 1);
            co_await test::turns(2);
            EXPECT_FALSE(first.done());
            work.done();
            EXPECT_FALSE(first.done()) << "it was resumed inside done()";
            co_await first;
            co_await second;
            co_await work.wait();
        }
    };
    run_bounded(main());
}

TEST(wait_group, begins_with_work_if_it_is_said) {
    wait_group work(2);
    work.done();
    EXPECT_EQ(work.count(), 1);
    work.add(0);
    work.done();
    EXPECT_EQ(work.count(), 0);
}

TEST(wait_group, lets_waiters_go_on_in_the_order_in_which_they_came_even_if_there_is_work_again) {
    const auto main = []() -> task<> {
        wait_group work(1);
        std::string order;
        std::vector<handle<>> waiting;
        for (const char name : {'a', 'b', 'c', 'd'}) {
            waiting.push_back(spawn(wait_and_note(work, order, name)));
            co_await yield();
        }
        work.done();
        work.add();
        for (auto& each : waiting)
            co_await each;
        EXPECT_EQ(order, "abcd");
        auto next = spawn(wait_for(work));
        co_await test::turns(2);
        EXPECT_FALSE(next.done());
        work.done();
        co_await next;
    };
    run_bounded(main());
}

TEST(wait_group, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        wait_group work(1);
        std::string order;
        auto first = spawn(wait_and_note(work, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(work, order, 'b'));
        co_await yield();
        auto third = spawn(wait_and_note(work, order, 'c'));
        co_await yield();
        first.cancel();
        work.done();
        second.cancel();
        co_await third;
        EXPECT_EQ(order, "c");
    };
    run_bounded(main());
}

TEST(wait_group, may_be_waited_for_with_a_bound) {
    const auto main = []() -> task<> {
        wait_group endless(1);
        const auto late = co_await as_result(with_timeout(endless.wait(), std::chrono::microseconds(50)));
        const bool is_late = !late.has_value() && late.error() == std::errc::timed_out;
        EXPECT_TRUE(is_late);
    };
    run_bounded(main());
}

#ifndef NDEBUG
TEST(wait_group_death, is_not_done_more_often_than_there_was_work) {
    EXPECT_DEATH(wait_group().done(), "nothing is counted down that was not there");
    EXPECT_DEATH(wait_group().add(-1), "a count is raised");
    EXPECT_DEATH(wait_group(-1), "a count is not negative");
}
#endif

TEST(wait_group, a_wait_may_be_dropped_with_its_news_on_the_way_from_another_worker) {
    test::drop_released_elsewhere<wait_group>(
        &wait_for, &end_one, [](wait_group& seen) { EXPECT_EQ(seen.count(), 0); }, 1);
}

TEST(wait_group, may_be_destroyed_right_after_the_wait) {
    test::destroy_right_after_the_wait<wait_group>(&wait_for, &end_one, 1);
}

task<> works(wait_group& work) {
    co_await yield();
    work.done();
}

TEST(wait_group, blocks_a_thread_that_is_no_worker) {
    const test::time_bound bound;
    wait_group work;
    for (int time = 0; time < 200; ++time) {
        work.add(2);
        std::thread other([&work] { work.done(); });
        std::thread working([&work] { run(works(work)); });
        work.wait_blocking();
        EXPECT_EQ(work.count(), 0);
        other.join();
        working.join();
        work.wait_blocking();
    }
}

struct played_round {
    explicit played_round(std::size_t workers) : work(static_cast<std::ptrdiff_t>(workers)) {}
    wait_group work;
    std::atomic<std::size_t> ended{0};
};

struct game {
    explicit game(std::size_t workers) : workers(workers) {
        for (std::size_t count = test::stress_rounds(workers); count > 0; --count)
            rounds.emplace_back(workers);
    }
    std::size_t workers;
    std::deque<played_round> rounds;
    wait_group reused;  // work comes and goes in it all the time
};

task<> observe(played_round& watched, std::size_t workers) {
    co_await watched.work.wait();
    EXPECT_EQ(watched.ended, workers) << "it went on too early";
}

task<> works_in_vain(wait_group& work) {
    work.add();
    co_await yield();
    work.done();
    co_await work.wait();
}

/// Each agent's piece of work in a round gives rise to another one, which ends later.
task<> play(std::shared_ptr<game> shared, test::stress_choice choice) {
    std::vector<handle<>> waiting;
    for (auto& round : shared->rounds) {
        for (std::size_t at = 0; at < test::observers; ++at)
            waiting.push_back(spawn(observe(round, shared->workers)));
        round.work.add();
        round.work.done();
        if (choice.flip())
            co_await yield();
        co_await works_in_vain(shared->reused);
        ++round.ended;
        round.work.done();
        co_await test::end_some(waiting, choice);
        co_await observe(round, shared->workers);
    }
}

TEST(wait_group, ends_for_all_on_all_workers_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto shared = std::make_shared<game>(workers);
        test::run_workers(workers, shared, &play);
        EXPECT_EQ(shared->reused.count(), 0);
    }
}

}  // namespace
}  // namespace eddy::wait_group_test
