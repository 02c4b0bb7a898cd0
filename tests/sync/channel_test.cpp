#include "support/counted_object.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/async_sequence.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/channel.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::channel_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

static_assert(async_sequence<channel<int>>);

task<> receive_all(channel<int>& source, std::vector<int>& received) {
    while (auto item = co_await source.recv())
        received.push_back(*item);
}
task<> receive_one(channel<int>& source, std::vector<int>& received) {
    const auto item = co_await source.recv();
    received.push_back(item.value_or(-1));
}
task<> send_one(channel<int>& target, int item, std::vector<int>& sent) {
    const bool is_sent = co_await target.send(item);
    sent.push_back(is_sent ? item : -item);
}
task<> send_many(channel<int>& target, int from, int count) {
    for (int at = 0; at < count; ++at) {
        const bool is_sent = co_await target.send(from + at);
        EXPECT_TRUE(is_sent);
    }
}

TEST(channel, gives_items_in_the_order_in_which_they_came_at_any_capacity) {
    const auto main = [](std::size_t capacity) -> task<> {
        channel<int> numbers(capacity);
        EXPECT_EQ(numbers.capacity(), capacity);
        std::vector<int> received;
        auto receiving = spawn(receive_all(numbers, received));
        co_await send_many(numbers, 0, 1000);
        EXPECT_LE(numbers.size(), capacity);
        numbers.close();
        co_await receiving;
        EXPECT_EQ(received.size(), 1000U);
        for (std::size_t at = 0; at < received.size(); ++at)
            EXPECT_EQ(received[at], static_cast<int>(at));
    };
    for (const std::size_t capacity : {0U, 1U, 2U, 3U, 7U, 100U, 5000U})
        run_bounded(main(capacity));
}

// A member that is made in place.
struct owner_of_channel {
    channel<std::unique_ptr<int>> boxes = channel<std::unique_ptr<int>>::unbounded();
};

TEST(channel, without_a_limit_lets_nobody_wait_to_send) {
    owner_of_channel owner;
    EXPECT_EQ(owner.boxes.capacity(), channel<int>::no_limit);
    for (int at = 0; at < 1000; ++at)
        EXPECT_EQ(owner.boxes.try_send(std::make_unique<int>(at)), try_send_result::sent);
    EXPECT_EQ(owner.boxes.size(), 1000U);
    for (int at = 0; at < 500; ++at) {
        const auto box = owner.boxes.try_recv();
        ASSERT_TRUE(box);
        EXPECT_EQ(**box, at);
    }
    // The others are destroyed with it.
}

TEST(channel, destroys_the_items_that_were_not_received) {
    std::atomic<int> living = 0;
    {
        channel<test::counted_object> counted(4);
        for (int sent = 1; sent <= 3; ++sent)
            EXPECT_EQ(counted.try_send(test::counted_object(living)), try_send_result::sent);
        EXPECT_TRUE(counted.try_recv());
        EXPECT_EQ(living, 2);
    }
    EXPECT_EQ(living, 0);
}

TEST(channel, try_send_and_try_recv_tell_full_and_empty_from_closed) {
    channel<std::string> texts(1);
    EXPECT_EQ(texts.try_recv().error(), try_recv_error::empty);
    const std::string first = "a text that is too long for the string itself";
    std::string second = first + "!";
    EXPECT_EQ(texts.try_send(first), try_send_result::sent);
    EXPECT_EQ(texts.try_send(std::move(second)), try_send_result::full);
    EXPECT_EQ(second, first + "!") << "what was not sent is left as it was";
    texts.close();
    EXPECT_TRUE(texts.is_closed());
    EXPECT_EQ(texts.try_send(std::move(second)), try_send_result::closed);
    EXPECT_EQ(second, first + "!");
    EXPECT_EQ(texts.try_recv().value(), first);
    EXPECT_EQ(texts.try_recv().error(), try_recv_error::closed);
    texts.close();
    EXPECT_EQ(texts.try_recv().error(), try_recv_error::closed);
}

TEST(channel, serves_receivers_and_senders_in_the_order_of_their_coming) {
    const auto main = []() -> task<> {
        channel<int> numbers(1);
        std::vector<int> first;
        std::vector<int> second;
        auto one = spawn(receive_one(numbers, first));
        co_await yield();
        auto other = spawn(receive_one(numbers, second));
        co_await yield();
        EXPECT_EQ(numbers.try_send(1), try_send_result::sent);
        EXPECT_EQ(numbers.try_send(2), try_send_result::sent);
        EXPECT_EQ(numbers.try_send(3), try_send_result::sent) << "who waits takes no place";
        EXPECT_EQ(numbers.try_send(4), try_send_result::full);
        EXPECT_EQ(numbers.size(), 1U);
        co_await one;
        co_await other;
        EXPECT_EQ(first, std::vector{1});
        EXPECT_EQ(second, std::vector{2});

        std::vector<int> sent;
        auto five = spawn(send_one(numbers, 5, sent));
        co_await yield();
        auto six = spawn(send_one(numbers, 6, sent));
        co_await yield();
        EXPECT_EQ(numbers.try_recv().value(), 3);
        EXPECT_EQ(numbers.try_send(7), try_send_result::full) << "the place was taken by who waited";
        co_await five;
        EXPECT_EQ(sent, std::vector{5});
        EXPECT_EQ(numbers.try_recv().value(), 5);
        EXPECT_EQ(numbers.try_recv().value(), 6);
        co_await six;
        EXPECT_EQ(sent, (std::vector{5, 6}));
    };
    run_bounded(main());
}

TEST(channel, with_capacity_0_lets_a_sender_wait_for_a_receiver) {
    const auto main = []() -> task<> {
        channel<int> meeting(0);
        EXPECT_EQ(meeting.try_send(1), try_send_result::full);
        std::vector<int> sent;
        auto sending = spawn(send_one(meeting, 2, sent));
        co_await test::turns(2);
        EXPECT_TRUE(sent.empty());
        EXPECT_EQ(meeting.try_recv().value(), 2);
        co_await sending;
        EXPECT_EQ(sent, std::vector{2});
    };
    run_bounded(main());
}

TEST(closing_a_channel, lets_receivers_drain_it_and_tells_who_waits_to_send) {
    const auto main = []() -> task<> {
        channel<int> numbers(2);
        co_await send_many(numbers, 1, 2);
        auto sending = numbers.send(3);
        std::vector<int> sent;
        auto waiting = spawn([](send_operation<int>& held, std::vector<int>& noted) -> task<> {
            const bool is_sent = co_await held;
            noted.push_back(is_sent ? 1 : 0);
        }(sending, sent));
        co_await yield();
        numbers.close();
        co_await waiting;
        EXPECT_EQ(sent, std::vector{0});
        EXPECT_FALSE(sending.is_sent());
        EXPECT_EQ(std::move(sending).item(), 3) << "it still has its item";
        const bool is_late_sent = co_await numbers.send(4);
        EXPECT_FALSE(is_late_sent);
        std::vector<int> received;
        co_await receive_all(numbers, received);
        EXPECT_EQ(received, (std::vector{1, 2}));
    };
    run_bounded(main());
}

TEST(closing_a_channel, ends_who_waits_to_receive) {
    const auto main = []() -> task<> {
        channel<int> numbers(2);
        std::vector<int> received;
        auto one = spawn(receive_one(numbers, received));
        auto other = spawn(receive_one(numbers, received));
        co_await yield();
        numbers.close();
        co_await one;
        co_await other;
        EXPECT_EQ(received, (std::vector{-1, -1}));
    };
    run_bounded(main());
}

TEST(closing_a_channel, ends_nobody_as_long_as_an_item_may_come_back) {
    const auto main = [](bool is_dropped) -> task<> {
        channel<int> numbers(2);
        std::vector<int> received;
        auto one = spawn(receive_one(numbers, received));
        co_await yield();
        auto other = spawn(receive_one(numbers, received));
        co_await yield();
        co_await send_many(numbers, 7, 1);
        numbers.close();
        EXPECT_EQ(numbers.try_recv().error(), try_recv_error::empty);
        if (is_dropped) {
            one.cancel();
            co_await other;
            EXPECT_EQ(received, std::vector{7}) << "it went to who waited";
        } else {
            co_await other;
            EXPECT_EQ(received, (std::vector{7, -1}));
        }
        EXPECT_EQ(numbers.try_recv().error(), try_recv_error::closed);
    };
    run_bounded(main(false));
    run_bounded(main(true));
}

TEST(a_dropped_receiver, leaves_the_queue) {
    const auto main = []() -> task<> {
        channel<int> numbers(2);
        std::vector<int> received;
        auto one = spawn(receive_one(numbers, received));
        co_await yield();
        auto other = spawn(receive_one(numbers, received));
        co_await yield();
        one.cancel();
        co_await send_many(numbers, 1, 2);
        co_await other;
        EXPECT_EQ(received, std::vector{1});
        EXPECT_EQ(numbers.try_recv().value(), 2);
    };
    run_bounded(main());
}

TEST(a_dropped_receiver, passes_its_item_to_the_next_or_puts_it_back_in_front) {
    const auto main = []() -> task<> {
        channel<int> numbers(2);
        std::vector<int> received;
        auto one = spawn(receive_one(numbers, received));
        co_await yield();
        auto other = spawn(receive_one(numbers, received));
        co_await yield();
        co_await send_many(numbers, 1, 1);
        one.cancel();
        EXPECT_EQ(numbers.size(), 0U) << "it went to the next";
        co_await send_many(numbers, 2, 2);
        EXPECT_EQ(numbers.try_send(4), try_send_result::full);
        other.cancel();
        EXPECT_EQ(numbers.size(), 3U) << "what comes back has a place";
        EXPECT_TRUE(received.empty());
        for (const int wanted : {1, 2, 3})
            EXPECT_EQ(numbers.try_recv().value_or(-1), wanted);
        EXPECT_EQ(numbers.try_recv().error(), try_recv_error::empty);
    };
    run_bounded(main());
}

TEST(a_dropped_receiver, puts_its_item_back_into_a_place_that_nobody_else_is_given) {
    const auto main = []() -> task<> {
        channel<int> numbers(8);
        std::vector<int> received;
        auto receiving = spawn(receive_one(numbers, received));
        co_await yield();
        co_await send_many(numbers, 0, 1);
        receiving.cancel();
        co_await send_many(numbers, 1, 7);
        EXPECT_EQ(numbers.try_send(8), try_send_result::full);
        for (int at = 0; at < 8; ++at)
            EXPECT_EQ(numbers.try_recv().value_or(-1), at);
    };
    run_bounded(main());
}

TEST(dropped_receivers, have_a_place_for_all_that_they_were_handed_while_the_channel_filled_up) {
    const auto main = [](std::size_t capacity) -> task<> {
        channel<int> numbers(capacity);
        std::vector<int> received;
        std::vector<handle<>> receivers;
        for (int at = 0; at < 100; ++at) {
            receivers.push_back(spawn(receive_one(numbers, received)));
            co_await yield();
        }
        const int total = 100 + static_cast<int>(capacity);
        for (int at = 0; at < total; ++at)  // without a suspension, in which receivers would go on
            EXPECT_EQ(numbers.try_send(at), try_send_result::sent);
        EXPECT_EQ(numbers.try_send(0), try_send_result::full);
        while (!receivers.empty())
            receivers.pop_back();
        EXPECT_EQ(numbers.size(), static_cast<std::size_t>(total));
        for (int at = 0; at < total; ++at)
            EXPECT_EQ(numbers.try_recv().value_or(-1), at);
    };
    for (const std::size_t capacity : {0U, 1U, 8U, 100U})
        run_bounded(main(capacity));
}

TEST(a_dropped_sender, has_sent_nothing_if_it_waited_and_its_item_if_that_was_taken) {
    const auto main = []() -> task<> {
        channel<int> numbers(1);
        std::vector<int> sent;
        co_await send_many(numbers, 1, 1);
        auto two = spawn(send_one(numbers, 2, sent));
        co_await yield();
        auto three = spawn(send_one(numbers, 3, sent));
        co_await yield();
        two.cancel();
        EXPECT_EQ(numbers.try_recv().value_or(-1), 1);
        three.cancel();
        EXPECT_EQ(numbers.try_recv().value_or(-1), 3) << "it had been taken";
        EXPECT_EQ(numbers.try_recv().error(), try_recv_error::empty);
        EXPECT_TRUE(sent.empty());
    };
    run_bounded(main());
}

TEST(a_send_that_is_late, tells_whether_it_was_sent_and_has_the_item_back) {
    const auto main = []() -> task<> {
        channel<std::string> texts(0);
        auto sending = texts.send("a text that is too long for the string itself");
        const auto late = co_await as_result(with_timeout(sending, 1ms));
        EXPECT_FALSE(late);
        EXPECT_FALSE(sending.is_sent());
        const auto winner = co_await race(sending, yield());
        EXPECT_EQ(winner.index(), 1U);
        EXPECT_EQ(std::move(sending).item().size(), 45U);
        // It may be tried again.
        auto again =
            spawn([](send_operation<std::string>& held) -> task<bool> { co_return co_await held; }(sending));
        co_await yield();
        EXPECT_TRUE(texts.try_recv());
        EXPECT_TRUE(sending.is_sent());
        const bool is_sent = co_await again;
        EXPECT_TRUE(is_sent);
    };
    run_bounded(main());
}

TEST(blocking_calls, exchange_items_between_threads_that_are_no_workers) {
    const test::time_bound bound;
    for (const std::size_t capacity : {0U, 1U, 16U}) {
        channel<int> numbers(capacity);
        channel<int> answers(capacity);
        std::thread doubling([&] {
            while (const auto item = numbers.recv_blocking())
                EXPECT_TRUE(answers.send_blocking(2 * *item));
            answers.close();
        });
        std::thread sending([&] {
            for (int at = 0; at < 2000; ++at)
                EXPECT_TRUE(numbers.send_blocking(at));
            numbers.close();
            EXPECT_FALSE(numbers.send_blocking(1));
        });
        for (int at = 0; at < 2000; ++at)
            EXPECT_EQ(answers.recv_blocking(), 2 * at);
        EXPECT_FALSE(answers.recv_blocking());
        sending.join();
        doubling.join();
    }
}

TEST(blocking_calls, exchange_items_with_tasks) {
    const auto main = []() -> task<> {
        channel<int> numbers(4);
        std::thread sending([&numbers] {
            for (int at = 0; at < 5000; ++at)
                EXPECT_TRUE(numbers.send_blocking(at));
            numbers.close();
        });
        std::vector<int> received;
        co_await receive_all(numbers, received);
        EXPECT_EQ(received.size(), 5000U);
        sending.join();
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::channel_test
