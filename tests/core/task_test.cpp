#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace eddy::task_test {
namespace {

using test::journal;

template <class T>
T result_of(task<T> work) {
    test::manual_loop loop;
    auto running = spawn(std::move(work));
    loop.run();
    return running.get();
}

task<> note(journal& events, std::string name) {
    events.note(name);
    co_return;
}

TEST(task, costs_its_owner_one_pointer) {
    EXPECT_EQ(sizeof(task<int>), sizeof(void*));
    EXPECT_EQ(sizeof(task<>), sizeof(void*));
    EXPECT_FALSE(std::is_copy_constructible_v<task<>>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<task<>>);
}

TEST(task, does_nothing_before_it_is_awaited) {
    journal events;
    const auto parent = [](journal& to) -> task<> {
        auto child = note(to, "child");
        to.note("parent");
        co_await std::move(child);
        to.note("end");
    };
    auto work = parent(events);
    EXPECT_EQ(events.text(), "");
    result_of(std::move(work));
    EXPECT_EQ(events.text(), "parent child end");
}

TEST(task, gives_a_value) {
    const auto number = []() -> task<int> { co_return 42; };
    EXPECT_EQ(result_of(number()), 42);
}

TEST(task, gives_a_move_only_value) {
    const auto made = []() -> task<std::unique_ptr<int>> { co_return std::make_unique<int>(7); };
    const auto passed_on = [](auto make) -> task<std::unique_ptr<int>> { co_return co_await make(); };
    EXPECT_EQ(*result_of(passed_on(made)), 7);
}

TEST(task, gives_a_value_that_has_no_default) {
    struct number {
        explicit number(int initial) : value(initial) {}
        int value;
    };
    const auto made = []() -> task<number> { co_return number(3); };
    EXPECT_EQ(result_of(made()).value, 3);
}

TEST(task, gives_the_very_object_that_a_reference_names) {
    int target = 1;
    const auto reference = [](int& to) -> task<int&> { co_return to; };
    const auto constant = [](int& to) -> task<const int&> { co_return to; };
    EXPECT_EQ(&result_of(reference(target)), &target);
    EXPECT_EQ(&result_of(constant(target)), &target);
}

template <class T, class U>
concept may_return =
    requires(detail::task_promise<T> promise, U&& value) { promise.return_value(std::forward<U>(value)); };

TEST(task, of_a_reference_does_not_return_a_temporary) {
    EXPECT_TRUE((may_return<int&, int&>));
    EXPECT_TRUE((may_return<const int&, int&>));
    EXPECT_FALSE((may_return<int&, int>));
    EXPECT_FALSE((may_return<const int&, int>));
    EXPECT_FALSE((may_return<int&, const int&>));
    EXPECT_FALSE((may_return<const std::string&, const char*&>));
}

TEST(task, returns_what_braces_make) {
    const auto nothing = []() -> task<std::optional<int>> { co_return {}; };
    EXPECT_EQ(result_of(nothing()), std::nullopt);
}

TEST(task, throws_to_who_awaits_it) {
    const auto thrower = []() -> task<int> {
        throw std::runtime_error("no");
        co_return 0;
    };
    const auto catcher = [](auto work) -> task<std::string> {
        try {
            co_await work();
        } catch (const std::runtime_error& caught) {
            co_return caught.what();
        }
        co_return "nothing thrown";
    };
    EXPECT_EQ(result_of(catcher(thrower)), "no");
    EXPECT_THROW(result_of(thrower()), std::runtime_error);
}

TEST(task, throws_what_the_making_of_its_value_throws) {
    struct refusing {
        explicit refusing(int) { throw std::runtime_error("refused"); }
    };
    const auto work = []() -> task<refusing> { co_return 1; };
    EXPECT_THROW(static_cast<void>(result_of(work())), std::runtime_error);
}

TEST(task, moves_to_another_owner) {
    const auto number = []() -> task<int> { co_return 5; };
    task<int> first = number();
    task<int> second = std::move(first);
    EXPECT_FALSE(static_cast<bool>(first));
    EXPECT_TRUE(static_cast<bool>(second));
    task<int>& itself = second;
    second = std::move(itself);
    EXPECT_EQ(result_of(std::move(second)), 5);
}

TEST(task, drops_what_it_held_when_another_is_assigned) {
    journal events;
    const auto work = [](journal::entry) -> task<> { co_return; };
    task<> held = work(journal::entry(events, "first"));
    held = work(journal::entry(events, "second"));
    EXPECT_EQ(events.text(), "~first");
    held = {};
    EXPECT_EQ(events.text(), "~first ~second");
}

TEST(task, that_never_started_destroys_its_arguments_when_dropped) {
    journal events;
    {
        const auto work = [](journal::entry, journal& to) -> task<> {
            to.note("ran");
            co_return;
        };
        auto dropped = work(journal::entry(events, "argument"), events);
        EXPECT_EQ(events.text(), "");
    }
    EXPECT_EQ(events.text(), "~argument");
}

TEST(task, that_waits_destroys_its_locals_innermost_first_when_dropped) {
    test::manual_loop loop;
    journal events;
    test::gate never;
    const auto inner = [](journal& to, test::gate& closed) -> task<> {
        journal::entry first(to, "inner1");
        journal::entry second(to, "inner2");
        co_await closed;
        to.note("passed");
    };
    const auto outer = [](auto work, journal& to, test::gate& closed) -> task<> {
        journal::entry local(to, "outer");
        co_await work(to, closed);
        to.note("passed");
    };
    {
        auto dropped = spawn(outer(inner, events, never));
        loop.run();
        EXPECT_TRUE(never.has_waiter());
        EXPECT_EQ(events.text(), "");
    }
    EXPECT_EQ(events.text(), "~inner2 ~inner1 ~outer");
    EXPECT_FALSE(never.has_waiter());
    never.open();
    EXPECT_EQ(loop.run(), 0u);
}

TEST(task, is_destroyed_before_its_parent_goes_on) {
    journal events;
    const auto child = [](journal& to) -> task<int> {
        journal::entry local(to, "child");
        co_return 1;
    };
    const auto parent = [](auto work, journal& to) -> task<> {
        co_await work(to);
        to.note("after");
    };
    result_of(parent(child, events));
    EXPECT_EQ(events.text(), "~child after");
}

}  // namespace
}  // namespace eddy::task_test
