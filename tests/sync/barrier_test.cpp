#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "sync/agents.hpp"
#include "sync/between_workers.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/barrier.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <semaphore>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::barrier_test {
namespace {

using test::run_bounded;

template <class Completion>
task<> arrive(barrier<Completion>& met) {
    co_await met.arrive_and_wait();
}

template <class Completion>
task<> arrive_and_note(barrier<Completion>& met, std::string& order, char name, int phases) {
    for (int phase = 0; phase < phases; ++phase) {
        co_await met.arrive_and_wait();
        order += name;
    }
}

class notes_phase {
public:
    explicit notes_phase(std::string& order) noexcept : order_(&order) {}
    void operator()() noexcept { *order_ += '|'; }

private:
    std::string* order_;
};

TEST(barrier, lets_all_go_on_when_all_have_arrived_again_and_again) {
    const auto main = []() -> task<> {
        std::string order;
        barrier met(3, notes_phase(order));
        auto first = spawn(arrive_and_note(met, order, 'a', 2));
        co_await yield();
        auto second = spawn(arrive_and_note(met, order, 'b', 2));
        co_await test::turns(2);
        EXPECT_EQ(order, "");
        co_await met.arrive_and_wait();
        order += 'c';
        EXPECT_EQ(order, "|c") << "the last one goes on without having waited, others not inside its call";
        co_await test::turns(2);
        EXPECT_EQ(order, "|cab");
        co_await met.arrive_and_wait();
        co_await first;
        co_await second;
        EXPECT_EQ(order, "|cab|ab");
    };
    run_bounded(main());
}

TEST(barrier, of_one_never_waits) {
    const auto main = []() -> task<> {
        std::string order;
        barrier met(1, notes_phase(order));
        for (int phase = 0; phase < 3; ++phase)
            co_await met.arrive_and_wait();
        met.arrive_and_drop();
        EXPECT_EQ(order, "||||");
    };
    run_bounded(main());
}

TEST(barrier, expects_one_less_after_somebody_has_dropped_out) {
    const auto main = []() -> task<> {
        barrier met(3);
        auto first = spawn(arrive(met));
        co_await yield();
        met.arrive_and_drop();
        co_await test::turns(2);
        EXPECT_FALSE(first.done()) << "the phase still expects three";
        co_await met.arrive_and_wait();
        co_await first;
        auto second = spawn(arrive(met));
        co_await met.arrive_and_wait();
        co_await second;
    };
    run_bounded(main());
}

TEST(barrier, the_last_to_drop_out_lets_the_others_go_on) {
    const auto main = []() -> task<> {
        std::string order;
        barrier met(2, notes_phase(order));
        auto waiting = spawn(arrive(met));
        co_await yield();
        met.arrive_and_drop();
        EXPECT_EQ(order, "|");
        EXPECT_FALSE(waiting.done());
        co_await waiting;
        co_await met.arrive_and_wait();
        EXPECT_EQ(order, "||");
    };
    run_bounded(main());
}

TEST(barrier, a_dropped_wait_has_arrived_and_the_next_phase_expects_another_in_its_place) {
    const auto main = []() -> task<> {
        std::string order;
        barrier met(3, notes_phase(order));
        auto dropped = spawn(arrive_and_note(met, order, 'x', 1));
        auto first = spawn(arrive_and_note(met, order, 'a', 2));
        co_await yield();
        dropped.cancel();
        auto second = spawn(arrive_and_note(met, order, 'b', 2));
        co_await test::turns(2);
        EXPECT_EQ(order, "|ba");
        co_await test::turns(2);
        EXPECT_EQ(order, "|ba") << "the phase expects three";
        met.arrive_and_drop();
        co_await first;
        co_await second;
        EXPECT_EQ(order, "|ba|ba");
    };
    run_bounded(main());
}

TEST(barrier, a_wait_dropped_after_it_was_let_go_on_does_not_go_on) {
    const auto main = []() -> task<> {
        std::string order;
        barrier met(3, notes_phase(order));
        auto first = spawn(arrive_and_note(met, order, 'a', 1));
        co_await yield();
        auto second = spawn(arrive_and_note(met, order, 'b', 1));
        co_await yield();
        co_await met.arrive_and_wait();
        first.cancel();
        co_await second;
        EXPECT_EQ(order, "|b");
    };
    run_bounded(main());
}

TEST(barrier, may_be_waited_for_with_a_bound) {
    const auto main = []() -> task<> {
        barrier met(2);
        const auto late =
            co_await as_result(with_timeout(met.arrive_and_wait(), std::chrono::microseconds(50)));
        const bool is_late = !late.has_value() && late.error() == std::errc::timed_out;
        EXPECT_TRUE(is_late);
        co_await met.arrive_and_wait();
    };
    run_bounded(main());
}

void drop_out(barrier<>& met) {
    met.arrive_and_drop();
}

TEST(barrier, a_wait_may_be_dropped_with_its_news_on_the_way_from_another_worker) {
    test::drop_released_elsewhere<barrier<>>(
        &arrive<detail::no_completion>, &drop_out, [](barrier<>& met) { met.arrive_and_drop(); }, 2);
}

TEST(barrier, may_be_destroyed_right_after_the_wait) {
    test::destroy_right_after_the_wait<barrier<>>(&arrive<detail::no_completion>, &drop_out, 2);
}

/// Those who arrive while the completion runs are in the next phase, which may even be full before it ends.
struct slow_completion {
    std::atomic<int> calls{0};
    std::counting_semaphore<> may_end{0};
};

class waits_in_completion {
public:
    explicit waits_in_completion(slow_completion& state) noexcept : state_(&state) {}
    void operator()() noexcept {
        ++state_->calls;
        state_->calls.notify_all();
        state_->may_end.acquire();
    }

private:
    slow_completion* state_;
};

TEST(barrier, who_comes_while_the_completion_runs_is_in_the_next_phase) {
    const auto main = []() -> task<> {
        slow_completion state;
        barrier met(2, waits_in_completion(state));
        // What was dropped has arrived, so one more is enough for a phase.
        auto dropped = spawn(arrive(met));
        co_await yield();
        dropped.cancel();
        std::thread completing([&met] { met.arrive_and_drop(); });
        state.calls.wait(0);
        auto next = spawn(arrive(met));
        co_await test::turns(2);
        EXPECT_FALSE(next.done()) << "its phase is full, but the one before it is not over";
        EXPECT_EQ(state.calls, 1);
        state.may_end.release();
        state.calls.wait(1);
        co_await test::turns(2);
        EXPECT_FALSE(next.done()) << "its own completion has not ended";
        state.may_end.release();
        co_await next;
        EXPECT_EQ(state.calls, 2);
        completing.join();
    };
    run_bounded(main());
}

struct game;

class ends_round {
public:
    explicit ends_round(game& played) noexcept : played_(&played) {}
    void operator()() noexcept;

private:
    game* played_;
};

struct game {
    explicit game(std::size_t workers)
        : workers(workers),
          rounds(test::stress_rounds(workers)),
          met(static_cast<std::ptrdiff_t>(workers * (1 + test::observers)), ends_round(*this)) {}
    std::size_t workers;
    std::size_t rounds;
    std::atomic<std::size_t> arrived{0};
    std::size_t ended = 0;  // written by the completion, read between phases: the barrier orders them
    barrier<ends_round> met;
};

void ends_round::operator()() noexcept {
    ++played_->ended;
    EXPECT_EQ(played_->arrived, played_->ended * played_->workers * (1 + test::observers));
}

task<> observe(game& shared) {
    co_await shared.met.arrive_and_wait();
}

/// The spectators arrive for certain, and some are dropped afterwards.
task<> play(std::shared_ptr<game> shared, test::stress_choice choice) {
    std::vector<handle<>> waiting;
    for (std::size_t round = 0; round < shared->rounds; ++round) {
        EXPECT_EQ(shared->ended, round);
        shared->arrived += 1 + test::observers;
        for (std::size_t at = 0; at < test::observers; ++at)
            waiting.push_back(spawn(observe(*shared)));
        co_await yield();
        for (auto& each : waiting)
            if (choice.below(3) == 0)
                each.cancel();
        co_await shared->met.arrive_and_wait();
        waiting.clear();
    }
}

TEST(barrier, ends_each_phase_once_on_all_workers_whoever_is_dropped) {
    for (const std::size_t workers : {4U, 16U}) {
        const auto shared = std::make_shared<game>(workers);
        test::run_workers(workers, shared, &play);
        EXPECT_EQ(shared->ended, shared->rounds);
    }
}

}  // namespace
}  // namespace eddy::barrier_test
