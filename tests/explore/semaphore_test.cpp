#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/semaphore.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

namespace eddy::explore::semaphore_test {
namespace {

template <std::uint64_t Permits>
struct shared_permits {
    std::array<model_worker, 3> workers;
    semaphore permits{Permits};
    detail::atomic<std::uint64_t> had{0};  // by tasks, at the moment
    int passed_first = 0;                  // each on its own thread
    int passed_second = 0;
};
using none = shared_permits<0>;
using one = shared_permits<1>;

template <class State>
task<> pass(State& shared, std::uint64_t count, int& passed) {
    auto permit = co_await shared.permits.acquire(count);
    EXPLORE_CHECK(permit.count() == count);
    ++passed;
}

template <std::uint64_t Count>
void expect_permits(shared_permits<Count>& shared, std::uint64_t expected) {
    EXPLORE_CHECK(shared.permits.available() == expected);
}

TEST(semaphore, has_no_more_users_than_permits) {
    static constexpr auto use = [](one& shared) -> task<> {
        auto permit = co_await shared.permits.acquire();
        EXPLORE_CHECK(shared.had.fetch_add(1) == 0);
        shared.had.fetch_sub(1);
    };
    const auto user = [](one& shared) { shared.workers[current_thread()].run(use(shared)); };
    const result found = explore<one>(settings("semaphore, two users"), {user, user},
                                      [](one& shared) { expect_permits(shared, 1); });
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A thread that is no worker has the permit first, or waits for it.
TEST(semaphore, serves_a_thread_that_is_no_worker) {
    const auto task_of = [](one& shared) { shared.workers[0].run(pass(shared, 1, shared.passed_first)); };
    const auto thread = [](one& shared) {
        const auto permit = shared.permits.acquire_blocking();
        ++shared.passed_second;
    };
    const result found =
        explore<one>(settings("semaphore, a thread blocks"), {task_of, thread}, [](one& shared) {
            expect_permits(shared, 1);
            EXPLORE_CHECK(shared.passed_first == 1 && shared.passed_second == 1);
        });
    EXPECT_TRUE(found.has_passed) << found.report;
}

template <class Moment>
task<> drop_a_wait(none& shared, std::uint64_t count, Moment moment) {
    handle<> dropped = spawn(pass(shared, count, shared.passed_first));
    co_await moment();
    dropped.cancel();
}
void drop_waiting(none& shared) {
    shared.workers[0].run(drop_a_wait(shared, 1, [] { return yield(); }));
}
void drop_ready(none& shared) {
    shared.workers[0].run(
        drop_a_wait(shared, 1, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
}
// And takes the permit that it had left to others.
task<> drop_ready_and_pass(none& shared) {
    co_await drop_a_wait(shared, 1, [&shared] { return model_worker::next_turn(shared.workers[0]); });
    co_await pass(shared, 1, shared.passed_second);
}
void drop_ready_and_pass_second(none& shared) {
    shared.workers[0].run(drop_ready_and_pass(shared));
}
void drop_waiting_for_many(none& shared) {
    shared.workers[0].run(drop_a_wait(shared, 2, [] { return yield(); }));
}
void pass_second(none& shared) {
    shared.workers[1].run(pass(shared, 1, shared.passed_second));
}
void add_one(none& shared) {
    shared.permits.add(1);
}
// So that the permit comes from there, and is wanted there.
task<> add_and_pass(none& shared) {
    shared.permits.add(1);
    co_await pass(shared, 1, shared.passed_second);
}
void add_and_pass_second(none& shared) {
    shared.workers[1].run(add_and_pass(shared));
}
void expect_second_passed(none& shared) {
    expect_permits(shared, 1);
    EXPLORE_CHECK(shared.passed_second == 1);
}

TEST(semaphore, passes_on_the_permit_of_a_dropped_waiter) {
    const result found = explore<none>(settings("semaphore, one dropped"),
                                       {&drop_waiting, &add_and_pass_second}, &expect_second_passed);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(semaphore, passes_on_the_permit_of_a_waiter_dropped_when_it_was_ready) {
    const result found = explore<none>(settings("semaphore, one dropped when ready").preemptions(3),
                                       {&drop_ready_and_pass_second, &add_one}, &expect_second_passed);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A task that waits for two keeps one that wants one from going on, until it is dropped.
TEST(semaphore, lets_go_on_who_waited_behind_a_dropped_waiter_for_many) {
    const result found = explore<none>(settings("semaphore, one for many dropped").preemptions(3),
                                       {&drop_waiting_for_many, &add_and_pass_second}, &expect_second_passed);
    EXPECT_TRUE(found.has_passed) << found.report;
}

// With a thread that is no worker; every schedule is too much for these.
void explore_three(const char* name, void (*dropper)(none&)) {
    const result found = explore<none>(settings(name).preemptions(2), {dropper, &pass_second, &add_one},
                                       &expect_second_passed);
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(semaphore, passes_on_between_workers_what_a_thread_has_released) {
    explore_three("semaphore, three threads", &drop_waiting);
    explore_three("semaphore, three threads, dropped when ready", &drop_ready);
    explore_three("semaphore, three threads, one for many", &drop_waiting_for_many);
}

// The last to acquire it destroys it, while the one that released may still be in release().
struct destroyed_by_the_last {
    model_worker worker;
    std::optional<semaphore> permits{std::in_place, 0};
};
task<> acquire_and_destroy(destroyed_by_the_last& shared) {
    auto permit = co_await shared.permits->acquire(2);
    permit.release();
    shared.permits.reset();
}

TEST(semaphore, may_be_destroyed_by_who_has_acquired_it_last) {
    const auto last = [](destroyed_by_the_last& shared) { shared.worker.run(acquire_and_destroy(shared)); };
    const auto release = [](destroyed_by_the_last& shared) { shared.permits->release(); };
    const result found = explore<destroyed_by_the_last>(settings("semaphore, destroyed by the last"),
                                                        {last, release, release});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// One release may find that the other one has resumed the waiting task, and leave its permit to the next that comes.
struct acquired_by_two : destroyed_by_the_last {
    detail::atomic<int> left{2};

    void leave() {
        if (left.fetch_sub(1) == 1)
            permits.reset();
    }
};
void acquire_and_leave(acquired_by_two& shared) {
    shared.permits->acquire_blocking().release();
    shared.leave();
}

TEST(semaphore, may_be_destroyed_by_the_last_of_two_who_have_acquired_it) {
    const auto releaser = [](acquired_by_two& shared) {
        shared.permits->release();
        acquire_and_leave(shared);
    };
    const auto release = [](acquired_by_two& shared) { shared.permits->release(); };
    const result found =
        explore<acquired_by_two>(settings("semaphore, destroyed by the last of two").preemptions(3),
                                 {&acquire_and_leave, releaser, release});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::semaphore_test
