#include "support/gate.hpp"
#include "support/journal.hpp"
#include "support/manual_loop.hpp"
#include "support/small_stack.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace eddy::depth_test {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;

// The highest and the lowest stack address that was seen.
struct reach {
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    void note() {
        volatile char here = 0;
        const auto address = reinterpret_cast<std::uintptr_t>(&here);
        lowest = std::min(lowest, address);
        highest = std::max(highest, address);
    }
    [[nodiscard]] std::uintptr_t size() const { return highest - lowest; }
};

task<std::uint64_t> finished(std::uint64_t value) {
    co_return value;
}

task<> count(std::uint64_t times, reach& seen, std::uint64_t& sum) {
    for (std::uint64_t at = 0; at < times; ++at) {
        sum += co_await finished(at);
        if ((at & 0xffff) == 0)
            seen.note();
    }
}

TEST(task_depth, ten_million_awaits_of_finished_tasks_do_not_grow_the_stack) {
    constexpr std::uint64_t times = 10'000'000;
    reach seen;
    std::uint64_t sum = 0;
    test::on_small_stack(stack_bytes, [&] {
        test::manual_loop loop;
        auto running = spawn(count(times, seen, sum));
        loop.run();
        running.get();
    });
    EXPECT_EQ(sum, times * (times - 1) / 2);
    // Addresses of locals are comparable where they are on the stack: AddressSanitizer keeps them elsewhere.
#if !EDDY_SANITIZED
    EXPECT_LT(seen.size(), 4096u);
#endif
}

task<> nothing_much() {
    co_return;
}

task<> levels_of(int depth) {
    if (depth > 0)
        co_await levels_of(depth - 1);
    co_await nothing_much();
}

TEST(task_depth, repeated_nested_awaits_do_not_grow_the_stack) {
    test::on_small_stack(stack_bytes, [] {
        test::manual_loop loop;
        const auto repeat = []() -> task<> {
            for (int at = 0; at < 20'000; ++at)
                co_await levels_of(5);
        };
        auto running = spawn(repeat());
        loop.run();
        running.get();
    });
}

task<int> chain(int depth, test::gate& at_the_bottom) {
    if (depth == 0) {
        co_await at_the_bottom;
        co_return 0;
    }
    co_return 1 + co_await chain(depth - 1, at_the_bottom);
}

task<> noting_chain(int depth, test::gate& at_the_bottom, test::journal& seen) {
    const test::journal::entry noted(seen, std::to_string(depth));
    if (depth == 0)
        co_await at_the_bottom;
    else
        co_await noting_chain(depth - 1, at_the_bottom, seen);
}

TEST(task_depth, a_chain_of_a_thousand_tasks_brings_its_result_up) {
    test::manual_loop loop;
    test::gate bottom;
    auto running = spawn(chain(1000, bottom));
    loop.run();
    EXPECT_FALSE(running.done());
    bottom.open();
    loop.run();
    EXPECT_EQ(running.get(), 1000);
}

TEST(task_depth, a_chain_of_a_hundred_thousand_tasks_is_dropped_on_a_small_stack) {
    test::on_small_stack(stack_bytes, [] {
        test::manual_loop loop;
        test::gate bottom;
        auto running = spawn(chain(100'000, bottom));
        loop.run();
        running.cancel();
        EXPECT_FALSE(bottom.has_waiter());
    });
}

TEST(task_depth, a_chain_is_destroyed_from_the_innermost_task_outwards) {
    test::manual_loop loop;
    test::gate never;
    test::journal seen;
    auto running = spawn(noting_chain(3, never, seen));
    loop.run();
    running.cancel();
    EXPECT_EQ(seen.text(), "~0 ~1 ~2 ~3");
}

task<> throwing_chain(int depth) {
    if (depth == 0)
        throw std::runtime_error("bottom");
    co_await throwing_chain(depth - 1);
}

TEST(task_depth, an_exception_rises_through_a_thousand_tasks) {
    test::manual_loop loop;
    auto running = spawn(throwing_chain(1000));
    loop.run();
    EXPECT_THROW(running.get(), std::runtime_error);
}

TEST(task_depth, a_million_yields_do_not_grow_the_stack) {
    test::on_small_stack(stack_bytes, [] {
        test::manual_loop loop;
        const auto repeat = []() -> task<> {
            for (int at = 0; at < 1'000'000; ++at)
                co_await yield();
        };
        auto running = spawn(repeat());
        EXPECT_EQ(loop.run(), 1'000'001u);
        running.get();
    });
}

}  // namespace
}  // namespace eddy::depth_test
