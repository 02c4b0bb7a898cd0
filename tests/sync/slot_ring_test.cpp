// What broadcast and watch promise of allocations, counted.

#include "support/allocation_counter.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/broadcast.hpp>
#include <eddy/sync/watch.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace eddy::slot_ring_test {
namespace {

constexpr int rounds = 1000;

task<> receive_always(broadcast_receiver<int> from, int& received) {
    while ([[maybe_unused]] const auto item = co_await from.recv())
        ++received;
}

task<> look_always(watch_receiver<int> at, int& seen) {
    while ([[maybe_unused]] const bool has_changed = co_await at.changed())
        seen += at.get();
}

TEST(slot_ring, a_broadcast_allocates_nothing_once_it_has_sent_as_much_as_it_keeps) {
    broadcast<int> news(4);
    for (int at = 0; at < 5; ++at)
        news.send(at);
    const std::uint64_t before = test::allocations();
    for (int at = 0; at < rounds; ++at)
        news.send(at);
    EXPECT_EQ(test::allocations() - before, 0U);
}

TEST(slot_ring, waiting_for_and_receiving_values_allocates_nothing) {
    std::uint64_t made = 0;
    int received = 0;
    const auto main = [](std::uint64_t& counted, int& got) -> task<> {
        broadcast<int> news(4);
        auto one = spawn(receive_always(news.subscribe(), got));
        auto other = spawn(receive_always(news.subscribe(), got));
        for (int at = 0; at < 5; ++at) {
            news.send(at);
            co_await yield();
        }
        const std::uint64_t before = test::allocations();
        for (int at = 0; at < rounds; ++at) {
            news.send(at);
            co_await yield();
        }
        counted = test::allocations() - before;
    };
    test::run_bounded(main(made, received));
    EXPECT_EQ(made, 0U);
    EXPECT_GE(received, 2 * rounds);
}

TEST(slot_ring, setting_and_watching_a_value_allocates_nothing) {
    std::uint64_t made = 0;
    int seen = 0;
    const auto main = [](std::uint64_t& counted, int& got) -> task<> {
        watch<int> state(0);
        auto one = spawn(look_always(state.subscribe(), got));
        auto other = spawn(look_always(state.subscribe(), got));
        co_await yield();
        state.set(0);
        const std::uint64_t before = test::allocations();
        for (int at = 0; at < rounds; ++at) {
            if (at % 2 == 0)
                state.set(1);
            else
                state.update([](int& value) { value = 1; });
            co_await yield();
        }
        counted = test::allocations() - before;
    };
    test::run_bounded(main(made, seen));
    EXPECT_GE(seen, 2 * rounds - 2);
    // An update looks at the old value while it publishes the new one, so a slot may come and go once.
    EXPECT_LE(made, 1U);
}

}  // namespace
}  // namespace eddy::slot_ring_test
