#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"
#include "support/small_stack.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/async_generator.hpp>
#include <eddy/core/detail/frame_cache.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::async_generator_test {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;

static_assert(!std::copyable<async_generator<int>>);
static_assert(std::movable<async_generator<int>>);

async_generator<int> count(int from, int to) {
    for (int at = from; at < to; ++at)
        co_yield at;
}

async_generator<int> slow_count(int from, int to) {
    for (int at = from; at < to; ++at) {
        co_await yield();
        co_yield at;
        co_await yield();
    }
}

template <class T>
task<std::vector<T>> all_of(async_generator<T> values) {
    std::vector<T> out;
    while (auto value = co_await values.next())
        out.push_back(std::move(*value));
    co_return out;
}

template <class T>
T result_of(task<T> work) {
    test::manual_loop loop;
    auto running = spawn(std::move(work));
    loop.run();
    return running.get();
}

TEST(async_generator, gives_its_values_in_order) {
    EXPECT_EQ(result_of(all_of(count(3, 6))), (std::vector{3, 4, 5}));
}

TEST(async_generator, waits_between_its_values) {
    EXPECT_EQ(result_of(all_of(slow_count(3, 6))), (std::vector{3, 4, 5}));
}

TEST(async_generator, gives_nothing_at_its_end_however_often_it_is_asked) {
    const auto asks = []() -> task<int> {
        async_generator<int> values = count(0, 1);
        int given = 0;
        for (int at = 0; at < 4; ++at)
            if (auto value = co_await values.next())
                ++given;
        co_return given;
    };
    EXPECT_EQ(result_of(asks()), 1);
}

TEST(async_generator, runs_only_as_far_as_it_is_asked) {
    const auto stepping = [](int& steps) -> async_generator<int> {
        for (;;)
            co_yield ++steps;
    };
    const auto asks = [](auto make) -> task<> {
        int steps = 0;
        auto values = make(steps);
        EXPECT_EQ(steps, 0);
        co_await values.next();
        EXPECT_EQ(steps, 1);
        auto named = values.next();
        EXPECT_EQ(steps, 1);
        const auto second = co_await named;
        EXPECT_EQ(*second, 2);
    };
    result_of(asks(stepping));
}

TEST(async_generator, gives_move_only_values_away_and_copies_of_lvalues) {
    const auto owned = []() -> async_generator<std::unique_ptr<int>> {
        co_yield std::make_unique<int>(1);
        auto named = std::make_unique<int>(2);
        co_yield std::move(named);
        EXPECT_EQ(named, nullptr);
    };
    const auto taken = result_of(all_of(owned()));
    ASSERT_EQ(taken.size(), 2u);
    EXPECT_EQ(*taken[0] + *taken[1], 3);

    const auto same = [](const std::string& text) -> async_generator<std::string> {
        co_yield text;
        co_yield text;
    };
    const std::string text = "a text that is too long to be stored in place";
    EXPECT_EQ(result_of(all_of(same(text))), (std::vector{text, text}));
}

TEST(async_generator, of_references_refers_to_what_is_yielded) {
    const auto each = [](std::vector<int>& numbers) -> async_generator<int&> {
        for (int& number : numbers)
            co_yield number;
    };
    const auto scale = [](async_generator<int&> numbers) -> task<> {
        while (auto number = co_await numbers.next())
            number->get() *= 10;
    };
    std::vector numbers{1, 2, 3};
    result_of(scale(each(numbers)));
    EXPECT_EQ(numbers, (std::vector{10, 20, 30}));
}

TEST(async_generator, moves_between_two_values) {
    const auto moves = []() -> task<> {
        async_generator<int> first = slow_count(0, 3);
        auto value = co_await first.next();
        EXPECT_EQ(*value, 0);
        async_generator<int> second = std::move(first);
        value = co_await second.next();
        EXPECT_EQ(*value, 1);
        value = co_await first.next();
        EXPECT_FALSE(value) << "what has been moved from is at its end";
        second = count(7, 9);
        value = co_await second.next();
        EXPECT_EQ(*value, 7);
    };
    result_of(moves());
}

TEST(async_generator, is_asked_by_one_task_after_the_other) {
    const auto take = [](async_generator<int>& values) -> task<int> {
        auto value = co_await values.next();
        co_return value.value_or(-1);
    };
    test::manual_loop loop;
    async_generator<int> values = slow_count(0, 2);
    for (int expected : {0, 1, -1}) {
        auto running = spawn(take(values));
        loop.run();
        EXPECT_EQ(running.get(), expected);
    }
}

TEST(async_generator, throws_out_of_next_and_is_at_its_end_then) {
    const auto failing = []() -> async_generator<int> {
        co_yield 1;
        co_await yield();
        throw std::runtime_error("after 1");
    };
    const auto asks = [](async_generator<int> values) -> task<std::string> {
        auto value = co_await values.next();
        EXPECT_EQ(*value, 1);
        std::string caught;
        try {
            co_await values.next();
        } catch (const std::runtime_error& error) {
            caught = error.what();
        }
        value = co_await values.next();
        EXPECT_FALSE(value);
        co_return caught;
    };
    EXPECT_EQ(result_of(asks(failing())), "after 1");
}

TEST(async_generator, gives_its_error_through_as_result) {
    const auto failing = []() -> async_generator<int> {
        co_yield 1;
        throw std::system_error(std::make_error_code(std::errc::broken_pipe));
    };
    const auto asks = [](async_generator<int> values) -> task<std::error_code> {
        const auto value = co_await as_result(values.next());
        EXPECT_TRUE(value && *value == 1);
        const auto none = co_await as_result(values.next());
        co_return none ? std::error_code() : none.error();
    };
    EXPECT_EQ(result_of(asks(failing())), std::errc::broken_pipe);
}

async_generator<int> noting(test::journal& seen, test::gate& at_two) {
    const test::journal::entry noted(seen, "local");
    co_yield 1;
    co_await at_two;
    co_yield 2;
}

TEST(async_generator, that_is_dropped_half_way_destroys_its_locals) {
    const auto asks = [](test::journal& seen, test::gate& never) -> task<> {
        {
            async_generator<int> values = noting(seen, never);
            co_await values.next();
            EXPECT_EQ(seen.text(), "");
        }
        EXPECT_EQ(seen.text(), "~local");
    };
    test::journal seen;
    test::gate never;
    result_of(asks(seen, never));
}

TEST(async_generator, that_never_started_leaves_no_frame) {
    const auto before = detail::frame_cache::live_blocks();
    {
        async_generator<int> never = count(0, 3);
        EXPECT_EQ(detail::frame_cache::live_blocks(), before + 1);
    }
    EXPECT_EQ(detail::frame_cache::live_blocks(), before);
}

task<int> ask_twice(async_generator<int>& values) {
    co_await values.next();
    auto second = co_await values.next();
    co_return second.value_or(-1);
}

TEST(next_of_an_async_generator, that_is_dropped_while_it_waits_ends_the_generator) {
    test::manual_loop loop;
    test::journal seen;
    test::gate never;
    async_generator<int> values = noting(seen, never);
    auto dropped = spawn(ask_twice(values));
    loop.run();
    EXPECT_TRUE(never.has_waiter());
    dropped.cancel();
    EXPECT_FALSE(never.has_waiter());
    EXPECT_EQ(seen.text(), "~local");
    auto again = spawn(ask_twice(values));
    loop.run();
    EXPECT_EQ(again.get(), -1);
}

TEST(next_of_an_async_generator, that_is_dropped_with_the_generator_destroys_it_once) {
    const auto owns = [](test::journal& seen, test::gate& never) -> task<> {
        async_generator<int> values = noting(seen, never);
        co_await ask_twice(values);
    };
    test::manual_loop loop;
    test::journal seen;
    test::gate never;
    auto dropped = spawn(owns(seen, never));
    loop.run();
    dropped.cancel();
    EXPECT_FALSE(never.has_waiter());
    EXPECT_EQ(seen.text(), "~local");
}

/// An awaitable of another library that never resumes anybody.
struct never_resumes {
    never_resumes() noexcept {}
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    void await_resume() const noexcept {}
};

TEST(next_of_an_async_generator, that_is_dropped_in_a_foreign_wait_ends_the_generator) {
    const auto waiting = [](test::journal& seen) -> async_generator<int> {
        const test::journal::entry noted(seen, "local");
        co_yield 1;
        co_await never_resumes();
    };
    test::manual_loop loop;
    test::journal seen;
    async_generator<int> values = waiting(seen);
    auto dropped = spawn(ask_twice(values));
    loop.run();
    dropped.cancel();
    EXPECT_EQ(seen.text(), "~local");
    auto again = spawn(ask_twice(values));
    loop.run();
    EXPECT_EQ(again.get(), -1);
}

#ifndef NDEBUG
TEST(async_generator_death, is_not_moved_while_somebody_waits_for_its_next_value) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(
        {
            test::manual_loop loop;
            test::journal seen;
            test::gate never;
            async_generator<int> values = noting(seen, never);
            auto waiting = spawn(ask_twice(values));
            loop.run();
            async_generator<int> moved = std::move(values);
        },
        "stays where it is");
}
#endif

// Yields `values` times at the bottom of a recursion, having waited, and once on the way out of each level.
async_generator<int> nested(int depth, int values, test::gate& at_the_end) {
    if (depth > 0)
        co_yield elements_of(nested(depth - 1, values, at_the_end));
    else
        for (int at = 0; at < values; ++at) {
            co_await yield();
            co_yield at;
        }
    if (depth == 0)
        co_await at_the_end;
    co_yield -depth;
}

TEST(elements_of_an_async_generator, come_between_its_own) {
    const auto around = []() -> async_generator<int> {
        co_yield -1;
        co_yield elements_of(slow_count(0, 2));
        co_yield elements_of(count(0, 0));
        co_yield elements_of(std::vector<int>(2, 3));
        co_yield -2;
    };
    EXPECT_EQ(result_of(all_of(around())), (std::vector{-1, 0, 1, 3, 3, -2}));
}

TEST(elements_of_an_async_generator, bring_an_exception_into_the_one_that_yields_them) {
    const auto failing = []() -> async_generator<int> {
        co_yield elements_of(slow_count(0, 2));
        throw std::runtime_error("after 1");
    };
    const auto catching = [](auto make) -> async_generator<int> {
        bool caught = false;
        try {
            co_yield elements_of(make());
        } catch (const std::runtime_error&) {
            caught = true;
        }
        co_yield caught ? 100 : -100;
        co_await yield();
        co_yield 101;
    };
    EXPECT_EQ(result_of(all_of(catching(failing))), (std::vector{0, 1, 100, 101}));
}

constexpr int deep = 100'000;

TEST(nested_async_generators, end_one_after_the_other_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        test::gate open;
        open.open();
        const auto values = result_of(all_of(nested(deep, 10, open)));
        ASSERT_EQ(values.size(), 10u + deep + 1u);
        EXPECT_EQ(values[9], 9);
        EXPECT_EQ(values.back(), -deep);
    });
}

task<int> ask(async_generator<int>& values, int times) {
    int last = -1;
    for (int at = 0; at < times; ++at) {
        auto value = co_await values.next();
        last = value.value_or(-1);
    }
    co_return last;
}

TEST(nested_async_generators, are_dropped_between_two_values_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        const auto before = detail::frame_cache::live_blocks();
        test::gate never;
        {
            test::manual_loop loop;
            async_generator<int> values = nested(deep, 10, never);
            auto running = spawn(ask(values, 3));
            loop.run();
            EXPECT_EQ(running.get(), 2);
            EXPECT_GT(detail::frame_cache::live_blocks(), before + deep);
        }
        EXPECT_EQ(detail::frame_cache::live_blocks(), before);
    });
}

TEST(nested_async_generators, are_dropped_while_the_innermost_waits_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        const auto before = detail::frame_cache::live_blocks();
        test::gate never;
        {
            test::manual_loop loop;
            async_generator<int> values = nested(deep, 2, never);
            auto running = spawn(ask(values, 3));
            loop.run();
            EXPECT_TRUE(never.has_waiter());
            running.cancel();
            EXPECT_FALSE(never.has_waiter());
            EXPECT_EQ(detail::frame_cache::live_blocks(), before);
        }
    });
}

TEST(nested_async_generators, are_dropped_in_a_foreign_wait) {
    const auto waiting = [](test::journal& seen) -> async_generator<int> {
        const test::journal::entry noted(seen, "inner");
        co_yield 1;
        co_await never_resumes();
    };
    const auto around = [](auto make, test::journal& seen) -> async_generator<int> {
        const test::journal::entry noted(seen, "outer");
        co_yield elements_of(make(seen));
    };
    test::manual_loop loop;
    test::journal seen;
    async_generator<int> values = around(waiting, seen);
    auto dropped = spawn(ask(values, 2));
    loop.run();
    dropped.cancel();
    EXPECT_EQ(seen.text(), "~inner ~outer");
}

TEST(async_generator_depth, a_million_values_do_not_grow_the_stack) {
    test::on_small_stack(stack_bytes, [] {
        const auto sum_of = [](async_generator<int> values) -> task<long> {
            long sum = 0;
            while (auto value = co_await values.next())
                sum += *value & 1;
            co_return sum;
        };
        EXPECT_EQ(result_of(sum_of(count(0, 1'000'000))), 500'000);
    });
}

TEST(async_generator_depth, many_nested_ones_that_end_at_once_do_not_grow_the_stack) {
    test::on_small_stack(stack_bytes, [] {
        const auto empties = []() -> async_generator<int> {
            for (int at = 0; at < 1'000'000; ++at)
                co_yield elements_of(count(0, 0));
            co_yield 1;
        };
        EXPECT_EQ(result_of(all_of(empties())), std::vector{1});
    });
}

}  // namespace
}  // namespace eddy::async_generator_test
