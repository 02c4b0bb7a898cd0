#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/wait_group.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>

// The task that goes on destroys the wait group, while the last done() may still be on its way out.

namespace eddy::explore::wait_group_test {
namespace {

struct under_way {
    std::array<model_worker, 2> workers;
    std::optional<wait_group> awaited{std::in_place, 2};
    bool has_passed = false;
};

task<> wait(under_way& shared) {
    co_await shared.awaited->wait();
    shared.has_passed = true;
    shared.awaited.reset();
}
void wait_and_destroy(under_way& shared) {
    shared.workers[0].run(wait(shared));
}
void end_one(under_way& shared) {
    shared.awaited->done();
}
void end_both(under_way& shared) {
    shared.awaited->done();
    shared.awaited->done();
}

TEST(wait_group, may_be_destroyed_by_who_has_waited) {
    const result found =
        explore<under_way>(settings("wait_group, destroyed after the wait"), {&wait_and_destroy, &end_both});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(wait_group, reaches_zero_once_of_two_who_end) {
    const result found =
        explore<under_way>(settings("wait_group, two end"), {&wait_and_destroy, &end_one, &end_one});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(wait_group, may_be_destroyed_by_a_thread_that_has_waited) {
    const auto wait = [](under_way& shared) {
        shared.awaited->wait_blocking();
        shared.awaited.reset();
    };
    const result found = explore<under_way>(settings("wait_group, a thread blocks"), {wait, &end_both});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A piece begins while another one ends; the wait ends after both.
void begin_and_end_both(under_way& shared) {
    shared.awaited->add();
    shared.awaited->done();
    shared.awaited->done();
}

TEST(wait_group, ends_the_wait_after_what_began_meanwhile) {
    const result found = explore<under_way>(settings("wait_group, one begins"),
                                            {&wait_and_destroy, &begin_and_end_both, &end_one});
    EXPECT_TRUE(found.has_passed) << found.report;
}

template <class Moment>
task<> drop_and_wait(under_way& shared, Moment moment) {
    handle<> dropped = spawn(wait(shared));
    co_await moment();
    dropped.cancel();
    if (!shared.has_passed)
        co_await wait(shared);
}

TEST(wait_group, may_be_destroyed_after_a_dropped_wait) {
    const auto waiter = [](under_way& shared) {
        shared.workers[0].run(drop_and_wait(shared, [] { return yield(); }));
    };
    const result found = explore<under_way>(settings("wait_group, a wait dropped"), {waiter, &end_both});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(wait_group, may_be_destroyed_after_a_wait_dropped_when_it_was_ready) {
    const auto waiter = [](under_way& shared) {
        shared.workers[0].run(
            drop_and_wait(shared, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
    };
    const result found =
        explore<under_way>(settings("wait_group, a wait dropped when ready"), {waiter, &end_both});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::wait_group_test
