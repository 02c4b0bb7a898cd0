#include "support/gate.hpp"
#include "support/manual_loop.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace eddy::race_test {
namespace {

using namespace std::chrono_literals;

task<int> number_after(test::gate& opened, int value) {
    co_await opened;
    co_return value;
}
task<> nothing_after(test::gate& opened) {
    co_await opened;
}

TEST(race, gives_the_first_to_finish_and_drops_the_others) {
    test::manual_loop loop;
    std::array<test::gate, 3> gates;
    const auto work = [](std::array<test::gate, 3>& held) -> task<std::variant<int, std::monostate, int>> {
        co_return co_await race(number_after(held[0], 1), nothing_after(held[1]), number_after(held[2], 3));
    };
    auto running = spawn(work(gates));
    loop.run();
    EXPECT_TRUE(gates[0].has_waiter() && gates[1].has_waiter() && gates[2].has_waiter());
    gates[2].open();
    loop.run();
    const auto winner = running.get();
    EXPECT_EQ(winner.index(), 2u);
    EXPECT_EQ(std::get<2>(winner), 3);
    EXPECT_FALSE(gates[0].has_waiter() || gates[1].has_waiter());
}

TEST(race, of_a_range_gives_the_place_and_the_result) {
    test::manual_loop loop;
    std::array<test::gate, 3> gates;
    const auto work = [](std::array<test::gate, 3>& held) -> task<std::pair<std::size_t, int>> {
        std::vector<task<int>> tasks;
        for (std::size_t at = 0; at < held.size(); ++at)
            tasks.push_back(number_after(held[at], static_cast<int>(at) * 10));
        const race_winner<int> winner = co_await race(std::move(tasks));
        co_return std::pair(winner.index, winner.value);
    };
    auto running = spawn(work(gates));
    loop.run();
    gates[1].open();
    loop.run();
    EXPECT_EQ(running.get(), std::pair(std::size_t{1}, 10));
}

TEST(race, of_void_tasks_in_a_range_gives_the_place) {
    test::manual_loop loop;
    std::array<test::gate, 2> gates;
    const auto work = [](std::array<test::gate, 2>& held) -> task<std::size_t> {
        std::vector<task<>> tasks;
        for (test::gate& each : held)
            tasks.push_back(nothing_after(each));
        co_return (co_await race(std::move(tasks))).index;
    };
    auto running = spawn(work(gates));
    loop.run();
    gates[1].open();
    loop.run();
    EXPECT_EQ(running.get(), 1u);
}

TEST(race, is_won_by_an_exception_as_well) {
    test::manual_loop loop;
    test::gate never;
    const auto fail = []() -> task<int> {
        co_await yield();
        throw std::runtime_error("first");
    };
    const auto work = [](auto failing, test::gate& closed) -> task<> {
        co_await race(number_after(closed, 1), failing());
    };
    auto running = spawn(work(fail, never));
    loop.run();
    EXPECT_THROW(running.get(), std::runtime_error);
    EXPECT_FALSE(never.has_waiter());
}

TEST(race, gives_references_and_what_cannot_be_copied) {
    test::manual_loop loop;
    int target = 1;
    test::gate never;
    const auto refer = [](int& to) -> task<int&> { co_return to; };
    const auto own = [](test::gate& closed) -> task<std::unique_ptr<int>> {
        co_await closed;
        co_return std::make_unique<int>(1);
    };
    const auto work = [](auto first, auto second, int& to, test::gate& closed) -> task<> {
        auto winner = co_await race(first(to), second(closed));
        std::get<0>(winner).get() = 5;
    };
    auto running = spawn(work(refer, own, target, never));
    loop.run();
    running.get();
    EXPECT_EQ(target, 5);
}

TEST(race, drops_a_loser_that_was_about_to_go_on_before_it_does) {
    test::manual_loop loop;
    std::array<test::gate, 2> gates;
    bool went_on = false;
    const auto note = [](test::gate& opened, bool& noted) -> task<> {
        co_await opened;
        noted = true;
    };
    const auto work = [](auto second, std::array<test::gate, 2>& held, bool& noted) -> task<> {
        co_await race(nothing_after(held[0]), second(held[1], noted));
    };
    auto running = spawn(work(note, gates, went_on));
    loop.run();
    gates[0].open();
    gates[1].open();
    loop.run();
    running.get();
    EXPECT_FALSE(went_on);
}

TEST(a_race_between_reading_and_a_timer, loses_no_byte) {
    static constexpr std::size_t total = 20'000;
    const auto send = [](tcp_stream& out) -> task<> {
        std::array<std::byte, 100> bytes;
        for (std::size_t sent = 0; sent < total; sent += bytes.size()) {
            test::fill_numbered(bytes, sent);
            co_await out.write(bytes);
            co_await test::turns(1);
        }
        co_await out.shutdown();
    };
    const auto work = [](auto sender) -> task<> {
        auto streams = co_await test::connected_streams();
        auto sending = spawn(sender(streams.client));
        std::array<std::byte, 256> room;
        std::size_t received = 0;
        std::size_t timeouts = 0;
        for (bool at_end = false; !at_end;) {
            const auto winner = co_await race(streams.server.read(room), sleep_until(time_point::min()));
            if (winner.index() == 1) {
                ++timeouts;
                continue;
            }
            const std::size_t count = std::get<0>(winner);
            EXPECT_EQ(test::count_numbered(std::span(room).first(count), received), count);
            received += count;
            at_end = count == 0;
        }
        EXPECT_EQ(received, total);
        EXPECT_GT(timeouts, 0u);
        co_await sending;
    };
    test::run_bounded(work(send));
}

}  // namespace
}  // namespace eddy::race_test
