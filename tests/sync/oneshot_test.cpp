#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/stress.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/oneshot.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

namespace eddy::oneshot_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

using box = std::unique_ptr<int>;

task<> receive(oneshot_receiver<int>& source, int& received) {
    received = co_await source;
}

TEST(a_oneshot, gives_what_was_sent_before_the_wait_or_while_it_lasts) {
    const auto main = []() -> task<> {
        oneshot<box> early;
        EXPECT_TRUE(early.sender);
        EXPECT_FALSE(early.receiver.is_ready());
        EXPECT_TRUE(early.sender.send(std::make_unique<int>(1)));
        EXPECT_FALSE(early.sender) << "it has let go";
        EXPECT_TRUE(early.receiver.is_ready());
        const box first = co_await early.receiver;
        EXPECT_EQ(*first, 1);

        oneshot<int> late;
        int received = 0;
        auto waiting = spawn(receive(late.receiver, received));
        co_await test::turns(2);
        EXPECT_EQ(received, 0);
        late.sender.send(2);
        EXPECT_EQ(received, 0) << "the waiter is resumed by its loop";
        co_await waiting;
        EXPECT_EQ(received, 2);
    };
    run_bounded(main());
}

TEST(a_oneshot, tells_its_receiver_that_the_sender_is_gone) {
    const auto main = []() -> task<> {
        oneshot<int> pair;
        auto waiting = spawn([](oneshot_receiver<int> taken) -> task<int> {
            co_return co_await taken;
        }(std::move(pair.receiver)));
        co_await yield();
        {
            const auto gone = std::move(pair.sender);
        }
        std::error_code error;
        try {
            static_cast<void>(co_await waiting);
        } catch (const std::system_error& thrown) {
            error = thrown.code();
        }
        EXPECT_EQ(error, std::errc::broken_pipe);
        oneshot<int> other;
        other.sender = {};
        const auto outcome = co_await as_result(other.receiver);
        EXPECT_EQ(outcome.error(), std::errc::broken_pipe);
    };
    run_bounded(main());
}

TEST(a_oneshot, tells_its_sender_that_the_receiver_is_gone) {
    const auto main = []() -> task<> {
        oneshot<box> pair;
        EXPECT_FALSE(pair.sender.is_closed());
        const auto early = co_await race(pair.sender.closed(), sleep_for(1ms));
        EXPECT_EQ(early.index(), 1U);
        auto watching =
            spawn([](oneshot_sender<box>& watched) -> task<> { co_await watched.closed(); }(pair.sender));
        co_await yield();
        EXPECT_FALSE(watching.done());
        pair.receiver = {};
        EXPECT_TRUE(pair.sender.is_closed());
        co_await watching;
        co_await pair.sender.closed();
        auto value = std::make_unique<int>(1);
        EXPECT_FALSE(pair.sender.send(std::move(value)));
        EXPECT_TRUE(value) << "what nobody receives is left as it was";
    };
    run_bounded(main());
}

TEST(a_dropped_wait_for_a_oneshot, leaves_the_value_where_it_is) {
    const auto main = []() -> task<> {
        oneshot<std::string> pair;
        const auto late = co_await as_result(with_timeout(pair.receiver, 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        auto waiting = spawn([](oneshot_receiver<std::string>& taken) -> task<> {
            static_cast<void>(co_await taken);
            ADD_FAILURE() << "the wait was dropped";
        }(pair.receiver));
        co_await yield();
        pair.sender.send("a text that is too long for the string itself");
        waiting.cancel();
        const std::string text = co_await pair.receiver;
        EXPECT_EQ(text.size(), 45U);
    };
    run_bounded(main());
}

TEST(a_oneshot, destroys_a_value_that_nobody_receives) {
    const auto counted = std::make_shared<int>(1);
    {
        oneshot<std::shared_ptr<int>> pair;
        EXPECT_TRUE(pair.sender.send(counted));
        EXPECT_EQ(counted.use_count(), 2);
    }
    EXPECT_EQ(counted.use_count(), 1);
}

TEST(a_oneshot, carries_a_value_between_threads_that_are_no_workers) {
    const test::time_bound bound;
    for (int time = 0; time < 50; ++time) {
        oneshot<int> pair;
        std::thread sending([](oneshot_sender<int> sender, int value) { sender.send(value); },
                            std::move(pair.sender), time);
        EXPECT_EQ(pair.receiver.wait_blocking(), time);
        sending.join();
    }
    oneshot<int> broken;
    std::thread leaving([](const oneshot_sender<int>&) {}, std::move(broken.sender));
    EXPECT_THROW(static_cast<void>(broken.receiver.wait_blocking()), std::system_error);
    leaving.join();
}

// What is shared between two workers, owned by both.
struct crossing {
    oneshot<int> pair;
    std::binary_semaphore waits{0};
    std::binary_semaphore sent{0};
};

/// Its worker stands still between the waiter's beginning and its drop, so that the news of the value lies in
/// the inbox meanwhile.
task<> drop_with_the_news_under_way(std::shared_ptr<crossing> both) {
    int received = 0;
    auto waiting = spawn(receive(both->pair.receiver, received));
    co_await yield();
    both->waits.release();
    both->sent.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
    EXPECT_EQ(received, 0);
    received = co_await both->pair.receiver;
    EXPECT_EQ(received, 3);
}

TEST(a_wait_for_a_oneshot, may_be_dropped_with_the_news_on_the_way_from_another_worker) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>();
        auto there = runtime::current().spawn_on(1, drop_with_the_news_under_way(both));
        both->waits.acquire();
        both->pair.sender.send(3);
        both->sent.release();
        co_await there;
    };
    run_bounded(main(), runtime_options().workers(2));
}

struct outcomes {
    std::atomic<std::size_t> sent{0};
    std::atomic<std::size_t> refused{0};
    std::atomic<std::size_t> received{0};
    std::atomic<std::size_t> broken{0};
};

task<> answer(oneshot_sender<box> sender, std::shared_ptr<outcomes> seen, std::size_t way) {
    if (way == 0)
        co_return;
    if (way == 1) {
        const auto first = co_await race(sender.closed(), yield());
        static_cast<void>(first);
    }
    ++(sender.send(std::make_unique<int>(1)) ? seen->sent : seen->refused);
}

/// Asks another worker, which answers or does not.
task<> ask(std::shared_ptr<outcomes> seen, test::stress_choice choice) {
    oneshot<box> pair;
    auto& here = runtime::current();
    here.spawn_on(choice.below(here.workers()), answer(std::move(pair.sender), seen, choice.below(4)))
        .detach();
    const auto outcome = co_await as_result(pair.receiver);
    ++(outcome ? seen->received : seen->broken);
}

TEST(oneshots, end_every_wait_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto seen = std::make_shared<outcomes>();
        test::stress(workers, [seen](test::stress_choice choice) { return ask(seen, choice); });
        EXPECT_GT(seen->received, 0U);
        EXPECT_GT(seen->broken, 0U);
        EXPECT_GE(seen->sent, seen->received);
    }
}

}  // namespace
}  // namespace eddy::oneshot_test
