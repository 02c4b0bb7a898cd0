#include "support/manual_loop.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/channel.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/sync/mutex.hpp>
#include <eddy/sync/semaphore.hpp>
#include <eddy/sync/shared_mutex.hpp>
#include <eddy/sync/wait_group.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

// What would hang or corrupt the program ends it with one line instead, in release builds, too.

namespace eddy::misuse_test {
namespace {

using test::manual_loop;

class misuse_death_test : public ::testing::Test {
protected:
    misuse_death_test() { ::testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(misuse_death_test, a_channel_is_destroyed_while_a_task_waits_for_it) {
    const auto destroy = [] {
        manual_loop loop;
        auto queue = std::make_unique<channel<int>>(1);
        const auto receive = [](channel<int>& from) -> task<> { static_cast<void>(co_await from.recv()); };
        auto waiting = spawn(receive(*queue));
        loop.run();
        queue.reset();
    };
    EXPECT_DEATH(destroy(), "no task waits at a channel that is destroyed");
}

TEST_F(misuse_death_test, an_event_is_destroyed_while_a_task_waits_for_it) {
    const auto destroy = [] {
        manual_loop loop;
        auto never = std::make_unique<event<>>();
        const auto wait = [](event<>& for_this) -> task<> { co_await for_this.wait(); };
        auto waiting = spawn(wait(*never));
        loop.run();
        never.reset();
    };
    EXPECT_DEATH(destroy(), "no task waits for an event that is destroyed");
}

TEST_F(misuse_death_test, a_mutex_is_destroyed_while_a_task_waits_for_it) {
    const auto destroy = [] {
        manual_loop loop;
        auto locked = std::make_unique<mutex>();
        const mutex_guard held = locked->try_lock();
        const auto lock = [](mutex& wanted) -> task<> { static_cast<void>(co_await wanted.lock()); };
        auto waiting = spawn(lock(*locked));
        loop.run();
        locked.reset();
    };
    EXPECT_DEATH(destroy(), "no task waits for a mutex that is destroyed");
}

TEST_F(misuse_death_test, more_work_is_done_than_there_is) {
    EXPECT_DEATH(wait_group().done(), "nothing is counted down that was not there");
}

TEST_F(misuse_death_test, a_mutex_is_unlocked_twice) {
    EXPECT_DEATH(mutex().unlock(), "what is unlocked is locked");
}

TEST_F(misuse_death_test, a_handle_without_a_task_is_asked) {
    const auto ask = [](auto question) {
        manual_loop loop;
        const auto nothing = []() -> task<> { co_return; };
        auto cancelled = spawn(nothing());
        cancelled.cancel();
        question(cancelled);
    };
    EXPECT_DEATH(ask([](handle<>& requested) { static_cast<void>(requested.done()); }), "owns a task");
    EXPECT_DEATH(ask([](handle<>& requested) { requested.get(); }), "a result is taken once");
    EXPECT_DEATH(ask([](handle<>& requested) { requested.detach(); }), "owns a task");
}

TEST_F(misuse_death_test, a_handle_is_moved_or_cancelled_while_a_task_awaits_it) {
    const auto disturb = [](auto disturbance) {
        manual_loop loop;
        const auto forever = []() -> task<> {
            for (;;)
                co_await yield();
        };
        const auto wait = [](handle<>& awaited) -> task<> { co_await awaited; };
        auto child = spawn(forever());
        auto waiting = spawn(wait(child));
        loop.loop().run(10);
        disturbance(child);
    };
    EXPECT_DEATH(disturb([](handle<>& child) { handle<> moved(std::move(child)); }), "that is awaited");
    EXPECT_DEATH(disturb([](handle<>& child) { child.cancel(); }), "that is awaited");
}

TEST_F(misuse_death_test, a_task_is_spawned_into_the_set_of_another_worker) {
    const auto spawn_elsewhere = [] {
        const auto forever = []() -> task<> {
            for (;;)
                co_await yield();
        };
        manual_loop loop;
        task_set set;
        set.spawn(forever());
        const manual_loop another;
        set.spawn(forever());
    };
    EXPECT_DEATH(spawn_elsewhere(), "a task set belongs to the worker of its tasks");
}

}  // namespace
}  // namespace eddy::misuse_test
