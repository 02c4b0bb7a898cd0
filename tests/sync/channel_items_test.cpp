// Items between workers: none is lost, none comes twice.

#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/stress.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/channel.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::channel_items_test {
namespace {

using test::run_bounded;

// What is shared between two workers, owned by both.
struct crossing {
    explicit crossing(std::size_t capacity) : numbers(capacity) {}
    channel<int> numbers;
    std::binary_semaphore waits{0};
    std::binary_semaphore released{0};
};

task<> receive_and_forget(channel<int>& source) {
    static_cast<void>(co_await source.recv());
}
task<> await_sending(send_operation<int>& sending) {
    static_cast<void>(co_await sending);
}

/// Its worker stands still between the waiter's beginning and its drop, so that the news lies in the inbox
/// meanwhile.
task<> drop_receiver_with_the_news_under_way(std::shared_ptr<crossing> both) {
    auto waiting = spawn(receive_and_forget(both->numbers));
    co_await yield();
    both->waits.release();
    both->released.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
}
task<> drop_sender_with_the_news_under_way(std::shared_ptr<crossing> both) {
    auto sending = both->numbers.send(2);
    auto waiting = spawn(await_sending(sending));
    co_await yield();
    both->waits.release();
    both->released.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
    EXPECT_TRUE(sending.is_sent());
}

TEST(a_receiver_dropped_with_its_item_on_the_way_from_another_worker, puts_it_back_in_front) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>(1);
        auto there = runtime::current().spawn_on(1, drop_receiver_with_the_news_under_way(both));
        both->waits.acquire();
        EXPECT_EQ(both->numbers.try_send(1), try_send_result::sent);
        EXPECT_EQ(both->numbers.try_send(2), try_send_result::sent);
        EXPECT_EQ(both->numbers.try_send(3), try_send_result::full);
        both->released.release();
        co_await there;
        EXPECT_EQ(both->numbers.try_recv().value_or(-1), 1);
        EXPECT_EQ(both->numbers.try_recv().value_or(-1), 2);
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(a_sender_dropped_with_the_news_on_the_way_from_another_worker, has_sent) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>(1);
        EXPECT_EQ(both->numbers.try_send(1), try_send_result::sent);
        auto there = runtime::current().spawn_on(1, drop_sender_with_the_news_under_way(both));
        both->waits.acquire();
        EXPECT_EQ(both->numbers.try_recv().value_or(-1), 1);
        both->released.release();
        co_await there;
        EXPECT_EQ(both->numbers.try_recv().value_or(-1), 2);
    };
    run_bounded(main(), runtime_options().workers(2));
}

task<> send_there(channel<int>& target) {
    const bool is_sent = co_await target.send(1);
    EXPECT_TRUE(is_sent);
}
/// Never waits: who waits to receive needs the channel until it has gone on.
task<> receive_there(channel<int>& source) {
    while (!source.try_recv())
        std::this_thread::yield();
    co_return;
}

TEST(a_channel, may_be_destroyed_right_after_the_last_item_was_received) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 2000; ++time) {
            auto shared = std::make_unique<channel<int>>(static_cast<std::size_t>(time % 2));
            auto there = runtime::current().spawn_on(1, send_there(*shared));
            if (time % 3 == 0)
                co_await test::turns(1);
            static_cast<void>(co_await shared->recv());
            shared.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(a_channel, may_be_destroyed_right_after_the_last_item_was_looked_for) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 2000; ++time) {
            auto shared = std::make_unique<channel<int>>(1);
            auto there = runtime::current().spawn_on(1, send_there(*shared));
            while (!shared->try_recv())
                std::this_thread::yield();
            shared.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(a_channel, may_be_destroyed_right_after_the_last_item_was_sent) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 2000; ++time) {
            auto shared = std::make_unique<channel<int>>(0);
            auto there = runtime::current().spawn_on(1, receive_there(*shared));
            static_cast<void>(co_await shared->send(1));
            shared.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

task<> close_there(channel<int>& closed) {
    closed.close();
    co_return;
}

TEST(a_channel, may_be_destroyed_right_after_it_was_seen_to_be_closed) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 2000; ++time) {
            auto shared = std::make_unique<channel<int>>(1);
            auto there = runtime::current().spawn_on(1, close_there(*shared));
            while (!shared->is_closed()) {
            }
            shared.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

// How many items there were, and which.
struct tally {
    void add(std::uint64_t item) noexcept {
        count.fetch_add(1, std::memory_order_relaxed);
        sum.fetch_add(item, std::memory_order_relaxed);
        squares.fetch_add(item * item, std::memory_order_relaxed);
    }
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> sum{0};
    std::atomic<std::uint64_t> squares{0};
};

struct exchange {
    explicit exchange(std::size_t capacity) : items(capacity) {}
    channel<std::unique_ptr<std::uint64_t>> items;
    tally sent;
    tally received;
};

using boxed_send = send_operation<std::unique_ptr<std::uint64_t>>;

task<> await_boxed(boxed_send& sending) {
    static_cast<void>(co_await sending);
}
/// False once there is nothing more.
task<bool> receive_boxed(exchange& between) {
    const auto item = co_await between.items.recv();
    if (item)
        between.received.add(**item);
    co_return item.has_value();
}

// One that sends, at random dropped.
struct sending_place {
    sending_place(exchange& between, std::uint64_t number)
        : item(number),
          operation(between.items.send(std::make_unique<std::uint64_t>(number))),
          running(spawn(await_boxed(operation))) {}

    std::uint64_t item;
    boxed_send operation;
    handle<> running;
};

task<> finish_sending(exchange& between, std::unique_ptr<sending_place>& place, bool is_dropped) {
    if (!place)
        co_return;
    if (is_dropped)
        place->running.cancel();
    else
        co_await place->running;
    EXPECT_TRUE(is_dropped || place->operation.is_sent());
    if (place->operation.is_sent())
        between.sent.add(place->item);
    place.reset();
}

task<> send_boxes(std::shared_ptr<exchange> between, std::uint64_t seed, std::uint64_t first,
                  std::size_t count) {
    test::stress_choice choice(seed);
    std::array<std::unique_ptr<sending_place>, 16> places;
    for (std::size_t made = 0; made < count; ++made) {
        auto& place = places[choice.below(places.size())];
        co_await finish_sending(*between, place, choice.below(3) == 0);
        place = std::make_unique<sending_place>(*between, first + made);
        if (choice.below(8) == 0)
            co_await yield();
    }
    for (auto& place : places)
        co_await finish_sending(*between, place, false);
}

task<> receive_boxes(std::shared_ptr<exchange> between, std::uint64_t seed) {
    test::stress_choice choice(seed);
    std::array<handle<bool>, 16> places;
    for (bool is_over = false; !is_over;) {
        auto& place = places[choice.below(places.size())];
        if (place && choice.below(3) == 0)
            place.cancel();
        else if (place)
            is_over = !co_await place;
        place = spawn(receive_boxed(*between));
        if (choice.below(8) == 0)
            co_await yield();
    }
    for (auto& place : places)
        if (place)
            static_cast<void>(co_await place);
}

task<> exchange_boxes(std::shared_ptr<exchange> between, std::uint64_t seed, std::size_t operations) {
    auto& here = runtime::current();
    const std::size_t senders = here.workers() / 2;
    std::vector<remote_handle<>> sending;
    std::vector<remote_handle<>> receiving;
    for (std::size_t at = 0; at < here.workers(); ++at) {
        const std::uint64_t own_seed = seed + at * 0x9e37'79b9'7f4a'7c15U;
        if (at < senders)
            sending.push_back(
                here.spawn_on(at, send_boxes(between, own_seed, at * 0x1'0000'0000U, operations / senders)));
        else
            receiving.push_back(here.spawn_on(at, receive_boxes(between, own_seed)));
    }
    for (auto& each : sending)
        co_await each;
    between->items.close();
    for (auto& each : receiving)
        co_await each;
}

void expect_conservation(std::size_t workers, std::size_t capacity) {
    const test::time_bound bound;
    auto generator = test::seeded_generator();
    const auto between = std::make_shared<exchange>(capacity);
    runtime(runtime_options().workers(workers))
        .run(exchange_boxes(between, generator(), test::stress_operations() / 4));
    EXPECT_EQ(between->items.try_recv().error(), try_recv_error::closed);
    EXPECT_GT(between->sent.count, 0U);
    EXPECT_EQ(between->sent.count, between->received.count);
    EXPECT_EQ(between->sent.sum, between->received.sum);
    EXPECT_EQ(between->sent.squares, between->received.squares);
}

TEST(a_channel, loses_and_repeats_no_item_whoever_is_dropped_on_4_workers) {
    for (const std::size_t capacity :
         {std::size_t{0}, std::size_t{1}, std::size_t{64}, channel<int>::no_limit})
        expect_conservation(4, capacity);
}

TEST(a_channel, loses_and_repeats_no_item_whoever_is_dropped_on_16_workers) {
    for (const std::size_t capacity :
         {std::size_t{0}, std::size_t{1}, std::size_t{64}, channel<int>::no_limit})
        expect_conservation(16, capacity);
}

/// Sends numbers that tell their sender, in order.
task<> send_numbers(std::shared_ptr<channel<std::uint64_t>> target, std::uint64_t sender,
                    std::uint64_t count) {
    for (std::uint64_t at = 0; at < count; ++at)
        static_cast<void>(co_await target->send(sender << 32 | at));
}

TEST(a_channel, keeps_the_order_of_each_sender_between_workers) {
    const auto main = [](std::size_t capacity) -> task<> {
        const auto numbers = std::make_shared<channel<std::uint64_t>>(capacity);
        const std::uint64_t each = test::stress_operations() / 40;
        std::vector<remote_handle<>> senders;
        for (std::size_t at = 0; at < 4; ++at)
            senders.push_back(runtime::current().spawn_on(at, send_numbers(numbers, at, each)));
        std::array<std::uint64_t, 4> next{};
        for (std::uint64_t received = 0; received < 4 * each; ++received) {
            const auto item = co_await numbers->recv();
            EXPECT_EQ(*item & 0xffff'ffffU, next[*item >> 32]++);
        }
        for (auto& sender : senders)
            co_await sender;
    };
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{3}, channel<int>::no_limit})
        run_bounded(main(capacity), runtime_options().workers(4));
}

}  // namespace
}  // namespace eddy::channel_items_test
