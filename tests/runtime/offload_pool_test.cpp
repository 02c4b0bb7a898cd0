#include "support/moment.hpp"
#include "support/pool_items.hpp"
#include "support/seed.hpp"
#include "support/time_bound.hpp"

#include <eddy/detail/allocation_window.hpp>
#include <eddy/runtime/detail/offload_pool.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <new>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::offload_pool_test {
namespace {

using test::holder;
using test::moment;
using test::order_of_runs;
using test::time_bound;
using test::work_item;
using enum work_kind;

void wait_until_nothing_is_under_way(const offload_pool& pool) {
    while (pool.count_under_way() != 0)
        std::this_thread::yield();
}

TEST(an_offload_pool, runs_what_many_threads_post_once_each) {
    const time_bound bound;
    constexpr int posters = 4;
    constexpr int each = 2000;
    std::array<std::deque<work_item>, posters> items;
    std::atomic<int> runs = 0;
    offload_pool pool(3);
    std::vector<std::thread> threads;
    for (auto& own : items)
        threads.emplace_back([&own, &pool, &runs] {
            for (int at = 0; at < each; ++at)
                pool.post(own.emplace_back([&runs] { ++runs; }));
        });
    for (auto& thread : threads)
        thread.join();
    pool.stop();
    EXPECT_EQ(runs, posters * each);
    for (const auto& own : items)
        for (const auto& item : own)
            ASSERT_EQ(item.runs(), 1);
    EXPECT_EQ(pool.metrics().done, static_cast<std::uint64_t>(posters * each));
    EXPECT_EQ(pool.count_under_way(), 0U);
}

TEST(an_offload_pool, wakes_a_thread_for_each_item_however_often_all_sleep) {
    const time_bound bound;
    std::deque<work_item> items;
    offload_pool pool(4);
    for (int at = 0; at < 5000; ++at) {
        pool.submit(items.emplace_back([] {}), at % 3 == 0 ? long_running : short_running);
        items.back().wait();
    }
    EXPECT_LE(pool.metrics().threads, 4U);
}

TEST(an_offload_pool, with_one_thread_begins_what_is_given_in_the_order_of_posting) {
    const time_bound bound;
    holder held;
    order_of_runs order;
    work_item first(order.note(1));
    work_item second(order.note(2));
    work_item third(order.note(3));
    offload_pool pool(1);
    held.hold(pool);
    pool.post(first);
    pool.submit(second, short_running);
    pool.post(third);
    held.release();
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{1, 2, 3}));
}

TEST(an_offload_pool, leaves_one_thread_to_short_work_where_it_has_several) {
    EXPECT_EQ(offload_pool(4).threads_max(long_running), 3U);
    EXPECT_EQ(offload_pool(4, 2).threads_max(long_running), 2U);
    EXPECT_EQ(offload_pool(4, 9).threads_max(long_running), 3U);
    EXPECT_EQ(offload_pool(1).threads_max(long_running), 1U);
    EXPECT_EQ(offload_pool(4).threads_max(short_running), 4U);
}

TEST(an_offload_pool, gives_back_what_has_not_begun) {
    const time_bound bound;
    holder held;
    work_item posted([] {});
    work_item submitted([] {});
    work_item long_one([] {});
    offload_pool pool(1);
    held.hold(pool);
    EXPECT_FALSE(pool.retract(held.item())) << "it has begun";
    pool.post(posted);
    pool.submit(submitted, short_running);
    pool.submit(long_one, long_running);
    EXPECT_EQ(pool.count_under_way(), 4U);
    EXPECT_TRUE(pool.retract(submitted));
    EXPECT_TRUE(pool.retract(posted));
    EXPECT_TRUE(pool.retract(long_one));
    EXPECT_EQ(pool.count_under_way(), 1U);
    held.release();
    pool.stop();
    EXPECT_FALSE(pool.retract(held.item())) << "it has run";
    EXPECT_EQ(posted.runs() + submitted.runs() + long_one.runs(), 0);
}

// -- what threads of the pool post themselves --

TEST(a_thread_of_the_pool, runs_what_it_posted_newest_first) {
    const time_bound bound;
    order_of_runs order;
    work_item first(order.note(1));
    work_item second(order.note(2));
    work_item third(order.note(3));
    offload_pool pool(1);
    work_item posts([&] {
        pool.post_more(first, short_running);
        pool.post_more(second, short_running);
        pool.post_more(third, short_running);
    });
    pool.post(posts);
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{3, 2, 1}));
}

TEST(a_thread_of_the_pool, steals_what_another_has_posted_before_it_sleeps) {
    const time_bound bound;
    std::thread::id poster_thread;
    std::thread::id thief_thread;
    work_item stolen([&] { thief_thread = std::this_thread::get_id(); });
    offload_pool pool(2);
    work_item posts([&] {
        poster_thread = std::this_thread::get_id();
        pool.post_more(stolen, short_running);
        stolen.wait();  // without a thief this would be for ever
    });
    pool.post(posts);
    posts.wait();
    pool.stop();
    EXPECT_NE(poster_thread, thief_thread);
    EXPECT_EQ(pool.metrics().stolen, 1U);
}

TEST(a_thread_of_the_pool, steals_the_oldest) {
    const time_bound bound;
    holder held;
    order_of_runs order;
    moment have_been_posted;
    moment may_end;
    work_item first(order.note(1));
    work_item second(order.note(2));
    work_item third(order.note(3));
    offload_pool pool(2);
    held.hold(pool);
    work_item posts([&] {
        for (work_item* const each : {&first, &second, &third})
            pool.post_more(*each, short_running);
        have_been_posted.come();
        may_end.wait();
    });
    pool.post(posts);
    have_been_posted.wait();
    held.release();  // its thread becomes the thief
    for (const work_item* const each : {&first, &second, &third})
        each->wait();
    may_end.come();
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{1, 2, 3}));
    EXPECT_EQ(pool.metrics().stolen, 3U);
}

TEST(a_thread_of_the_pool, that_goes_on_posting_holds_nothing_up_for_ever) {
    const time_bound bound;
    work_item given([] {});
    work_item long_one([] {});
    offload_pool pool(1);
    // Each posts another until both others have run.
    std::deque<work_item> chain;
    const std::function<void()> goes_on = [&] {
        if (given.runs() == 0 || long_one.runs() == 0)
            pool.post_more(chain.emplace_back(goes_on), short_running);
    };
    work_item posts([&] {
        pool.post_behind(given, short_running);
        pool.post_behind(long_one, long_running);
        goes_on();
    });
    pool.post(posts);
    given.wait();
    long_one.wait();
    pool.stop();
}

// -- threads --

TEST(the_threads_of_a_pool, start_when_they_are_needed) {
    const time_bound bound;
    holder one;
    holder other;
    holder third;
    offload_pool pool(3);
    EXPECT_EQ(pool.metrics().threads, 0U);
    one.hold(pool);
    EXPECT_EQ(pool.metrics().threads, 1U);
    other.hold(pool);
    third.hold(pool);
    EXPECT_EQ(pool.metrics().threads, 3U);
    EXPECT_EQ(pool.metrics().running_short, 3U);
    for (holder* const each : {&one, &other, &third})
        each->release();
    wait_until_nothing_is_under_way(pool);
    while (pool.metrics().idle != 3)
        std::this_thread::yield();
}

TEST(a_pool_that_gets_no_thread, refuses_what_is_submitted_and_lets_a_backends_caller_do_its_work) {
    if (!testing::replaces_new)
        GTEST_SKIP() << "[sanitizer] no allocation can fail in this build";
    const time_bound bound;
    const auto here = std::this_thread::get_id();
    std::thread::id ran_on;
    work_item submitted([] {});
    work_item posted([&] { ran_on = std::this_thread::get_id(); });
    work_item later([&] { ran_on = std::this_thread::get_id(); });
    offload_pool pool(2);
    detail::allocation_window::open(1);
    EXPECT_THROW(pool.submit(submitted, short_running), std::bad_alloc);
    detail::allocation_window::open(1);
    pool.post(posted);
    detail::allocation_window::close();
    EXPECT_EQ(ran_on, here);
    EXPECT_FALSE(pool.retract(posted));
    EXPECT_EQ(pool.count_under_way(), 0U);
    pool.submit(later, short_running);
    later.wait();
    EXPECT_NE(ran_on, here) << "the next call tries again";
    pool.stop();
    EXPECT_EQ(submitted.runs(), 0);
}

// Each item has run once, or was given back and never ran.
TEST(a_pool_that_is_ending, runs_what_its_threads_still_post) {
    const time_bound bound;
    moment has_begun;
    std::deque<work_item> items;
    std::atomic<int> runs = 0;
    offload_pool pool(2);
    const std::function<void()> post_next = [&] {
        has_begun.come();
        if (++runs < 5000)
            runs % 2 == 0 ? pool.post(items.emplace_back(post_next))
                          : pool.submit(items.emplace_back(post_next), long_running);
    };
    pool.post(items.emplace_back(post_next));
    has_begun.wait();
    pool.stop();
    EXPECT_EQ(runs, 5000);
}

#ifndef NDEBUG
TEST(a_pool_death, comes_of_posting_from_outside_after_its_end) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    work_item late([] {});
    offload_pool pool(1);
    pool.stop();
    EXPECT_DEATH(pool.post(late), "once the runtime has ended");
    EXPECT_DEATH(pool.submit(late, short_running), "once the runtime has ended");
}
#endif

TEST(a_pool_under_stress, runs_or_gives_back_every_item) {
    const time_bound bound;
    auto seeds = test::seeded_generator();
    constexpr int posters = 4;
    std::array<std::deque<work_item>, posters> items;
    std::array<std::vector<int>, posters> expected;
    offload_pool pool(3, 0, 8);
    std::vector<std::thread> threads;
    for (std::size_t poster = 0; poster < posters; ++poster)
        threads.emplace_back([&pool, own = &items[poster], runs = &expected[poster], seed = seeds()] {
            std::mt19937_64 generator(seed);
            for (std::size_t at = 0; at < 1500; ++at) {
                runs->push_back(1);
                auto& item = own->emplace_back([] {});
                const int choice = test::between(generator, 0, 9);
                if (choice < 2)
                    pool.post(item);
                else
                    pool.submit(item, choice < 5 ? long_running : short_running);
                const auto back = test::between<std::size_t>(generator, 0, 20);
                if (back <= at && (*runs)[at - back] == 1 && pool.retract((*own)[at - back]))
                    (*runs)[at - back] = 0;
            }
        });
    for (auto& thread : threads)
        thread.join();
    pool.stop();
    EXPECT_EQ(pool.count_under_way(), 0U);
    for (std::size_t poster = 0; poster < posters; ++poster)
        for (std::size_t at = 0; at < items[poster].size(); ++at)
            ASSERT_EQ(items[poster][at].runs(), expected[poster][at]);
}

}  // namespace
}  // namespace eddy::offload_pool_test
