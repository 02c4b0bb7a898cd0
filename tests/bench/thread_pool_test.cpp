#include "sync/thread_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

namespace thread_pool_test {
namespace {

TEST(thread_pool, run_returns_once_all_that_was_submitted_has_run) {
    bench::thread_pool pool(3);
    std::atomic<int> ran{0};
    for (int round = 1; round <= 100; ++round) {
        for (std::size_t worker = 0; worker < pool.workers(); ++worker)
            pool.submit(worker, [&] { ++ran; });
        pool.run();
        ASSERT_EQ(ran, 3 * round);
    }
}

TEST(thread_pool, each_worker_is_a_thread_and_the_first_is_the_caller) {
    bench::thread_pool pool(2);
    std::thread::id first, second;
    std::latch both_run(2);  // with one thread the round would never end
    pool.submit(0, [&] {
        first = std::this_thread::get_id();
        both_run.arrive_and_wait();
    });
    pool.submit(1, [&] {
        second = std::this_thread::get_id();
        both_run.arrive_and_wait();
    });
    pool.run();
    EXPECT_EQ(first, std::this_thread::get_id());
    EXPECT_NE(second, first);
}

}  // namespace
}  // namespace thread_pool_test
