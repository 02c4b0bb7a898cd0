#include "support/pool_items.hpp"
#include "support/time_bound.hpp"

#include <eddy/runtime/detail/offload_pool.hpp>

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <vector>

namespace eddy::queue_capacity_test {
namespace {

using test::holder;
using test::order_of_runs;
using test::time_bound;
using test::work_item;
using enum work_kind;

TEST(a_full_pool, lets_later_work_wait_for_room_in_order) {
    const time_bound bound;
    holder held;
    order_of_runs order;
    std::deque<work_item> items;
    offload_pool pool(1, 0, 2);
    held.hold(pool);
    for (int at = 0; at < 6; ++at)
        pool.submit(items.emplace_back(order.note(at)), short_running);
    const auto full = pool.metrics();
    EXPECT_EQ(full.queued_short, 2U);
    EXPECT_EQ(full.waiting_for_room, 4U);
    EXPECT_EQ(full.waited_for_room, 4U);
    EXPECT_EQ(pool.count_under_way(), 7U);
    held.release();
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(pool.metrics().waiting_for_room, 0U);
}

TEST(a_full_pool, gives_back_what_waits_for_room_and_gives_room_that_is_left) {
    const time_bound bound;
    holder held;
    order_of_runs order;
    std::deque<work_item> items;
    offload_pool pool(1, 0, 1);
    held.hold(pool);
    for (int at = 0; at < 4; ++at)
        pool.submit(items.emplace_back(order.note(at)), short_running);
    EXPECT_TRUE(pool.retract(items[2]));
    EXPECT_EQ(pool.metrics().waiting_for_room, 2U);
    EXPECT_TRUE(pool.retract(items[0])) << "its room goes to the next";
    const auto now = pool.metrics();
    EXPECT_EQ(now.waiting_for_room, 1U);
    EXPECT_EQ(now.queued_short, 1U);
    held.release();
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{1, 3}));
}

TEST(a_full_pool, never_refuses_what_a_backend_posts) {
    const time_bound bound;
    holder held;
    order_of_runs order;
    work_item queued(order.note(1));
    work_item waiting(order.note(3));
    work_item posted(order.note(2));
    offload_pool pool(1, 0, 1);
    held.hold(pool);
    pool.submit(queued, short_running);
    pool.submit(waiting, short_running);
    pool.post(posted);
    held.release();
    pool.stop();
    EXPECT_EQ(order.noted(), (std::vector{1, 2, 3})) << "and it does not wait for room";
}

TEST(a_full_pool, has_room_for_short_work_where_long_work_waits) {
    const time_bound bound;
    std::array<holder, 4> longs;
    work_item short_one([] {});
    offload_pool pool(2, 0, 1);
    longs[0].hold(pool, long_running);
    for (std::size_t at = 1; at < longs.size(); ++at)
        pool.submit(longs[at].item(), long_running);
    EXPECT_EQ(pool.metrics().waiting_for_room, 2U);
    pool.submit(short_one, short_running);
    short_one.wait();
    for (auto& each : longs)
        each.release();
    pool.stop();
    EXPECT_TRUE(longs[3].has_begun());
}

}  // namespace
}  // namespace eddy::queue_capacity_test
