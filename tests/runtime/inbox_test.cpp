#include "support/time_bound.hpp"

#include <eddy/runtime/detail/inbox.hpp>

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>
#include <vector>

namespace eddy::detail::inbox_test {
namespace {

struct numbered : inbox_item {
    numbered() noexcept : inbox_item(nullptr) {}
    int producer = 0;
    int number = 0;
};

/// The oldest item, or null.
inbox_item* next_of(inbox& box) {
    if (!box.has_fetched())
        box.fetch();
    return box.has_fetched() ? &box.pop() : nullptr;
}

TEST(inbox, gives_items_in_the_order_of_posting) {
    inbox box;
    std::vector<numbered> items(5);
    EXPECT_EQ(next_of(box), nullptr);
    for (auto& item : items)
        EXPECT_FALSE(box.post(item)) << "nobody sleeps";
    for (auto& item : items)
        ASSERT_EQ(next_of(box), &item);
    EXPECT_EQ(next_of(box), nullptr);
}

TEST(inbox, gives_what_was_fetched_before_what_came_later) {
    inbox box;
    std::vector<numbered> items(6);
    for (std::size_t at = 0; at < 3; ++at)
        EXPECT_FALSE(box.post(items[at]));
    box.fetch();
    for (std::size_t at = 3; at < 6; ++at)
        EXPECT_FALSE(box.post(items[at]));
    box.fetch();
    EXPECT_EQ(box.count(), 6U);
    for (auto& item : items)
        ASSERT_EQ(next_of(box), &item);
    EXPECT_EQ(box.count(), 0U);
}

TEST(inbox, gives_back_what_was_posted) {
    inbox box;
    std::vector<numbered> items(5);
    for (auto& item : items)
        EXPECT_FALSE(box.post(item));
    box.retract(items[4]);
    box.retract(items[0]);
    box.retract(items[2]);
    EXPECT_EQ(box.count(), 2U);
    EXPECT_FALSE(box.post(items[2]));
    EXPECT_EQ(next_of(box), &items[1]);
    EXPECT_EQ(next_of(box), &items[3]);
    EXPECT_EQ(next_of(box), &items[2]);
    EXPECT_EQ(next_of(box), nullptr);
}

TEST(inbox, lets_nobody_sleep_who_has_mail) {
    inbox box;
    numbered item;
    EXPECT_FALSE(box.post(item));
    EXPECT_FALSE(box.try_sleep());
    EXPECT_EQ(next_of(box), &item);
    EXPECT_TRUE(box.try_sleep());
}

TEST(inbox, asks_for_one_wake_up_a_sleep) {
    inbox box;
    numbered first, second;
    ASSERT_TRUE(box.try_sleep());
    EXPECT_TRUE(box.post(first));
    EXPECT_FALSE(box.post(second));
    EXPECT_EQ(next_of(box), &first);
    EXPECT_EQ(next_of(box), &second);
    EXPECT_EQ(next_of(box), nullptr);
}

TEST(inbox, is_awake_after_a_fetch) {
    inbox box;
    numbered item;
    ASSERT_TRUE(box.try_sleep());
    EXPECT_EQ(next_of(box), nullptr);
    EXPECT_FALSE(box.post(item));
}

TEST(inbox, loses_nothing_of_many_producers_and_wakes_each_sleep_once) {
    const test::time_bound bound;
    constexpr int producers = 4;
    constexpr int each = 50'000;
    inbox box;
    std::counting_semaphore<> woken(0);
    std::vector<std::vector<numbered>> items(producers);
    std::vector<std::thread> threads;
    for (int producer = 0; producer < producers; ++producer) {
        items[static_cast<std::size_t>(producer)] = std::vector<numbered>(each);
        threads.emplace_back([&, producer] {
            auto& mine = items[static_cast<std::size_t>(producer)];
            for (int number = 0; number < each; ++number) {
                auto& item = mine[static_cast<std::size_t>(number)];
                item.producer = producer;
                item.number = number;
                if (box.post(item))
                    woken.release();
            }
        });
    }
    std::vector<int> next(producers, 0);
    int received = 0;
    while (received < producers * each) {
        for (box.fetch(); box.has_fetched();) {
            const auto& item = static_cast<numbered&>(box.pop());
            ASSERT_EQ(item.number, next[static_cast<std::size_t>(item.producer)]++);
            ++received;
        }
        if (received < producers * each && box.try_sleep()) {
            woken.acquire();
            ASSERT_FALSE(woken.try_acquire()) << "woken twice";
        }
    }
    for (auto& thread : threads)
        thread.join();
    EXPECT_FALSE(woken.try_acquire());
}

}  // namespace
}  // namespace eddy::detail::inbox_test
