#include "support/pool_items.hpp"
#include "support/time_bound.hpp"

#include <eddy/runtime/detail/offload_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>

namespace eddy::long_queue_test {
namespace {

using test::holder;
using test::time_bound;
using test::work_item;
using enum work_kind;

TEST(long_work, leaves_a_thread_to_short_work) {
    const time_bound bound;
    constexpr std::size_t threads = 3;
    std::array<holder, threads + 1> longs;
    std::deque<work_item> shorts;
    offload_pool pool(threads);
    longs[0].hold(pool, long_running);
    longs[1].hold(pool, long_running);
    pool.submit(longs[2].item(), long_running);
    pool.submit(longs[3].item(), long_running);
    for (int at = 0; at < 50; ++at) {
        pool.submit(shorts.emplace_back([] {}), short_running);
        shorts.back().wait();
    }
    const auto now = pool.metrics();
    EXPECT_EQ(now.running_long, 2U);
    EXPECT_EQ(now.queued_long, 2U);
    EXPECT_FALSE(longs[2].has_begun());
    for (auto& each : longs)
        each.release();
    pool.stop();
    EXPECT_TRUE(longs[3].has_begun());
}

TEST(long_work, has_no_more_threads_than_it_may_have) {
    const time_bound bound;
    EXPECT_EQ(offload_pool(1).threads_max(long_running), 1U);
    EXPECT_EQ(offload_pool(2).threads_max(long_running), 1U);
    EXPECT_EQ(offload_pool(8).threads_max(long_running), 7U);
    EXPECT_EQ(offload_pool(8, 2).threads_max(long_running), 2U);
    EXPECT_EQ(offload_pool(8, 8).threads_max(long_running), 7U);
    EXPECT_EQ(offload_pool(8, 2).threads_max(short_running), 8U);
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    std::deque<work_item> items;
    offload_pool pool(4, 2);
    for (int at = 0; at < 2000; ++at)
        pool.submit(items.emplace_back([&] {
            const int now = ++running;
            int before = most;
            while (now > before && !most.compare_exchange_weak(before, now)) {
            }
            --running;
        }),
                    long_running);
    pool.stop();
    EXPECT_LE(most, 2);
    EXPECT_EQ(pool.metrics().done, 2000U);
}

TEST(long_work, begins_although_short_work_never_ends) {
    const time_bound bound;
    work_item long_one([] {});
    std::deque<work_item> chain;
    offload_pool pool(1);
    const std::function<void()> goes_on = [&] {
        if (long_one.runs() == 0)
            pool.post_behind(chain.emplace_back(goes_on), short_running);
    };
    work_item first([&] {
        pool.post_more(long_one, long_running);
        goes_on();
    });
    pool.post(first);
    long_one.wait();
    pool.stop();
}

TEST(long_work, gets_an_idle_thread_when_the_one_that_ended_it_takes_something_short) {
    const time_bound bound;
    for (int round = 0; round < 200; ++round) {
        holder short_one;
        holder long_one;
        work_item next([] {});
        offload_pool pool(2);
        long_one.hold(pool, long_running);
        pool.submit(next, long_running);
        pool.post(short_one.item());
        long_one.release();
        next.wait();  // whichever thread it is, the other one is held
        short_one.release();
    }
}

}  // namespace
}  // namespace eddy::long_queue_test
