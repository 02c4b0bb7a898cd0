#include "support/time_bound.hpp"

#include <eddy/runtime/inbox.hpp>

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>
#include <vector>

namespace eddy::detail {
namespace {

struct numbered : inbox_item {
    numbered() noexcept : inbox_item(nullptr) {}
    int producer = 0;
    int number = 0;
};

TEST(inbox, gives_items_in_the_order_of_posting) {
    inbox box;
    std::vector<numbered> items(5);
    EXPECT_EQ(box.take(), nullptr);
    for (auto& item : items)
        EXPECT_FALSE(box.post(item)) << "nobody sleeps";
    inbox_item* at = box.take();
    for (auto& item : items) {
        ASSERT_EQ(at, &item);
        at = at->next;
    }
    EXPECT_EQ(at, nullptr);
    EXPECT_EQ(box.take(), nullptr);
}

TEST(inbox, lets_nobody_sleep_who_has_mail) {
    inbox box;
    numbered item;
    EXPECT_FALSE(box.post(item));
    EXPECT_FALSE(box.try_sleep());
    EXPECT_EQ(box.take(), &item);
    EXPECT_TRUE(box.try_sleep());
}

TEST(inbox, asks_for_one_wake_up_a_sleep) {
    inbox box;
    numbered first, second;
    ASSERT_TRUE(box.try_sleep());
    EXPECT_TRUE(box.post(first));
    EXPECT_FALSE(box.post(second));
    inbox_item* const at = box.take();
    ASSERT_EQ(at, &first);
    EXPECT_EQ(at->next, &second);
    EXPECT_EQ(second.next, nullptr);
}

TEST(inbox, is_awake_after_a_take) {
    inbox box;
    numbered item;
    ASSERT_TRUE(box.try_sleep());
    EXPECT_EQ(box.take(), nullptr);
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
        for (inbox_item* at = box.take(); at != nullptr;) {
            const auto& item = static_cast<numbered&>(*at);
            at = at->next;
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
}  // namespace eddy::detail
