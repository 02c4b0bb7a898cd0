#include "explore/explorer.hpp"
#include "explore/model_worker.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <optional>

// The task that goes on destroys the event, while set() may still be on its way out.

namespace eddy::explore::event_test {
namespace {

template <class Event>
struct happening {
    std::array<model_worker, 2> workers;
    std::optional<Event> awaited{std::in_place};
    detail::atomic<int> left{1};  // to go on before the event is destroyed
};
using bare = happening<event<>>;
using valued = happening<event<int>>;

task<> wait_and_leave(bare& shared) {
    co_await shared.awaited->wait();
    if (shared.left.fetch_sub(1) == 1)
        shared.awaited.reset();
}
void wait_and_destroy(bare& shared) {
    shared.workers[current_thread()].run(wait_and_leave(shared));
}
void set(bare& shared) {
    shared.awaited->set();
}

TEST(event, may_be_destroyed_by_who_has_waited) {
    const result found =
        explore<bare>(settings("event, destroyed after the wait"), {&wait_and_destroy, &set});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(event, may_be_destroyed_by_the_last_of_two_who_have_waited) {
    struct awaited_by_two : bare {
        awaited_by_two() { left.store(2); }
    };
    const auto wait = [](awaited_by_two& shared) { wait_and_destroy(shared); };
    const auto setter = [](awaited_by_two& shared) { set(shared); };
    const result found = explore<awaited_by_two>(settings("event, destroyed by the last").preemptions(2),
                                                 {wait, wait, setter});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(event, may_be_destroyed_by_a_thread_that_has_waited) {
    const auto wait = [](bare& shared) {
        shared.awaited->wait_blocking();
        shared.awaited.reset();
    };
    const result found = explore<bare>(settings("event, a thread blocks"), {wait, &set});
    EXPECT_TRUE(found.has_passed) << found.report;
}

task<> get_and_destroy(valued& shared) {
    const int value = co_await shared.awaited->wait();
    EXPLORE_CHECK(value == 7);
    shared.awaited.reset();
}

TEST(event, brings_its_value) {
    const auto wait = [](valued& shared) { shared.workers[0].run(get_and_destroy(shared)); };
    const auto setter = [](valued& shared) { shared.awaited->set(7); };
    const result found = explore<valued>(settings("event, with a value"), {wait, setter});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// A wait that is dropped leaves nothing behind; the next one ends all the same.
template <class Moment>
task<> drop_and_wait(bare& shared, Moment moment) {
    handle<> dropped = spawn(wait_and_leave(shared));
    co_await moment();
    dropped.cancel();
    if (shared.left.load() != 0)
        co_await wait_and_leave(shared);
}

TEST(event, may_be_destroyed_after_a_dropped_wait) {
    const auto wait = [](bare& shared) {
        shared.workers[0].run(drop_and_wait(shared, [] { return yield(); }));
    };
    const result found = explore<bare>(settings("event, a wait dropped"), {wait, &set});
    EXPECT_TRUE(found.has_passed) << found.report;
}

TEST(event, may_be_destroyed_after_a_wait_dropped_when_it_was_ready) {
    const auto wait = [](bare& shared) {
        shared.workers[0].run(
            drop_and_wait(shared, [&shared] { return model_worker::next_turn(shared.workers[0]); }));
    };
    const result found = explore<bare>(settings("event, a wait dropped when ready"), {wait, &set});
    EXPECT_TRUE(found.has_passed) << found.report;
}

// Set twice, and reset between: the waiting task goes on, though the event may not be set any more.
TEST(event, lets_go_on_who_waited_before_a_reset) {
    static constexpr auto wait = [](bare& shared) -> task<> { co_await shared.awaited->wait(); };
    const auto waiter = [](bare& shared) { shared.workers[0].run(wait(shared)); };
    const auto setter = [](bare& shared) {
        shared.awaited->set();
        shared.awaited->reset();
        shared.awaited->set();
    };
    const result found = explore<bare>(settings("event, reset"), {waiter, setter});
    EXPECT_TRUE(found.has_passed) << found.report;
}

}  // namespace
}  // namespace eddy::explore::event_test
