#include "support/counted_object.hpp"
#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::when_all_test {
namespace {

task<int> number(int value) {
    co_return value;
}
task<> nothing() {
    co_return;
}
task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}
task<> fail(const char* message) {
    co_await yield();
    throw std::runtime_error(message);
}
task<> wait_noting(test::gate& opened, test::journal& seen, std::string name) {
    const test::journal::entry noted(seen, name);
    co_await opened;
    seen.note(name);
}

TEST(when_all, gives_results_of_different_types_in_their_order) {
    test::manual_loop loop;
    test::gate opened;
    const auto text = []() -> task<std::unique_ptr<std::string>> {
        co_await yield();
        co_return std::make_unique<std::string>("two");
    };
    const auto work = [](auto second, test::gate& first) -> task<std::string> {
        auto results = co_await when_all(number_after(first, 1), second(), nothing());
        static_assert(
            std::is_same_v<decltype(results), std::tuple<int, std::unique_ptr<std::string>, std::monostate>>);
        co_return std::to_string(std::get<0>(results)) + *std::get<1>(results);
    };
    auto running = spawn(work(text, opened));
    loop.run();
    EXPECT_FALSE(running.done());
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), "1two");
}

TEST(when_all, of_void_tasks_gives_nothing) {
    test::manual_loop loop;
    const auto work = []() -> task<> {
        static_assert(std::is_void_v<await_result_t<decltype(when_all(nothing(), nothing()))>>);
        co_await when_all(nothing(), nothing());
    };
    auto running = spawn(work());
    loop.run();
    running.get();
}

TEST(when_all, of_references_gives_references) {
    test::manual_loop loop;
    int target = 1;
    const auto refer = [](int& to) -> task<int&> { co_return to; };
    const auto work = [](auto make, int& to) -> task<> {
        auto [first, second] = co_await when_all(make(to), make(to));
        first += 1;
        second += 1;
    };
    auto running = spawn(work(refer, target));
    loop.run();
    running.get();
    EXPECT_EQ(target, 3);
}

TEST(when_all, of_a_vector_gives_a_vector) {
    test::manual_loop loop;
    const auto work = []() -> task<int> {
        std::vector<task<int>> tasks;
        for (int at = 0; at < 100; ++at)
            tasks.push_back(number(at));
        const std::vector<int> results = co_await when_all(std::move(tasks));
        int sum = 0;
        for (int at = 0; at < 100; ++at)
            sum += results[static_cast<std::size_t>(at)] == at ? at : 1'000'000;
        co_return sum;
    };
    auto running = spawn(work());
    loop.run();
    EXPECT_EQ(running.get(), 4950);
}

TEST(when_all, of_an_empty_range_or_of_nothing_does_not_wait) {
    test::manual_loop loop;
    const auto work = []() -> task<std::size_t> {
        std::vector<task<>> none;
        co_await when_all(none);
        co_await when_all();
        const auto values = co_await when_all(std::vector<task<int>>());
        co_return values.size();
    };
    auto running = spawn(work());
    EXPECT_EQ(loop.run(), 1u);
    EXPECT_EQ(running.get(), 0u);
}

TEST(when_all, takes_operations_and_handles) {
    test::manual_loop loop;
    test::gate opened;
    const auto work = [](test::gate& first) -> task<int> {
        auto started = spawn(number_after(first, 7));
        auto [value, yielded] = co_await when_all(started, yield());
        co_return value;
    };
    auto running = spawn(work(opened));
    loop.run();
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), 7);
}

TEST(when_all, drops_the_others_at_the_first_exception_and_rethrows_it) {
    test::manual_loop loop;
    test::gate never;
    test::gate neither;
    test::journal seen;
    const auto work = [](test::gate& one, test::gate& two, test::journal& notes) -> task<> {
        try {
            co_await when_all(wait_noting(one, notes, "a"), fail("b"), wait_noting(two, notes, "c"));
        } catch (const std::runtime_error& caught) {
            notes.note(caught.what());
        }
    };
    auto running = spawn(work(never, neither, seen));
    loop.run();
    running.get();
    EXPECT_EQ(seen.text(), "~a ~c b");
    EXPECT_FALSE(never.has_waiter() || neither.has_waiter());
}

TEST(when_all, rethrows_the_exception_that_came_first_not_the_one_that_stands_first) {
    test::manual_loop loop;
    const auto late = []() -> task<int> {
        co_await yield();
        co_await yield();
        throw std::runtime_error("late");
    };
    const auto early = []() -> task<int> {
        co_await yield();
        throw std::runtime_error("early");
    };
    const auto work = [](auto first, auto second) -> task<> { co_await when_all(first(), second()); };
    auto running = spawn(work(late, early));
    loop.run();
    try {
        running.get();
        ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& caught) {
        EXPECT_STREQ(caught.what(), "early");
    }
}

TEST(a_dropped_when_all, drops_its_tasks) {
    test::manual_loop loop;
    test::gate first;
    test::gate second;
    const auto work = [](test::gate& one, test::gate& two) -> task<> {
        co_await when_all(number_after(one, 1), number_after(two, 2));
    };
    auto running = spawn(work(first, second));
    loop.run();
    EXPECT_TRUE(first.has_waiter() && second.has_waiter());
    running.cancel();
    EXPECT_FALSE(first.has_waiter() || second.has_waiter());
}

TEST(a_dropped_when_all, frees_the_results_of_those_that_ended) {
    test::manual_loop loop;
    test::gate never;
    std::atomic<int> living = 0;
    const auto count = [](std::atomic<int>& counter) -> task<test::counted_object> {
        co_return test::counted_object(counter);
    };
    const auto work = [](auto make, std::atomic<int>& counter, test::gate& closed) -> task<> {
        co_await when_all(make(counter), number_after(closed, 1));
    };
    auto running = spawn(work(count, living, never));
    loop.run();
    EXPECT_EQ(living, 1);
    running.cancel();
    EXPECT_EQ(living, 0);
}

TEST(a_when_all_that_was_never_awaited, frees_its_tasks) {
    const auto before = detail::frame_cache::live_blocks();
    {
        static_cast<void>(when_all(number(1), number(2)));
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

// The task that drops all runs in a group that its own drop destroys.
task<> drop_after(test::gate& opened, handle<>& dropped) {
    co_await opened;
    dropped.cancel();
    co_await yield();
    ADD_FAILURE() << "went on after its own drop";
}

TEST(a_task_of_a_when_all, may_drop_the_one_that_waits_for_it) {
    test::manual_loop loop;
    test::gate opened;
    test::gate never;
    handle<> running;
    const auto work = [](test::gate& first, test::gate& closed, handle<>& self) -> task<> {
        co_await when_all(drop_after(first, self), number_after(closed, 1));
    };
    running = spawn(work(opened, never, running));
    loop.run();
    opened.open();
    loop.run();
    EXPECT_FALSE(running);
    EXPECT_FALSE(never.has_waiter());
}

// A destructor that drops the waiting task while the group drops what failed another.
class drops_on_exit {
public:
    explicit drops_on_exit(handle<>& dropped) noexcept : dropped_(dropped) {}
    drops_on_exit(const drops_on_exit&) = delete;
    drops_on_exit& operator=(const drops_on_exit&) = delete;
    ~drops_on_exit() { dropped_.cancel(); }

private:
    handle<>& dropped_;
};
task<> wait_and_drop_on_exit(test::gate& opened, handle<>& dropped) {
    const drops_on_exit guard(dropped);
    co_await opened;
}

TEST(a_destructor_in_a_when_all, may_drop_the_one_that_waits_for_it) {
    test::manual_loop loop;
    test::gate never;
    test::gate neither;
    handle<> running;
    const auto work = [](test::gate& closed, test::gate& other, handle<>& self) -> task<> {
        co_await when_all(wait_and_drop_on_exit(closed, self), fail("x"), number_after(other, 1));
    };
    running = spawn(work(never, neither, running));
    loop.run();
    EXPECT_FALSE(running);
    EXPECT_FALSE(never.has_waiter() || neither.has_waiter());
}

}  // namespace
}  // namespace eddy::when_all_test
