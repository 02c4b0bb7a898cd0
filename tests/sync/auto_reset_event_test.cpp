#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/turns.hpp"
#include "sync/between_workers.hpp"
#include "sync/stress.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/auto_reset_event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace eddy::auto_reset_event_test {
namespace {

using test::run_bounded;

task<> wait_for(auto_reset_event& awaited) {
    co_await awaited.wait();
}

task<> wait_and_note(auto_reset_event& awaited, std::string& order, char name) {
    co_await awaited.wait();
    order += name;
}

void set(auto_reset_event& changed) {
    changed.set();
}

TEST(auto_reset_event, lets_one_go_on_for_each_signal_in_the_order_of_coming) {
    const auto main = []() -> task<> {
        auto_reset_event signal;
        std::string order;
        auto first = spawn(wait_and_note(signal, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(signal, order, 'b'));
        co_await yield();
        auto third = spawn(wait_and_note(signal, order, 'c'));
        co_await yield();
        signal.set();
        EXPECT_FALSE(first.done()) << "it was resumed inside set()";
        co_await test::turns(2);
        EXPECT_EQ(order, "a");
        signal.set();
        signal.set();
        co_await third;
        co_await second;
        EXPECT_TRUE(order == "abc" || !test::runs_in_order()) << order;
        EXPECT_FALSE(signal.is_set());
        co_await first;
    };
    run_bounded(main());
}

TEST(auto_reset_event, keeps_one_signal_for_who_comes_next) {
    auto_reset_event signal;
    EXPECT_FALSE(signal.try_wait());
    signal.set();
    signal.set();
    EXPECT_TRUE(signal.is_set());
    EXPECT_TRUE(signal.try_wait());
    EXPECT_FALSE(signal.try_wait()) << "signals do not add up";
    signal.set();
    signal.reset();
    EXPECT_FALSE(signal.is_set());
    signal.reset();
    EXPECT_TRUE(auto_reset_event(true).try_wait());
}

TEST(auto_reset_event, a_kept_signal_is_taken_by_one_wait) {
    const auto main = []() -> task<> {
        auto_reset_event signal(true);
        co_await signal.wait();
        EXPECT_FALSE(signal.is_set());
        auto waiting = spawn(wait_for(signal));
        co_await test::turns(2);
        EXPECT_FALSE(waiting.done());
        signal.set();
        co_await waiting;
    };
    run_bounded(main());
}

TEST(auto_reset_event, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        auto_reset_event signal;
        std::string order;
        auto first = spawn(wait_and_note(signal, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(signal, order, 'b'));
        co_await yield();
        first.cancel();
        signal.set();
        co_await second;
        EXPECT_EQ(order, "b");
        auto third = spawn(wait_and_note(signal, order, 'c'));
        co_await yield();
        third.cancel();
        signal.set();
        EXPECT_TRUE(signal.is_set());
    };
    run_bounded(main());
}

TEST(auto_reset_event, a_wait_dropped_after_it_was_given_the_signal_hands_it_on) {
    const auto main = []() -> task<> {
        auto_reset_event signal;
        std::string order;
        auto first = spawn(wait_and_note(signal, order, 'a'));
        co_await yield();
        auto second = spawn(wait_and_note(signal, order, 'b'));
        co_await yield();
        signal.set();
        first.cancel();
        co_await second;
        EXPECT_EQ(order, "b");
        EXPECT_FALSE(signal.is_set());
        auto third = spawn(wait_for(signal));
        co_await yield();
        signal.set();
        EXPECT_FALSE(signal.is_set());
        third.cancel();
        EXPECT_TRUE(signal.is_set()) << "there is nobody to hand it on to";
    };
    run_bounded(main());
}

TEST(auto_reset_event, may_be_waited_for_with_a_bound) {
    const auto main = []() -> task<> {
        auto_reset_event never;
        const auto late = co_await as_result(with_timeout(never.wait(), std::chrono::microseconds(50)));
        const bool is_late = !late.has_value() && late.error() == std::errc::timed_out;
        EXPECT_TRUE(is_late);
    };
    run_bounded(main());
}

TEST(auto_reset_event, a_wait_dropped_with_its_signal_on_the_way_from_another_worker_gives_it_back) {
    test::drop_released_elsewhere<auto_reset_event>(&wait_for, &set, [](auto_reset_event& seen) {
        EXPECT_TRUE(seen.is_set()) << "the signal was dropped with the wait";
    });
}

TEST(auto_reset_event, may_be_destroyed_right_after_the_wait) {
    test::destroy_right_after_the_wait<auto_reset_event>(&wait_for, &set);
}

TEST(auto_reset_event, is_set_by_threads_that_are_no_workers) {
    constexpr int signals = 1000;
    const auto main = [](auto_reset_event& forth, auto_reset_event& back) -> task<> {
        for (int count = 0; count < signals; ++count) {
            co_await forth.wait();
            back.set();
        }
    };
    const test::time_bound bound;
    auto_reset_event forth;
    auto_reset_event back;
    std::thread other([&] {
        for (int count = 0; count < signals; ++count) {
            forth.set();
            while (!back.try_wait())
                std::this_thread::yield();
        }
    });
    run(main(forth, back));
    other.join();
    EXPECT_FALSE(forth.is_set());
}

/// A signal that goes from hand to hand: who has it is alone.
struct guarded_count {
    auto_reset_event free{true};
    int inside = 0;
    std::size_t entered = 0;
};

class visit {
public:
    explicit visit(guarded_count& visited) : visited_(visited) {
        EXPECT_EQ(std::exchange(visited_.inside, 1), 0) << "two have the signal";
        ++visited_.entered;
    }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
        visited_.inside = 0;
        visited_.free.set();
    }

private:
    guarded_count& visited_;
};

task<> enter(std::shared_ptr<guarded_count> counted, bool does_yield) {
    co_await counted->free.wait();
    const visit inside(*counted);
    if (does_yield)
        co_await yield();
}

TEST(auto_reset_event, a_signal_goes_to_one_at_a_time_and_is_never_lost_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto counted = std::make_shared<guarded_count>();
        test::stress(workers,
                     [counted](test::stress_choice choice) { return enter(counted, choice.flip()); });
        EXPECT_TRUE(counted->free.is_set());
        EXPECT_GT(counted->entered, 0U);
    }
}

}  // namespace
}  // namespace eddy::auto_reset_event_test
