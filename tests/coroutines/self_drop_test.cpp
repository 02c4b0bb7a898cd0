// A task may let go of its own handle while it runs, a task_set be cleared from inside: it is destroyed at
// its next suspension or at its end, not under its own feet.

#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>

namespace eddy::self_drop_test {
namespace {

using test::gate;
using test::journal;
using test::manual_loop;

std::int64_t live_blocks() {
    return detail::frame_cache::live_blocks();
}

struct own_handle {
    std::optional<handle<>> held;
};

task<> drop_oneself(own_handle& own, journal& events, bool waits) {
    const journal::entry local(events, "task");
    own.held.reset();
    events.note("alive");
    if (waits)
        co_await yield();
    events.note("end");
}

TEST(task_that_drops_itself, is_destroyed_at_its_next_suspension) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        own_handle own;
        own.held.emplace(spawn(drop_oneself(own, events, true)));
        loop.run();
        EXPECT_EQ(events.text(), "alive ~task");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(task_that_drops_itself, is_destroyed_at_its_end_if_it_never_suspends_again) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        own_handle own;
        own.held.emplace(spawn(drop_oneself(own, events, false)));
        loop.run();
        EXPECT_EQ(events.text(), "alive end ~task");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(task_that_drops_itself, may_throw_afterwards) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        own_handle own;
        const auto thrower = [](own_handle& self) -> task<> {
            self.held.reset();
            throw std::runtime_error("nobody listens");
            co_return;
        };
        own.held.emplace(spawn(thrower(own)));
        loop.run();
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(task_that_drops_itself, does_so_from_within_a_child) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        own_handle own;
        const auto parent = [](own_handle& self, journal& to) -> task<> {
            const journal::entry local(to, "parent");
            co_await drop_oneself(self, to, true);
            to.note("passed");
        };
        own.held.emplace(spawn(parent(own, events)));
        loop.run();
        EXPECT_EQ(events.text(), "alive ~task ~parent");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(task_that_drops_itself, through_the_handle_of_its_waiter_ends_both) {
    const auto before = live_blocks();
    {
        manual_loop loop;
        journal events;
        own_handle outer;
        gate opened;
        // The child drops the parent, which owns the child's handle and waits for it.
        const auto child = [](own_handle& of_parent, gate& to, journal& where) -> task<> {
            const journal::entry local(where, "child");
            co_await to;
            of_parent.held.reset();
            where.note("alive");
            co_await yield();
            where.note("passed");
        };
        const auto parent = [](auto work, own_handle& own, gate& to, journal& where) -> task<> {
            const journal::entry local(where, "parent");
            auto started = spawn(work(own, to, where));
            co_await started;
            where.note("passed");
        };
        outer.held.emplace(spawn(parent(child, outer, opened, events)));
        loop.run();
        opened.open();
        loop.run();
        EXPECT_EQ(events.text(), "~parent alive ~child");
    }
    EXPECT_EQ(live_blocks(), before);
}

TEST(task_that_is_destroyed, may_ask_for_its_own_end_once_more) {
    manual_loop loop;
    gate never;
    struct asks_again {
        own_handle& own;
        explicit asks_again(own_handle& of) : own(of) {}
        ~asks_again() {
            if (own.held)
                own.held->cancel();
        }
    };
    own_handle own;
    const auto work = [](own_handle& self, gate& closed) -> task<> {
        const asks_again local(self);
        co_await closed;
    };
    own.held.emplace(spawn(work(own, never)));
    loop.run();
    own.held->cancel();
    EXPECT_FALSE(never.has_waiter());
}

}  // namespace
}  // namespace eddy::self_drop_test
