#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/mutex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace eddy::explore::mutex_test {
namespace {

struct guarded {
    std::array<model_worker, 3> workers;
    mutex lock;
    int owners = 0;  // plain: ThreadSanitizer sees whether the lock orders them
    int entered = 0;
};

task<> enter(guarded& shared) {
    auto guard = co_await shared.lock.lock();
    EXPLORE_CHECK(++shared.owners == 1);
    ++shared.entered;
    --shared.owners;
}

/// A thread of a model: a worker that runs this task.
template <task<> (*Begin)(guarded&)>
void run(guarded& shared) {
    shared.workers[current_thread()].run(Begin(shared));
}

void run_one(guarded& shared) {
    run<&enter>(shared);
}

void expect_unlocked(guarded& shared) {
    EXPLORE_CHECK(!shared.lock.is_locked());
}

TEST(mutex, has_one_owner_of_two) {
    const result found =
        explore<guarded>(settings("mutex, two tasks"), {&run_one, &run_one}, [](guarded& shared) {
            expect_unlocked(shared);
            EXPLORE_CHECK(shared.entered == 2);
        });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// Waits while it is dropped by its neighbour, which goes on as soon as it can.
task<> enter_and_drop_one(guarded& shared) {
    handle<> dropped = spawn(enter(shared));
    co_await yield();
    dropped.cancel();
}

TEST(mutex, passes_on_what_a_dropped_waiter_was_given) {
    const auto dropper = &run<&enter_and_drop_one>;
    const result found =
        explore<guarded>(settings("mutex, one dropped"), {&run_one, dropper}, [](guarded& shared) {
            expect_unlocked(shared);
            EXPLORE_CHECK(shared.entered >= 1);
        });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A third task waits behind the dropped one on the same worker.
task<> enter_behind_a_dropped_one(guarded& shared) {
    handle<> dropped = spawn(enter(shared));
    handle<> behind = spawn(enter(shared));
    co_await yield();
    dropped.cancel();
    co_await behind;
}

TEST(mutex, goes_to_who_waits_behind_a_dropped_one) {
    const auto dropper = &run<&enter_behind_a_dropped_one>;
    const result found = explore<guarded>(settings("mutex, one behind a dropped one"), {&run_one, dropper},
                                          [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered >= 2);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(mutex, has_one_owner_of_three) {
    const result found = explore<guarded>(settings("mutex, three tasks").preemptions(3),
                                          {&run_one, &run_one, &run_one}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered == 3);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A task that waits elsewhere is called, and finds the lock taken again.
template <int Times>
task<> enter_often(guarded& shared) {
    for (int left = Times; left > 0; --left)
        co_await enter(shared);
}

TEST(mutex, goes_to_who_finds_it_taken_again_at_last) {
    const auto often = &run<&enter_often<8>>;
    const result found = explore<guarded>(settings("mutex, one task again and again").preemptions(4),
                                          {often, &run_one}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered == 9);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A task that is dropped with a call under way has one behind it, elsewhere.
TEST(mutex, calls_the_next_when_one_who_was_called_is_dropped) {
    const auto dropper = &run<&enter_and_drop_one>;
    const result found = explore<guarded>(settings("mutex, one dropped of three").preemptions(3),
                                          {&run_one, dropper, &run_one}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered >= 2);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

task<> enter_twice_behind_a_dropped_one(guarded& shared) {
    handle<> dropped = spawn(enter(shared));
    handle<> behind = spawn(enter(shared));
    handle<> last = spawn(enter(shared));
    co_await yield();
    dropped.cancel();
    co_await behind;
    co_await last;
}

TEST(mutex, goes_to_all_who_wait_behind_a_dropped_one) {
    const auto dropper = &run<&enter_twice_behind_a_dropped_one>;
    const result found = explore<guarded>(settings("mutex, two behind a dropped one").preemptions(3),
                                          {&run_one, dropper}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered >= 3);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(mutex, goes_to_and_fro_between_a_thread_and_tasks) {
    const auto blocking = [](guarded& shared) {
        for (int left = 2; left > 0; --left) {
            const auto guard = shared.lock.lock_blocking();
            EXPLORE_CHECK(++shared.owners == 1);
            ++shared.entered;
            --shared.owners;
        }
    };
    const auto often = &run<&enter_often<2>>;
    const result found = explore<guarded>(settings("mutex, a thread and a task").preemptions(4),
                                          {blocking, often}, [](guarded& shared) {
                                              expect_unlocked(shared);
                                              EXPLORE_CHECK(shared.entered == 4);
                                          });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// The last of two owners destroys the mutex, as soon as it has it.
struct destroyed_by_the_last {
    std::array<model_worker, 2> workers;
    std::optional<mutex> lock{std::in_place};
    int left = 2;
};
task<> leave(destroyed_by_the_last& shared) {
    auto guard = co_await shared.lock->lock();
    if (--shared.left != 0)
        co_return;
    guard.release();
    shared.lock.reset();
}

TEST(mutex, may_be_destroyed_by_who_has_locked_it_last) {
    const auto leaver = [](destroyed_by_the_last& shared) {
        shared.workers[current_thread()].run(leave(shared));
    };
    const result found =
        explore<destroyed_by_the_last>(settings("mutex, destroyed by the last owner"), {leaver, leaver});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::mutex_test
