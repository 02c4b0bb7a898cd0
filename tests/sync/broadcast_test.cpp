#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/tracked.hpp"
#include "support/turns.hpp"
#include "sync/stress.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/broadcast.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::broadcast_test {
namespace {

using test::run_bounded;

/// What is received, as text: values, "-n" for n missed, "." for closed.
task<> note_all(broadcast_receiver<int> from, std::string& noted) {
    for (;;) {
        const auto item = co_await from.recv();
        if (item.is_closed()) {
            noted += '.';
            co_return;
        }
        if (item.is_lagged())
            noted += '-' + std::to_string(item.missed()) + ' ';
        else
            noted += std::to_string(*item) + ' ';
    }
}

TEST(broadcast, gives_every_receiver_every_value_in_order) {
    const auto main = []() -> task<> {
        broadcast<int> news(4);
        std::string one;
        std::string other;
        auto first = spawn(note_all(news.subscribe(), one));
        auto second = spawn(note_all(news.subscribe(), other));
        co_await yield();
        for (int value = 1; value <= 3; ++value)
            EXPECT_TRUE(news.send(value));
        co_await yield();
        EXPECT_TRUE(news.send(4));
        news.close();
        co_await first;
        co_await second;
        EXPECT_EQ(one, "1 2 3 4 .");
        EXPECT_EQ(other, "1 2 3 4 .");
    };
    run_bounded(main());
}

TEST(broadcast, resumes_those_who_wait_in_the_order_of_their_asking) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    const auto receive = [](broadcast_receiver<int> from, std::string& order, char name) -> task<> {
        const auto item = co_await from.recv();
        EXPECT_EQ(*item, 5);
        order += name;
    };
    const auto main = [](auto receives) -> task<> {
        broadcast<int> news(1);
        std::string order;
        auto first = spawn(receives(news.subscribe(), order, 'a'));
        auto second = spawn(receives(news.subscribe(), order, 'b'));
        auto third = spawn(receives(news.subscribe(), order, 'c'));
        co_await yield();
        news.send(5);
        EXPECT_EQ(order, "") << "nobody is resumed in send()";
        co_await third;
        co_await second;
        co_await first;
        EXPECT_EQ(order, "abc");
    };
    run_bounded(main(receive));
}

TEST(broadcast, gives_what_is_sent_after_the_subscription_only) {
    broadcast<int> news(4);
    news.send(1);
    auto late = news.subscribe();
    EXPECT_FALSE(late.try_recv());
    news.send(2);
    const auto item = late.try_recv();
    ASSERT_TRUE(item);
    EXPECT_EQ(**item, 2);
    EXPECT_FALSE(late.try_recv());
}

TEST(broadcast, tells_a_slow_receiver_once_how_many_it_missed_and_goes_on_with_the_oldest_kept) {
    broadcast<int> news(3);
    auto slow = news.subscribe();
    for (int value = 1; value <= 8; ++value)
        news.send(value);
    const auto lag = slow.try_recv();
    ASSERT_TRUE(lag);
    EXPECT_TRUE(lag->is_lagged());
    EXPECT_FALSE(*lag);
    EXPECT_FALSE(lag->is_closed());
    EXPECT_EQ(lag->missed(), 5U);
    for (int value = 6; value <= 8; ++value) {
        const auto item = slow.try_recv();
        ASSERT_TRUE(item && *item);
        EXPECT_EQ(**item, value);
        EXPECT_EQ(item->missed(), 0U);
    }
    EXPECT_FALSE(slow.try_recv());
}

TEST(broadcast, ends_may_outlive_each_other) {
    auto news = std::make_unique<broadcast<std::string>>(2);
    auto receiver = news->subscribe();
    news->send("kept");
    auto moved = std::move(receiver);
    auto moved_news = std::move(*news);
    news.reset();
    EXPECT_FALSE(moved_news.is_closed()) << "it was moved, not destroyed";
    moved_news = broadcast<std::string>(1);
    const auto item = moved.try_recv();
    ASSERT_TRUE(item && *item);
    EXPECT_EQ((*item)->size(), 4U);
    const auto end = moved.try_recv();
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->is_closed());
    EXPECT_FALSE(*end);
    {
        const auto unused = moved_news.subscribe();
    }
    EXPECT_TRUE(moved_news.send("heard by nobody"));
    moved_news.close();
    EXPECT_FALSE(moved_news.send("closed"));
}

TEST(broadcast, a_dropped_wait_receives_nothing_and_loses_nothing) {
    const auto main = []() -> task<> {
        broadcast<int> news(2);
        auto receiver = news.subscribe();
        const auto receive = [](broadcast_receiver<int>& from, int& got) -> task<> {
            const auto item = co_await from.recv();
            got = *item;
        };
        int got = 0;
        auto dropped_before = spawn(receive(receiver, got));
        co_await yield();
        dropped_before.cancel();
        auto dropped_after = spawn(receive(receiver, got));
        co_await yield();
        news.send(7);
        dropped_after.cancel();
        EXPECT_EQ(got, 0);
        co_await receive(receiver, got);
        EXPECT_EQ(got, 7);
    };
    run_bounded(main());
}

/// A receive that finds nothing at its first look, after which a value is sent, before it waits.
class receive_with_news_between {
public:
    receive_with_news_between(broadcast_receiver<int>& from, broadcast<int>& news) noexcept
        : receiving_(from), news_(news) {}
    bool await_ready() {
        EXPECT_FALSE(receiving_.await_ready());
        news_.send(9);
        return false;
    }
    bool await_suspend(detail::suspension point) noexcept { return receiving_.await_suspend(point); }
    broadcast_item<int> await_resume() { return receiving_.await_resume(); }

private:
    broadcast_receiver<int>::recv_awaiter receiving_;
    broadcast<int>& news_;
};

TEST(broadcast, what_is_sent_between_the_first_look_and_the_wait_is_not_missed) {
    const auto main = []() -> task<> {
        broadcast<int> news(1);
        auto receiver = news.subscribe();
        receive_with_news_between receiving(receiver, news);
        const auto item = co_await receiving;
        EXPECT_TRUE(item && *item == 9);
    };
    run_bounded(main());
}

// What is shared between two workers, owned by both.
struct crossing {
    broadcast<int> news{2};
    std::binary_semaphore waits{0};
    std::binary_semaphore sent{0};
};

task<> receive_one(broadcast_receiver<int>& from) {
    const auto item = co_await from.recv();
    EXPECT_TRUE(item);
}

/// Its worker stands still between the waiter's beginning and its drop, so that the news lies in the inbox
/// meanwhile.
task<> drop_with_the_news_under_way(std::shared_ptr<crossing> both) {
    auto receiver = both->news.subscribe();
    auto waiting = spawn(receive_one(receiver));
    co_await yield();
    both->waits.release();
    both->sent.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
    const auto item = receiver.try_recv();
    EXPECT_TRUE(item && *item && **item == 3) << "the value was lost with the wait";
}

TEST(broadcast, a_wait_dropped_with_the_news_on_the_way_from_another_worker_loses_nothing) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>();
        auto there = runtime::current().spawn_on(1, drop_with_the_news_under_way(both));
        both->waits.acquire();
        both->news.send(3);
        both->sent.release();
        co_await there;
    };
    run_bounded(main(), runtime_options().workers(2));
}

/// The receiver, and with it the last of the shared state but the sender's, goes at once.
task<> receive_and_leave(broadcast_receiver<int> from) {
    const auto item = co_await from.recv();
    EXPECT_TRUE(item);
    const auto end = co_await from.recv();
    EXPECT_TRUE(end.is_closed());
}

TEST(broadcast, either_end_may_be_destroyed_right_after_a_wait) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time) {
            auto news = std::make_unique<broadcast<int>>(1);
            auto there = runtime::current().spawn_on(1, receive_and_leave(news->subscribe()));
            co_await test::turns(time % 4);
            news->send(time);
            co_await test::turns(time % 3);
            news.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(broadcast, threads_that_are_no_workers_receive_too) {
    const test::time_bound bound;
    for (int time = 0; time < 200; ++time) {
        auto news = std::make_unique<broadcast<int>>(2);
        std::atomic<int> sum = 0;
        const auto listen = [](broadcast_receiver<int> from, std::atomic<int>& added) {
            for (auto item = from.recv_blocking(); !item.is_closed(); item = from.recv_blocking())
                added += item ? *item : 0;
        };
        std::thread one(listen, news->subscribe(), std::ref(sum));
        std::thread other(listen, news->subscribe(), std::ref(sum));
        news->send(3);
        news->send(4);
        news.reset();
        one.join();
        other.join();
        EXPECT_EQ(sum, 14);
    }
}

/// Throws when it is copied for the first time.
class copied_reluctantly {
public:
    explicit copied_reluctantly(int& copies) noexcept : copies_(&copies) {}
    copied_reluctantly(const copied_reluctantly& other) : copies_(other.copies_) {
        if (++*copies_ == 1)
            throw std::runtime_error("not yet");
    }
    copied_reluctantly(copied_reluctantly&&) noexcept = default;
    copied_reluctantly& operator=(const copied_reluctantly&) = default;
    copied_reluctantly& operator=(copied_reluctantly&&) noexcept = default;
    ~copied_reluctantly() = default;

private:
    int* copies_;
};

TEST(broadcast, a_copy_that_throws_leaves_the_value_to_the_next_receive) {
    int copies = 0;
    broadcast<copied_reluctantly> news(1);
    auto receiver = news.subscribe();
    news.send(copied_reluctantly(copies));
    EXPECT_THROW(static_cast<void>(receiver.try_recv()), std::runtime_error);
    const auto item = receiver.try_recv();
    EXPECT_TRUE(item && *item);
    EXPECT_FALSE(receiver.try_recv());
}

/// Sends another value, which takes its own's place, while it is copied.
struct replaced_while_copied {
    broadcast<replaced_while_copied>* news = nullptr;
    std::shared_ptr<int> number;
    replaced_while_copied(broadcast<replaced_while_copied>* source, int value)
        : news(source), number(std::make_shared<int>(value)) {}
    replaced_while_copied(const replaced_while_copied& other) : number(other.number) {
        if (other.news != nullptr)
            other.news->send(replaced_while_copied(nullptr, *other.number + 1));
        EXPECT_EQ(*other.number, *number) << "a value changed while it was copied";
    }
    replaced_while_copied(replaced_while_copied&&) noexcept = default;
    replaced_while_copied& operator=(const replaced_while_copied&) = delete;
    replaced_while_copied& operator=(replaced_while_copied&&) noexcept = default;
    ~replaced_while_copied() = default;
};

TEST(broadcast, a_value_that_is_replaced_while_it_is_copied_stays_whole) {
    broadcast<replaced_while_copied> news(1);
    auto receiver = news.subscribe();
    news.send(replaced_while_copied(&news, 1));
    const auto first = receiver.try_recv();
    ASSERT_TRUE(first && *first);
    EXPECT_EQ(*(*first)->number, 1);
    const auto second = receiver.try_recv();
    ASSERT_TRUE(second && *second);
    EXPECT_EQ(*(*second)->number, 2);
}

TEST(broadcast, destroys_every_value) {
    {
        broadcast<std::shared_ptr<test::tracked>> news(2);
        auto receiver = news.subscribe();
        for (int at = 0; at < 5; ++at)
            news.send(std::make_shared<test::tracked>());
        EXPECT_EQ(test::tracked::living(), 2) << "more than its capacity are kept";
        static_cast<void>(receiver.try_recv());
    }
    test::tracked::expect_none();
}

// -- stress --

/// What one receiver has been told; all senders send the numbers of their own, in order.
struct tally {
    std::uint64_t received = 0;
    std::uint64_t missed = 0;
    bool has_closed = false;
    std::vector<std::int64_t> last_of_sender;
};

struct numbered {
    std::size_t sender;
    std::int64_t number;
};

task<> receive_into(broadcast_receiver<numbered>& from, tally& reported) {
    const auto item = co_await from.recv();
    reported.has_closed = item.is_closed();
    reported.missed += item.missed();
    if (!item)
        co_return;
    ++reported.received;
    EXPECT_GT(item->number, std::exchange(reported.last_of_sender[item->sender], item->number))
        << "out of order";
}

task<> receive_until_closed(broadcast_receiver<numbered> from, std::size_t senders, std::uint64_t seed,
                            std::uint64_t sent) {
    test::stress_choice choice(seed);
    tally reported;
    reported.last_of_sender.assign(senders, -1);
    while (!reported.has_closed) {
        auto receiving = spawn(receive_into(from, reported));
        if (choice.below(3) != 0) {
            co_await receiving;
            continue;
        }
        if (choice.flip())
            co_await yield();
        receiving.cancel();
    }
    EXPECT_EQ(reported.received + reported.missed, sent);
}

task<> send_numbers(std::shared_ptr<broadcast<numbered>> news, std::size_t sender, std::size_t count) {
    for (std::size_t number = 0; number < count; ++number) {
        news->send(numbered{sender, static_cast<std::int64_t>(number)});
        if (number % 4 == 3)
            co_await yield();
    }
}

task<> broadcast_from_all_to_all(std::uint64_t seed) {
    auto& here = runtime::current();
    const std::size_t workers = here.workers();
    const std::size_t count = test::stress_operations() / (workers * workers);
    const auto news = std::make_shared<broadcast<numbered>>(16);
    std::vector<remote_handle<>> receivers;
    std::vector<remote_handle<>> senders;
    for (std::size_t at = 0; at < workers; ++at)
        receivers.push_back(here.spawn_on(
            at, receive_until_closed(news->subscribe(), workers, seed + at, count * workers), "receiver"));
    for (std::size_t at = 0; at < workers; ++at)
        senders.push_back(here.spawn_on(at, send_numbers(news, at, count), "sender"));
    for (auto& each : senders)
        co_await each;
    news->close();
    for (auto& each : receivers)
        co_await each;
}

TEST(broadcast, tells_every_receiver_of_every_value_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const test::time_bound bound;
        auto generator = test::seeded_generator();
        runtime(runtime_options().workers(workers)).run(broadcast_from_all_to_all(generator()));
    }
}

}  // namespace
}  // namespace eddy::broadcast_test
