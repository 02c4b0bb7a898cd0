#include "support/gate.hpp"
#include "support/manual_loop.hpp"

#include <eddy/combine/race_ok.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::race_ok_test {
namespace {

task<int> fail(std::string message) {
    co_await yield();
    throw std::runtime_error(message);
}
task<int> fail_oddly() {
    co_await yield();
    throw 3;
}
task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}

TEST(race_ok, gives_the_first_success_after_failures_and_drops_the_rest) {
    test::manual_loop loop;
    test::gate opened;
    test::gate never;
    const auto work = [](test::gate& first, test::gate& second) -> task<std::variant<int, int, int>> {
        co_return co_await race_ok(fail("a"), number_after(first, 2), number_after(second, 3));
    };
    auto running = spawn(work(opened, never));
    loop.run();
    EXPECT_FALSE(running.done());
    opened.open();
    loop.run();
    const auto winner = running.get();
    EXPECT_EQ(winner.index(), 1u);
    EXPECT_EQ(std::get<1>(winner), 2);
    EXPECT_FALSE(never.has_waiter());
}

TEST(race_ok, reports_all_failures_together) {
    test::manual_loop loop;
    const auto work = []() -> task<> { co_await race_ok(fail("a"), fail_oddly(), fail("c")); };
    auto running = spawn(work());
    loop.run();
    try {
        running.get();
        ADD_FAILURE() << "nothing thrown";
    } catch (const all_failed& caught) {
        EXPECT_EQ(caught.errors().size(), 3u);
        EXPECT_STREQ(caught.what(), "all 3 failed: a; an exception of unknown type; c");
        EXPECT_THROW(std::rethrow_exception(caught.errors()[1]), int);
    }
}

TEST(race_ok, of_a_range_gives_the_place_or_all_failures) {
    test::manual_loop loop;
    test::gate opened;
    const auto work = [](test::gate& gate) -> task<std::string> {
        std::vector<task<int>> some;
        some.push_back(fail("a"));
        some.push_back(number_after(gate, 5));
        const auto winner = co_await race_ok(std::move(some));
        std::vector<task<int>> bad;
        bad.push_back(fail("x"));
        bad.push_back(fail("y"));
        std::string reported = std::to_string(winner.index) + std::to_string(winner.value);
        try {
            co_await race_ok(std::move(bad));
        } catch (const all_failed& caught) {
            reported += caught.what();
        }
        co_return reported;
    };
    auto running = spawn(work(opened));
    loop.run();
    opened.open();
    loop.run();
    EXPECT_EQ(running.get(), "15all 2 failed: x; y");
}

TEST(race_ok, of_an_empty_range_fails) {
    test::manual_loop loop;
    const auto work = []() -> task<> { co_await race_ok(std::vector<task<int>>()); };
    auto running = spawn(work());
    loop.run();
    EXPECT_THROW(running.get(), all_failed);
}

}  // namespace
}  // namespace eddy::race_ok_test
