// What waits for many, and what waits for one, costs no allocation: counted where two tasks wait for each
// other in turn, on one worker and on two. Their frames are made before.

#include "support/allocation_counter.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/sync/auto_reset_event.hpp>
#include <eddy/sync/barrier.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/latch.hpp>
#include <eddy/sync/once.hpp>
#include <eddy/sync/wait_group.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace eddy::gate_awaiter_test {
namespace {

constexpr int warm_up_turns = 200;
constexpr int counted_turns = 2000;

struct table {
    table() {
        for (int turn = 0; turn < warm_up_turns + counted_turns; ++turn)
            latches.emplace_back(2);
    }
    event<> begun;
    event<int> answered;
    auto_reset_event forth;
    auto_reset_event back;
    wait_group requested{1};
    wait_group reported{1};
    barrier<> met{2};
    std::deque<latch> latches;
    once flag;
};

task<> ask(std::shared_ptr<table> shared, int turns, int first) {
    for (int turn = first; turn < first + turns; ++turn) {
        shared->begun.set();
        const int& answer = co_await shared->answered.wait();
        EXPECT_EQ(answer, turn);
        shared->answered.reset();
        shared->forth.set();
        co_await shared->back.wait();
        shared->requested.done();
        co_await shared->reported.wait();
        shared->reported.add();
        co_await shared->met.arrive_and_wait();
        co_await shared->latches[static_cast<std::size_t>(turn)].arrive_and_wait();
        static_cast<void>(co_await shared->flag.call([] {}));
    }
}

task<> answer(std::shared_ptr<table> shared) {
    for (int turn = 0; turn < warm_up_turns + counted_turns; ++turn) {
        co_await shared->begun.wait();
        shared->begun.reset();
        shared->answered.set(turn);
        co_await shared->forth.wait();
        shared->back.set();
        co_await shared->requested.wait();
        shared->requested.add();
        shared->reported.done();
        co_await shared->met.arrive_and_wait();
        co_await shared->latches[static_cast<std::size_t>(turn)].arrive_and_wait();
    }
}

task<> count_here(std::shared_ptr<table> shared) {
    co_await ask(shared, warm_up_turns, 0);
    task<> counted = ask(shared, counted_turns, warm_up_turns);
    const std::uint64_t before = test::allocations();
    co_await std::move(counted);
    EXPECT_EQ(test::allocations() - before, 0U);
}

task<> count_on_one_worker() {
    const auto shared = std::make_shared<table>();
    auto answering = spawn(answer(shared));
    co_await count_here(shared);
    co_await answering;
}

task<> count_on_two_workers() {
    const auto shared = std::make_shared<table>();
    auto answering = runtime::current().spawn_on(1, answer(shared));
    co_await count_here(shared);
    co_await answering;
}

TEST(gate_awaiter, and_those_for_one_cost_no_allocation_on_one_worker) {
    test::run_bounded(count_on_one_worker());
}

TEST(gate_awaiter, and_those_for_one_cost_no_allocation_between_two_workers) {
    test::run_bounded(count_on_two_workers(), runtime_options().workers(2));
}

}  // namespace
}  // namespace eddy::gate_awaiter_test
