#include "support/allocation_counter.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/channel.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace eddy::channel_operations_test {
namespace {

task<> send_numbers(channel<int>& target, int count) {
    for (int at = 0; at < count; ++at)
        static_cast<void>(co_await target.send(at));
}
task<> receive_numbers(channel<int>& source, int count) {
    for (int at = 0; at < count; ++at)
        static_cast<void>(co_await source.recv());
}

TEST(sending_and_receiving, allocate_nothing_once_the_ring_has_grown) {
    const auto main = [](std::size_t capacity) -> task<> {
        channel<int> numbers(capacity);
        auto sending = spawn(send_numbers(numbers, 10'000));
        auto receiving = spawn(receive_numbers(numbers, 10'000));
        for (int at = 0; at < 10; ++at)
            co_await yield();
        const std::uint64_t before = test::allocations();
        co_await receiving;
        EXPECT_EQ(test::allocations(), before);
        co_await sending;
    };
    for (const std::size_t capacity : {0U, 1U, 16U})
        test::run_bounded(main(capacity));
}

TEST(waiting, allocates_nothing) {
    const auto main = []() -> task<> {
        channel<int> numbers(4);
        auto receiving = spawn(receive_numbers(numbers, 1));
        const std::uint64_t before = test::allocations();
        co_await yield();
        EXPECT_EQ(test::allocations(), before);
        numbers.close();
        co_await receiving;
    };
    test::run_bounded(main());
}

}  // namespace
}  // namespace eddy::channel_operations_test
