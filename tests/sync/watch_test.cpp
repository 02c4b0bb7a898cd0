#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/tracked.hpp"
#include "support/turns.hpp"
#include "sync/stress.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/watch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::watch_test {
namespace {

using test::run_bounded;

task<> note_changes(watch_receiver<int> from, std::string& noted) {
    while ([[maybe_unused]] const bool has_changed = co_await from.changed())
        noted += std::to_string(from.get()) + ' ';
    noted += '.';
}

TEST(watch, tells_every_receiver_of_the_newest_value) {
    const auto main = []() -> task<> {
        std::optional<watch<int>> state(1);
        std::string one;
        std::string other;
        auto first = spawn(note_changes(state->subscribe(), one));
        auto second = spawn(note_changes(state->subscribe(), other));
        co_await yield();
        EXPECT_EQ(one, "") << "the value of the subscription counts as seen";
        state->set(2);
        state->set(3);
        co_await test::turns(2);
        EXPECT_EQ(one, "3 ");
        state->update([](int& value) { value *= 5; });
        state.reset();
        co_await first;
        co_await second;
        EXPECT_EQ(one, "3 15 .") << "what came before the end is told of";
        EXPECT_EQ(other, "3 15 .");
    };
    run_bounded(main());
}

TEST(watch, resumes_those_who_wait_in_the_order_of_their_asking) {
    if (!test::runs_in_order())
        GTEST_SKIP() << test::needs_order;
    const auto wait = [](watch_receiver<int> from, std::string& order, char name) -> task<> {
        const bool has_changed = co_await from.changed();
        EXPECT_TRUE(has_changed);
        order += name;
    };
    const auto main = [](auto waits) -> task<> {
        watch<int> state(0);
        std::string order;
        auto first = spawn(waits(state.subscribe(), order, 'a'));
        auto second = spawn(waits(state.subscribe(), order, 'b'));
        co_await yield();
        state.set(1);
        EXPECT_EQ(order, "") << "nobody is resumed in set()";
        co_await second;
        co_await first;
        EXPECT_EQ(order, "ab");
    };
    run_bounded(main(wait));
}

TEST(watch, tells_of_no_value_twice) {
    watch<std::string> state("first");
    auto receiver = state.subscribe();
    EXPECT_EQ(receiver.get(), "first");
    EXPECT_FALSE(receiver.has_changed());
    state.set("second");
    EXPECT_TRUE(receiver.has_changed());
    EXPECT_EQ(receiver.borrow([](const std::string& value) { return value.size(); }), 6U);
    EXPECT_FALSE(receiver.has_changed()) << "it has been looked at";
    state.set("third");
    const auto main = [](watch_receiver<std::string>& looking) -> task<> {
        const bool has_changed = co_await looking.changed();
        EXPECT_TRUE(has_changed);
    };
    run_bounded(main(receiver));
    EXPECT_FALSE(receiver.has_changed()) << "it has been told of";
    EXPECT_EQ(state.get(), "third");
}

TEST(watch, waits_until_a_predicate_holds) {
    const auto wait = [](watch_receiver<int> from, int wanted) -> task<bool> {
        co_return co_await from.wait_for([&wanted](const int& value) { return value >= wanted; });
    };
    const auto main = [](auto waits) -> task<> {
        std::optional<watch<int>> state(3);
        const bool holds_already = co_await waits(state->subscribe(), 3);
        EXPECT_TRUE(holds_already);
        auto four = spawn(waits(state->subscribe(), 4));
        auto nine = spawn(waits(state->subscribe(), 9));
        co_await yield();
        state->set(4);
        const bool was_four = co_await four;
        EXPECT_TRUE(was_four);
        EXPECT_FALSE(nine.done());
        state.reset();
        const bool was_nine = co_await nine;
        EXPECT_FALSE(was_nine);
    };
    run_bounded(main(wait));
}

TEST(watch, keeps_its_last_value_once_it_is_closed) {
    watch<int> state(5);
    auto receiver = state.subscribe();
    state.set(6);
    state.close();
    EXPECT_TRUE(state.is_closed());
    state.set(7);
    state.update([](int& value) { value = 8; });
    EXPECT_TRUE(receiver.changed_blocking());
    EXPECT_EQ(receiver.get(), 6);
    EXPECT_FALSE(receiver.changed_blocking());
}

TEST(watch, ends_may_outlive_each_other) {
    std::optional<watch<int>> state(5);
    auto receiver = state->subscribe();
    auto moved = std::move(receiver);
    auto moved_state = std::move(*state);
    state.reset();
    moved_state.set(6);
    moved_state = watch<int>(7);
    EXPECT_EQ(moved.get(), 6);
    EXPECT_FALSE(moved.changed_blocking());
    EXPECT_EQ(moved.get(), 6);
    {
        const auto unused = moved_state.subscribe();
    }
    moved_state.set(8);
    EXPECT_EQ(moved_state.get(), 8);
}

TEST(watch, a_dropped_wait_is_told_of_nothing) {
    const auto main = []() -> task<> {
        watch<int> state(0);
        auto receiver = state.subscribe();
        const auto wait = [](watch_receiver<int>& from) -> task<> { co_await from.changed(); };
        auto dropped_before = spawn(wait(receiver));
        co_await yield();
        dropped_before.cancel();
        auto dropped_after = spawn(wait(receiver));
        co_await yield();
        state.set(1);
        dropped_after.cancel();
        EXPECT_TRUE(receiver.has_changed()) << "the change was lost with the wait";
        co_await wait(receiver);
    };
    run_bounded(main());
}

// What is shared between two workers, owned by both.
struct crossing {
    watch<int> state{0};
    std::binary_semaphore waits{0};
    std::binary_semaphore is_set{0};
};

task<> drop_with_the_news_under_way(std::shared_ptr<crossing> both) {
    auto receiver = both->state.subscribe();
    const auto wait = [](watch_receiver<int>& from) -> task<> { co_await from.changed(); };
    auto waiting = spawn(wait(receiver));
    co_await yield();
    both->waits.release();
    both->is_set.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
    EXPECT_TRUE(receiver.has_changed()) << "the change was lost with the wait";
}

TEST(watch, a_wait_dropped_with_the_news_on_the_way_from_another_worker_loses_nothing) {
    const auto main = []() -> task<> {
        const auto both = std::make_shared<crossing>();
        auto there = runtime::current().spawn_on(1, drop_with_the_news_under_way(both));
        both->waits.acquire();
        both->state.set(3);
        both->is_set.release();
        co_await there;
    };
    run_bounded(main(), runtime_options().workers(2));
}

task<> wait_and_leave(watch_receiver<int> from) {
    while ([[maybe_unused]] const bool has_changed = co_await from.changed())
        continue;
}

TEST(watch, either_end_may_be_destroyed_right_after_a_wait) {
    const auto main = []() -> task<> {
        for (int time = 0; time < 1000; ++time) {
            auto state = std::make_unique<watch<int>>(1);
            auto there = runtime::current().spawn_on(1, wait_and_leave(state->subscribe()));
            co_await test::turns(time % 4);
            state->set(time);
            co_await test::turns(time % 3);
            state.reset();
            co_await there;
        }
    };
    run_bounded(main(), runtime_options().workers(2));
}

TEST(watch, threads_that_are_no_workers_watch_too) {
    const test::time_bound bound;
    for (int time = 0; time < 200; ++time) {
        auto state = std::make_unique<watch<int>>(0);
        const auto look = [](watch_receiver<int> from, int& last) {
            while (from.changed_blocking())
                last = from.get();
        };
        int seen_by_one = 0;
        int seen_by_other = 0;
        std::thread one(look, state->subscribe(), std::ref(seen_by_one));
        std::thread other(look, state->subscribe(), std::ref(seen_by_other));
        state->set(1);
        state->set(2);
        state.reset();
        one.join();
        other.join();
        EXPECT_EQ(seen_by_one, 2);
        EXPECT_EQ(seen_by_other, 2);
    }
}

TEST(watch, an_update_that_throws_changes_nothing_and_one_that_is_overtaken_is_made_again) {
    watch<int> state(1);
    EXPECT_THROW(state.update([](int&) { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(state.get(), 1);
    int calls = 0;
    state.update([&](int& value) {
        if (++calls == 1)
            state.set(10);
        ++value;
    });
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(state.get(), 11);
}

TEST(watch, a_borrowed_value_stays_while_newer_ones_are_set_and_need_not_be_copied) {
    watch<std::unique_ptr<test::tracked>> state(std::make_unique<test::tracked>());
    auto receiver = state.subscribe();
    receiver.borrow([&](const std::unique_ptr<test::tracked>& held) {
        state.set(std::make_unique<test::tracked>());
        state.set(nullptr);
        EXPECT_NE(held, nullptr);
        EXPECT_EQ(test::tracked::living(), 1) << "the borrowed one, and not the one that was replaced";
    });
    EXPECT_EQ(test::tracked::living(), 0);
    EXPECT_TRUE(receiver.has_changed()) << "newer ones have been set since";
}

// -- stress --

task<> wait_once(watch_receiver<std::uint64_t>& from, bool& is_open, std::uint64_t& seen) {
    is_open = co_await from.changed();
    if (!is_open)
        co_return;
    const std::uint64_t before = std::exchange(seen, from.get());
    EXPECT_GT(seen, before) << "a value was told of twice, or out of order";
}

task<> watch_until_gone(watch_receiver<std::uint64_t> from, std::uint64_t seed, std::uint64_t last) {
    test::stress_choice choice(seed);
    bool is_open = true;
    std::uint64_t seen = 0;
    while (is_open) {
        auto waiting = spawn(wait_once(from, is_open, seen));
        if (choice.below(3) != 0) {
            co_await waiting;
            continue;
        }
        if (choice.flip())
            co_await yield();
        waiting.cancel();
    }
    EXPECT_EQ(seen, last) << "the newest value was missed";
}

task<> count_up(std::shared_ptr<watch<std::uint64_t>> state, std::size_t count) {
    for (std::size_t time = 0; time < count; ++time) {
        state->update([](std::uint64_t& value) { ++value; });
        if (time % 4 == 3)
            co_await yield();
    }
}

task<> count_from_all_to_all(std::uint64_t seed) {
    auto& here = runtime::current();
    const std::size_t workers = here.workers();
    const std::size_t count = test::stress_operations() / (workers * workers);
    auto state = std::make_shared<watch<std::uint64_t>>(0);
    std::vector<remote_handle<>> receivers;
    std::vector<remote_handle<>> counters;
    for (std::size_t at = 0; at < workers; ++at)
        receivers.push_back(
            here.spawn_on(at, watch_until_gone(state->subscribe(), seed + at, count * workers), "receiver"));
    for (std::size_t at = 0; at < workers; ++at)
        counters.push_back(here.spawn_on(at, count_up(state, count), "counter"));
    for (auto& each : counters)
        co_await each;
    EXPECT_EQ(state->get(), count * workers) << "a change was lost";
    *state = watch<std::uint64_t>(0);  // the counters' frames may hold the old one for a while
    for (auto& each : receivers)
        co_await each;
}

TEST(watch, tells_every_receiver_of_the_last_value_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const test::time_bound bound;
        auto generator = test::seeded_generator();
        runtime(runtime_options().workers(workers)).run(count_from_all_to_all(generator()));
    }
}

}  // namespace
}  // namespace eddy::watch_test
