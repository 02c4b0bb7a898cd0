#include "support/no_allocation.hpp"
#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/time_bound.hpp"
#include "support/turns.hpp"
#include "sync/crossing.hpp"
#include "sync/stress.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/semaphore.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace eddy::semaphore_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

task<> acquire_and_note(semaphore& permits, std::uint64_t count, std::string& order, char name) {
    const auto permit = co_await permits.acquire(count);
    EXPECT_EQ(permit.count(), count);
    order += name;
    co_await test::turns(2);
    order += name;
}

task<> acquire_some(semaphore& permits, std::uint64_t count) {
    const auto permit = co_await permits.acquire(count);
    EXPECT_TRUE(permit);
}

TEST(semaphore, lets_in_as_many_as_it_has_permits) {
    const auto main = []() -> task<> {
        semaphore permits(2);
        std::string order;
        auto first = spawn(acquire_and_note(permits, 1, order, 'a'));
        co_await yield();
        auto second = spawn(acquire_and_note(permits, 1, order, 'b'));
        co_await yield();
        auto third = spawn(acquire_and_note(permits, 1, order, 'c'));
        co_await third;
        co_await second;
        co_await first;
        EXPECT_TRUE(order == "ababcc" || !test::runs_in_order()) << order;
        EXPECT_EQ(order.substr(0, 2), "ab");
        EXPECT_NE(order[2], 'c') << "before one of the two was through";
        EXPECT_EQ(permits.available(), 2U);
    };
    run_bounded(main());
}

TEST(semaphore, gives_several_permits_at_once_or_none) {
    semaphore permits(3);
    auto two = permits.try_acquire(2);
    EXPECT_TRUE(two);
    EXPECT_EQ(two.count(), 2U);
    EXPECT_EQ(permits.available(), 1U);
    EXPECT_FALSE(permits.try_acquire(2));
    EXPECT_EQ(permits.available(), 1U);
    EXPECT_TRUE(permits.try_acquire()) << "and its permit comes back at once";
    two.give_back();
    EXPECT_FALSE(two);
    EXPECT_EQ(two.count(), 0U);
    EXPECT_EQ(permits.available(), 3U);
}

TEST(semaphore, a_permit_moves_and_is_released_without_coming_back) {
    semaphore permits(3);
    auto held = permits.try_acquire(2);
    semaphore_permit moved = std::move(held);
    EXPECT_FALSE(held);
    EXPECT_EQ(moved.count(), 2U);
    EXPECT_EQ(permits.available(), 1U);
    moved = permits.try_acquire(1);
    EXPECT_EQ(permits.available(), 2U) << "the two that it had before came back";
    EXPECT_EQ(moved.release(), 1U);
    EXPECT_FALSE(moved);
    EXPECT_EQ(permits.available(), 2U);
    permits.release(1);
    permits.add(4);
    EXPECT_EQ(permits.available(), 7U);
}

TEST(semaphore, small_requests_do_not_overtake_a_big_one) {
    const auto main = []() -> task<> {
        semaphore permits(3);
        std::string order;
        auto held = permits.try_acquire(2);
        auto big = spawn(acquire_and_note(permits, 3, order, 'a'));
        co_await yield();
        auto small = spawn(acquire_and_note(permits, 1, order, 'b'));
        co_await yield();
        EXPECT_EQ(permits.available(), 1U);
        EXPECT_FALSE(permits.try_acquire(1)) << "somebody waits";
        auto late = spawn(acquire_and_note(permits, 1, order, 'c'));
        co_await test::turns(2);
        EXPECT_EQ(order, "");
        held.give_back();
        co_await big;
        co_await small;
        co_await late;
        EXPECT_TRUE(order == "aabcbc" || !test::runs_in_order()) << order;
        EXPECT_EQ(order.substr(0, 2), "aa");
        EXPECT_EQ(permits.available(), 3U);
    };
    run_bounded(main());
}

TEST(semaphore, added_permits_let_a_request_in_that_was_greater_than_all) {
    const auto main = []() -> task<> {
        semaphore permits(1);
        auto big = spawn(acquire_some(permits, 3));
        co_await yield();
        permits.add(1);
        co_await test::turns(1);
        EXPECT_FALSE(big.done());
        permits.add(1);
        co_await big;
        EXPECT_EQ(permits.available(), 3U);
    };
    run_bounded(main());
}

TEST(semaphore, a_dropped_wait_leaves_the_queue_to_those_behind_it) {
    const auto main = []() -> task<> {
        semaphore permits(2);
        auto held = permits.try_acquire(1);
        auto big = spawn(acquire_some(permits, 2));
        co_await yield();
        auto small = spawn(acquire_some(permits, 1));
        co_await test::turns(1);
        EXPECT_FALSE(small.done());
        big.cancel();
        co_await small;
        EXPECT_EQ(permits.available(), 1U);

        auto alone = spawn(acquire_some(permits, 2));
        co_await yield();
        alone.cancel();
        EXPECT_TRUE(permits.try_acquire(1)) << "no task waits any more";
    };
    run_bounded(main());
}

TEST(semaphore, a_wait_dropped_after_it_was_given_permits_hands_them_on) {
    const auto main = []() -> task<> {
        semaphore permits(2);
        auto held = permits.try_acquire(2);
        auto first = spawn(acquire_some(permits, 2));
        co_await yield();
        auto second = spawn(acquire_some(permits, 2));
        co_await yield();
        held.give_back();
        EXPECT_EQ(permits.available(), 0U) << "they were given to the first";
        first.cancel();
        EXPECT_EQ(permits.available(), 0U) << "and then to the second";
        co_await second;
        EXPECT_EQ(permits.available(), 2U);
    };
    run_bounded(main());
}

task<> acquire_shared(std::shared_ptr<semaphore> permits, std::uint64_t count) {
    const auto permit = co_await permits->acquire(count);
    ADD_FAILURE() << "it was to be dropped before";
}

TEST(semaphore, a_wait_dropped_with_its_permits_on_the_way_from_another_worker_gives_them_back) {
    const auto main = []() -> task<> {
        const auto permits = std::make_shared<semaphore>(2);
        auto held = permits->try_acquire(2);
        co_await test::drop_with_the_news_under_way(acquire_shared(permits, 2), [&] {
            held.give_back();
            EXPECT_EQ(permits->available(), 0U);
        });
        EXPECT_EQ(permits->available(), 2U);
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// The semaphore lives where the last to acquire from it ends.
task<> acquire_last() {
    auto* const permits = new semaphore(0);
    auto there = runtime::current().spawn_on(1, [](semaphore& taken) -> task<> {
        auto last = co_await taken.acquire(2);
        last.release();
        delete &taken;
    }(*permits));
    co_await test::turns(3);
    permits->release(2);
    co_await there;
}

TEST(semaphore, may_be_destroyed_by_the_last_who_acquires_from_it) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time)
            co_await acquire_last();
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(semaphore, blocks_a_thread_until_a_task_releases) {
    const auto main = []() -> task<> {
        semaphore permits(1);
        std::atomic<int> acquired = 0;
        std::thread other([&] {
            const auto first = permits.acquire_blocking();
            acquired = 1;
            const auto second = permits.acquire_blocking(2);
            acquired = 2;
        });
        co_await test::turns_until([&] { return acquired == 1; });
        permits.release(1);
        co_await test::turns(3);
        EXPECT_EQ(acquired, 1);
        permits.release(1);
        co_await test::turns_until([&] { return acquired == 2; });
        other.join();
        EXPECT_EQ(permits.available(), 3U);
    };
    run_bounded(main());
}

TEST(semaphore, is_released_by_a_thread_to_a_sleeping_worker) {
    const auto main = []() -> task<> {
        semaphore permits(0);
        std::thread other([&] { permits.release(2); });
        auto both = co_await permits.acquire(2);
        other.join();
        both.give_back();
        EXPECT_EQ(permits.available(), 2U);
    };
    run_bounded(main());
}

TEST(semaphore, may_be_waited_for_with_a_deadline) {
    const auto main = []() -> task<> {
        semaphore permits(1);
        auto held = permits.try_acquire();
        const auto late = co_await as_result(with_timeout(permits.acquire(), 100us));
        EXPECT_TRUE(!late && late.error() == std::errc::timed_out);
        held.give_back();
        EXPECT_EQ(permits.available(), 1U);
        const auto permit = co_await with_timeout(permits.acquire(), 1h);
        EXPECT_TRUE(permit);
    };
    run_bounded(main());
}

TEST(semaphore, allocates_nothing_while_tasks_wait) {
    const auto main = []() -> task<> {
        semaphore permits(0);
        auto first = spawn(acquire_some(permits, 2));
        auto second = spawn(acquire_some(permits, 1));
        auto third = spawn(acquire_some(permits, 1));
        {
            const test::no_allocation expected;
            co_await yield();
            permits.release(1);
            first.cancel();
            second.cancel();
            co_await yield();
        }
        EXPECT_TRUE(third.done());
    };
    run_bounded(main());
}

constexpr std::uint64_t stressed_permits = 3;

struct counted_permits {
    semaphore permits{stressed_permits};
    std::atomic<std::uint64_t> inside = 0;
    std::atomic<std::uint64_t> entered = 0;
};

/// One that is inside with some permits, until it is dropped or leaves.
class visit {
public:
    visit(counted_permits& visited, std::uint64_t count) : visited_(visited), count_(count) {
        EXPECT_LE(visited_.inside += count_, stressed_permits) << "there were more permits than there are";
        ++visited_.entered;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() { visited_.inside -= count_; }

private:
    counted_permits& visited_;
    std::uint64_t count_;
};

task<> enter(std::shared_ptr<counted_permits> counted, std::uint64_t count, bool does_yield) {
    const auto permit = co_await counted->permits.acquire(count);
    const visit inside(*counted, count);
    if (does_yield)
        co_await yield();
}

TEST(semaphore, keeps_the_number_of_its_permits_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto counted = std::make_shared<counted_permits>();
        test::stress(workers, [counted](test::stress_choice choice) {
            const std::uint64_t count = 1 + choice.below(stressed_permits);
            return enter(counted, count, choice.flip());
        });
        EXPECT_EQ(counted->permits.available(), stressed_permits);
        EXPECT_GT(counted->entered, 0U);
    }
}

TEST(semaphore, keeps_the_number_of_its_permits_with_threads_that_block) {
    const test::time_bound bound;
    const auto counted = std::make_shared<counted_permits>();
    const auto enters_often = [counted] {
        for (std::size_t time = 0; time < test::stress_operations() / 20; ++time) {
            const std::uint64_t count = 1 + time % stressed_permits;
            const auto permit = counted->permits.acquire_blocking(count);
            const visit inside(*counted, count);
        }
    };
    std::thread one(enters_often);
    std::thread other(enters_often);
    one.join();
    other.join();
    EXPECT_EQ(counted->permits.available(), stressed_permits);
}

}  // namespace
}  // namespace eddy::semaphore_test
