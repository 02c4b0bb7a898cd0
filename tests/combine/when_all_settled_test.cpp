#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/combine/when_all_settled.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::when_all_settled_test {
namespace {

task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}
task<> fail() {
    co_await yield();
    throw std::runtime_error("no");
}

TEST(when_all_settled, waits_for_all_whatever_becomes_of_them) {
    test::manual_loop loop;
    test::gate opened;
    int target = 0;
    const auto refer = [](int& to) -> task<int&> { co_return to; };
    const auto work = [](auto reference, test::gate& gate, int& to) -> task<> {
        auto [first, second, third] = co_await when_all_settled(fail(), number_after(gate, 4), reference(to));
        EXPECT_FALSE(first.has_value());
        EXPECT_THROW(std::rethrow_exception(first.error()), std::runtime_error);
        EXPECT_EQ(second.value(), 4);
        third->get() = 8;
    };
    auto running = spawn(work(refer, opened, target));
    loop.run();
    EXPECT_FALSE(running.done());
    opened.open();
    loop.run();
    running.get();
    EXPECT_EQ(target, 8);
}

TEST(when_all_settled, of_a_range_gives_outcomes_in_its_order) {
    test::manual_loop loop;
    const auto even_only = [](int value) -> task<int> {
        co_await yield();
        if (value % 2 != 0)
            throw std::runtime_error("odd");
        co_return value;
    };
    const auto work = [](auto make) -> task<int> {
        std::vector<task<int>> tasks;
        for (int at = 0; at < 10; ++at)
            tasks.push_back(make(at));
        int sum = 0;
        for (const settled<int>& outcome : co_await when_all_settled(std::move(tasks)))
            sum += outcome ? *outcome : 100;
        co_return sum;
    };
    auto running = spawn(work(even_only));
    loop.run();
    EXPECT_EQ(running.get(), 520);
}

}  // namespace
}  // namespace eddy::when_all_settled_test
