#include "support/run_bounded.hpp"
#include "support/runs_in_order.hpp"
#include "support/turns.hpp"
#include "sync/agents.hpp"
#include "sync/between_workers.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/once.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::once_test {
namespace {

using test::run_bounded;

task<> append(std::string& text, char letter) {
    co_await test::turns(2);
    text += letter;
}

task<bool> call(once& flag, std::string& text, char letter) {
    co_return co_await flag.call(append, std::ref(text), letter);
}

TEST(once, runs_one_function_to_its_end_and_lets_the_others_wait_for_it) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto first = spawn(call(flag, text, 'a'));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        EXPECT_FALSE(flag.is_done());
        const bool is_second = co_await second;
        EXPECT_FALSE(is_second);
        EXPECT_EQ(text, "a") << "a waiter went on before it was done";
        EXPECT_TRUE(flag.is_done());
        const bool is_first = co_await first;
        EXPECT_TRUE(is_first);
        auto late = flag.call(append, std::ref(text), 'c');
        EXPECT_TRUE(late.is_done());
        const bool is_third = co_await std::move(late);
        EXPECT_FALSE(is_third);
        EXPECT_EQ(text, "a");
    };
    run_bounded(main());
}

TEST(once, calls_what_is_no_coroutine_and_moves_its_arguments) {
    const auto main = []() -> task<> {
        once flag;
        int seen = 0;
        const auto take = [](int& target, std::unique_ptr<int> value) {
            target = *value;
            return 5;
        };
        auto calling = flag.call(take, std::ref(seen), std::make_unique<int>(7));
        const bool ran = co_await std::move(calling);
        EXPECT_TRUE(ran);
        EXPECT_EQ(seen, 7);
    };
    run_bounded(main());
}

TEST(once, keeps_what_a_function_has_captured_until_its_end) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto function = [&text,
                         word = std::string("a word that is too long for the string itself")]() -> task<> {
            co_await yield();
            text = word;
        };
        auto calling = flag.call(std::move(function));
        co_await std::move(calling);
        EXPECT_EQ(text, "a word that is too long for the string itself");
    };
    run_bounded(main());
}

task<> fail(std::string& text) {
    co_await test::turns(2);
    text += '!';
    throw std::runtime_error("no such luck");
}

task<bool> call_failing(once& flag, std::string& text) {
    co_return co_await flag.call(fail, std::ref(text));
}

TEST(once, an_exception_goes_to_who_ran_it_and_the_turn_to_the_next) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto first = spawn(call_failing(flag, text));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        auto third = spawn(call(flag, text, 'c'));
        bool has_thrown = false;
        try {
            static_cast<void>(co_await first);
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_TRUE(has_thrown);
        EXPECT_FALSE(flag.is_done());
        const bool is_third = co_await third;
        EXPECT_FALSE(is_third);
        const bool is_second = co_await second;
        EXPECT_TRUE(is_second);
        EXPECT_EQ(text, "!b");
    };
    run_bounded(main());
}

TEST(once, may_be_tried_again_after_it_failed_with_nobody_waiting) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        bool has_thrown = false;
        try {
            static_cast<void>(co_await call_failing(flag, text));
        } catch (const std::runtime_error&) {
            has_thrown = true;
        }
        EXPECT_TRUE(has_thrown);
        const bool ran = co_await call(flag, text, 'a');
        EXPECT_TRUE(ran);
        EXPECT_EQ(text, "!a");
    };
    run_bounded(main());
}

TEST(once, a_dropped_run_gives_the_turn_to_the_next) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto first = spawn(call(flag, text, 'a'));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        first.cancel();
        const bool ran = co_await second;
        EXPECT_TRUE(ran);
        EXPECT_EQ(text, "b");
    };
    run_bounded(main());
}

TEST(once, a_dropped_wait_leaves_the_queue) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto first = spawn(call(flag, text, 'a'));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        auto third = spawn(call(flag, text, 'c'));
        co_await yield();
        second.cancel();
        first.cancel();
        const bool ran = co_await third;
        EXPECT_TRUE(ran);
        EXPECT_EQ(text, "c");
    };
    run_bounded(main());
}

TEST(once, a_wait_dropped_after_it_was_given_the_turn_hands_it_on) {
    const auto main = []() -> task<> {
        once flag;
        std::string text;
        auto first = spawn(call(flag, text, 'a'));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        auto third = spawn(call(flag, text, 'c'));
        co_await yield();
        first.cancel();
        second.cancel();
        const bool ran = co_await third;
        EXPECT_TRUE(ran);
        EXPECT_EQ(text, "c");
    };
    run_bounded(main());
}

task<> wait_for(event<>& awaited) {
    co_await awaited.wait();
}

TEST(once, a_wait_dropped_after_it_was_done_leaves_it_done) {
    const auto main = []() -> task<> {
        once flag;
        event<> may_end;
        std::string text;
        const auto run_first = [](once& called, event<>& awaited) -> task<bool> {
            co_return co_await called.call(wait_for, std::ref(awaited));
        };
        auto first = spawn(run_first(flag, may_end));
        co_await yield();
        auto second = spawn(call(flag, text, 'b'));
        co_await yield();
        may_end.set();
        while (!flag.is_done())
            co_await yield();
        EXPECT_TRUE(!second.done() || !test::runs_in_order());
        second.cancel();
        EXPECT_TRUE(flag.is_done());
        const bool ran = co_await first;
        EXPECT_TRUE(ran);
        const bool ran_again = co_await call(flag, text, 'c');
        EXPECT_FALSE(ran_again);
        EXPECT_EQ(text, "");
    };
    run_bounded(main());
}

// -- between workers --

struct held_flag {
    once flag;
    event<> may_end;
    std::atomic<bool> is_held{false};
};

task<> hold(std::shared_ptr<held_flag> held) {
    held->is_held = true;
    co_await held->may_end.wait();
}

task<> call_holding(std::shared_ptr<held_flag> held) {
    static_cast<void>(co_await held->flag.call(hold, held));
}

task<> call_nothing(std::shared_ptr<held_flag> held) {
    static_cast<void>(co_await held->flag.call([] {}));
}

struct crossing_flag {
    std::shared_ptr<held_flag> held = std::make_shared<held_flag>();
    std::binary_semaphore waits{0};
    std::binary_semaphore released{0};
};

/// As in between_workers.hpp, with a turn or the end on its way to the waiter.
task<> drop_with_the_news_under_way(std::shared_ptr<crossing_flag> both) {
    auto waiting = spawn(call_nothing(both->held));
    co_await yield();
    both->waits.release();
    both->released.acquire();
    EXPECT_FALSE(waiting.done());
    waiting.cancel();
}

task<> release_and_drop(bool is_done) {
    const auto both = std::make_shared<crossing_flag>();
    auto holding = spawn(call_holding(both->held));
    while (!both->held->is_held)
        co_await yield();
    auto there = runtime::current().spawn_on(1, drop_with_the_news_under_way(both));
    both->waits.acquire();
    if (is_done) {
        both->held->may_end.set();
        co_await holding;
    } else {
        holding.cancel();
    }
    both->released.release();
    co_await there;
    EXPECT_EQ(both->held->flag.is_done(), is_done);
    // The turn was handed on, so this ends.
    co_await call_nothing(both->held);
    EXPECT_TRUE(both->held->flag.is_done());
}

TEST(once, a_wait_dropped_with_its_turn_on_the_way_from_another_worker_hands_it_on) {
    run_bounded(release_and_drop(false), runtime_options().workers(2));
}

TEST(once, a_wait_may_be_dropped_with_the_end_on_the_way_from_another_worker) {
    run_bounded(release_and_drop(true), runtime_options().workers(2));
}

/// What is done on worker 0 is destroyed on worker 1, right after a call that has waited for it.
task<> call_and_destroy(std::unique_ptr<once> owned, std::shared_ptr<std::atomic<bool>> may_begin) {
    while (!*may_begin)
        co_await yield();
    static_cast<void>(co_await owned->call([] {}));
    owned.reset();
}

task<> do_while_it_is_destroyed() {
    for (int time = 0; time < 2000; ++time) {
        auto owned = std::make_unique<once>();
        once& shared = *owned;
        const auto may_begin = std::make_shared<std::atomic<bool>>(false);
        auto there = runtime::current().spawn_on(1, call_and_destroy(std::move(owned), may_begin));
        const auto begin = [](std::shared_ptr<std::atomic<bool>> began) -> task<> {
            *began = true;
            co_await test::turns(1);
        };
        static_cast<void>(co_await shared.call(begin, may_begin));
        co_await there;
    }
}

TEST(once, may_be_destroyed_right_after_a_call_that_has_waited) {
    run_bounded(do_while_it_is_destroyed(), runtime_options().workers(2));
}

// -- many --

struct played_round {
    once flag;
    std::atomic<int> runs{0};
    int running = 0;
    bool is_done = false;
};

struct game {
    explicit game(std::size_t workers) : rounds(test::stress_rounds(workers)) {}
    std::deque<played_round> rounds;
};

/// One that runs at a time.
class run_mark {
public:
    explicit run_mark(played_round& round) : round_(round) {
        EXPECT_EQ(std::exchange(round_.running, 1), 0) << "two run it";
        EXPECT_FALSE(round_.is_done) << "it was done before";
    }
    run_mark(const run_mark&) = delete;
    run_mark& operator=(const run_mark&) = delete;
    ~run_mark() { round_.running = 0; }

private:
    played_round& round_;
};

task<> run_round(played_round& round, bool does_fail) {
    const run_mark running(round);
    co_await yield();
    if (does_fail)
        throw std::runtime_error("no such luck");
    round.is_done = true;
    ++round.runs;
}

task<> call_round(played_round& round, bool does_fail) {
    try {
        static_cast<void>(co_await round.flag.call(run_round, std::ref(round), does_fail));
    } catch (const std::runtime_error&) {
        co_return;
    }
    EXPECT_TRUE(round.is_done);
    EXPECT_TRUE(round.flag.is_done());
}

task<> play(std::shared_ptr<game> shared, test::stress_choice choice) {
    std::vector<handle<>> waiting;
    for (auto& round : shared->rounds) {
        for (std::size_t at = 0; at < test::observers; ++at)
            waiting.push_back(spawn(call_round(round, choice.below(3) == 0)));
        if (choice.flip())
            co_await yield();
        co_await test::end_some(waiting, choice);
        co_await call_round(round, false);
        EXPECT_TRUE(round.is_done);
    }
}

TEST(once, is_done_once_by_all_workers_together_whoever_fails_or_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto shared = std::make_shared<game>(workers);
        test::run_workers(workers, shared, &play);
        for (const auto& round : shared->rounds)
            ASSERT_EQ(round.runs, 1);
    }
}

}  // namespace
}  // namespace eddy::once_test
