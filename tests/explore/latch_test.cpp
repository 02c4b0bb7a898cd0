#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/latch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>

// The task that goes on destroys the latch, while the last count_down() may still be on its way out.

namespace eddy::explore::latch_test {
namespace {

struct counted_down {
    std::array<model_worker, 2> workers;
    std::optional<latch> awaited{std::in_place, 2};
    detail::atomic<int> left{2};  // to go on before the latch is destroyed, where two wait
    bool has_passed = false;
};

task<> wait(counted_down& shared) {
    co_await shared.awaited->wait();
    shared.has_passed = true;
    shared.awaited.reset();
}
void wait_and_destroy(counted_down& shared) {
    shared.workers[0].run(wait(shared));
}
void count_down(counted_down& shared) {
    shared.awaited->count_down();
}
void count_down_twice(counted_down& shared) {
    shared.awaited->count_down();
    shared.awaited->count_down();
}

TEST(latch, may_be_destroyed_by_who_has_waited) {
    const result found = explore<counted_down>(settings("latch, destroyed after the wait"),
                                               {&wait_and_destroy, &count_down_twice});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(latch, reaches_zero_once_of_two_who_count_down) {
    const result found = explore<counted_down>(settings("latch, two count down"),
                                               {&wait_and_destroy, &count_down, &count_down});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(latch, may_be_destroyed_by_a_thread_that_has_waited) {
    const auto wait = [](counted_down& shared) {
        shared.awaited->wait_blocking();
        shared.awaited.reset();
    };
    const result found = explore<counted_down>(settings("latch, a thread blocks"), {wait, &count_down_twice});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(latch, may_be_destroyed_by_a_thread_that_has_tried) {
    const auto try_to_wait = [](counted_down& shared) {
        if (shared.awaited->try_wait())
            shared.awaited.reset();
    };
    const result found =
        explore<counted_down>(settings("latch, a thread tries"), {try_to_wait, &count_down_twice});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// Two count down and wait for each other; the last to go on destroys it.
task<> arrive(counted_down& shared) {
    co_await shared.awaited->arrive_and_wait();
    if (shared.left.fetch_sub(1) == 1)
        shared.awaited.reset();
}

TEST(latch, may_be_destroyed_by_the_last_of_two_who_have_met) {
    const auto meet = [](counted_down& shared) { shared.workers[current_thread()].run(arrive(shared)); };
    const result found = explore<counted_down>(settings("latch, two meet"), {meet, meet});
    EXPECT_TRUE(found.has_passed) << found.report;
}

template <class Moment>
task<> drop_and_wait(counted_down& shared, Moment moment) {
    handle<> dropped = spawn(wait(shared));
    co_await moment();
    dropped.cancel();
    if (!shared.has_passed)
        co_await wait(shared);
}

TEST(latch, may_be_destroyed_after_a_dropped_wait) {
    const auto waiter = [](counted_down& shared) {
        shared.workers[0].run(drop_and_wait(shared, [] { return yield(); }));
    };
    const result found =
        explore<counted_down>(settings("latch, a wait dropped"), {waiter, &count_down_twice});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(latch, may_be_destroyed_after_a_wait_dropped_when_it_was_ready) {
    const auto waiter = [](counted_down& shared) {
        shared.workers[0].run(
            drop_and_wait(shared, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
    };
    const result found =
        explore<counted_down>(settings("latch, a wait dropped when ready"), {waiter, &count_down_twice});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::latch_test
