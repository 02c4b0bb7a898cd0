// Whatever is dropped on a stream, nothing stays behind.

#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

namespace eddy::stream_test {
namespace {

using test::connected_streams;
using test::run_bounded;

/// How far an operation has come when it is dropped.
enum class moment { not_started, queued, in_flight, long_in_flight };
constexpr std::array moments{moment::not_started, moment::queued, moment::in_flight, moment::long_in_flight};

task<> reach(moment wanted) {
    if (wanted == moment::queued)
        co_await yield();
    if (wanted == moment::in_flight)
        co_await test::turns(1);
    if (wanted == moment::long_in_flight)
        co_await test::turns(10);
}

task<> read_in_place(tcp_stream& stream) {
    std::array<std::byte, 64> memory;
    co_await stream.read(memory);
}

task<> read_leased(tcp_stream& stream) {
    auto lease = co_await stream.read_leased();
}

task<> write_much(tcp_stream& stream) {
    const std::vector<std::byte> bytes(16U << 20);
    co_await stream.write_all(bytes);
}

task<> write_much_vectored(tcp_stream& stream) {
    const std::vector<std::byte> bytes(8U << 20);
    std::array<const_buffer, 2> buffers{const_buffer(bytes), const_buffer(bytes)};
    co_await stream.write_all(buffers);
}

using operation_on_stream = task<> (*)(tcp_stream&);

class dropped_operation : public ::testing::TestWithParam<operation_on_stream> {};

TEST_P(dropped_operation, leaves_nothing_behind_at_any_moment) {
    const auto main = [](operation_on_stream operation) -> task<> {
        co_await connected_streams();
        co_await test::turns(2);
        const std::size_t before = test::open_descriptors();
        for (const moment when : moments) {
            for (int round = 0; round < 20; ++round) {
                auto pair = co_await connected_streams();
                auto dropped = spawn(operation(pair.server));
                co_await reach(when);
                EXPECT_FALSE(dropped.done());
                dropped.cancel();
            }
            co_await test::turns(3);
            EXPECT_EQ(test::open_descriptors(), before) << static_cast<int>(when);
            EXPECT_EQ(runtime::current().metrics(0).connections, 0u);
        }
    };
    run_bounded(main(GetParam()));
}

TEST_P(dropped_operation, goes_with_the_task_that_owns_its_stream) {
    const auto owner = [](operation_on_stream operation) -> task<> {
        auto pair = co_await connected_streams();
        co_await operation(pair.server);
    };
    const auto main = [](auto own, operation_on_stream operation) -> task<> {
        const std::size_t before = test::open_descriptors();
        for (int turns = 0; turns < 12; ++turns) {
            auto dropped = spawn(own(operation));
            co_await test::turns(turns);
        }
        co_await test::turns(3);
        EXPECT_EQ(test::open_descriptors(), before);
    };
    run_bounded(main(owner, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(tcp_stream, dropped_operation,
                         ::testing::Values(&read_in_place, &read_leased, &write_much, &write_much_vectored));

}  // namespace
}  // namespace eddy::stream_test
