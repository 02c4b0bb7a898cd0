#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "testing/sample_scenarios.hpp"

#include <eddy/testing/resource_snapshot.hpp>

#include <gtest/gtest.h>

#include <future>

namespace eddy::resource_snapshot_test {
namespace {

using eddy::testing::difference;
using eddy::testing::resource_snapshot;

task<> sleeps_for_long() {
    co_await sleep_for(std::chrono::hours(1));
}

task<std::string> difference_by_a_sleeping_task() {
    const resource_snapshot before = resource_snapshot::take();
    spawn(sleeps_for_long()).detach();
    co_await test::turns(2);
    co_return difference(before, resource_snapshot::take());
}

TEST(a_resource_snapshot, counts_a_detached_task_and_its_timer) {
    EXPECT_EQ(test::run_bounded(difference_by_a_sleeping_task()), "frames +2, detached jobs +1, timers +1");
}

task<std::string> difference_by_a_ready_task() {
    const resource_snapshot before = resource_snapshot::take();
    auto made = spawn(sleeps_for_long());
    co_return difference(before, resource_snapshot::take());
}

TEST(a_resource_snapshot, counts_ready_jobs) {
    const std::string found = test::run_bounded(difference_by_a_ready_task());
    EXPECT_NE(found.find("ready jobs +1"), std::string::npos) << found;
}

task<> expect_connections_counted() {
    const resource_snapshot before = resource_snapshot::take();
    {
        auto pair = co_await test::connected_streams();
        co_await test::turns(3);
        const resource_snapshot open = resource_snapshot::take();
        EXPECT_EQ(open.connections, before.connections + 2);
        EXPECT_EQ(open.descriptors, before.descriptors + 2);
        EXPECT_EQ(open.buffers, before.buffers);
        EXPECT_EQ(open.operations, before.operations);
        const std::array<std::byte, 10> bytes{};
        co_await pair.client.write_all(bytes);
        const auto lease = co_await pair.server.read_leased();
        EXPECT_EQ(resource_snapshot::take().buffers, before.buffers + 1) << "a lease holds one";
    }
    while (resource_snapshot::take() != before)
        co_await test::turns(1);
}

TEST(a_resource_snapshot, counts_connections_and_leases_until_they_are_gone) {
    test::run_bounded(expect_connections_counted());
}

task<> reads(tcp_stream& stream) {
    static_cast<void>(co_await stream.read_leased());
}

task<std::size_t> operations_of_a_waiting_read() {
    auto pair = co_await test::connected_streams();
    co_await test::turns(3);
    const std::size_t before = resource_snapshot::take().operations;
    auto reading = spawn(reads(pair.server));
    co_await test::turns(2);
    co_return resource_snapshot::take().operations - before;
}

TEST(a_resource_snapshot, counts_operations_under_way) {
    EXPECT_EQ(test::run_bounded(operations_of_a_waiting_read()), 1U);
}

task<> waits_on_the_pool(std::shared_future<void> gate) {
    auto call = [gate = std::move(gate)] { gate.wait(); };
    auto awaited = offload(std::move(call));
    co_await std::move(awaited);
}

task<> expect_offloaded_counted() {
    const resource_snapshot before = resource_snapshot::take();
    std::promise<void> gate;
    auto waiting = spawn(waits_on_the_pool(gate.get_future().share()));
    co_await test::turns(1);
    EXPECT_EQ(resource_snapshot::take().offloaded, 1U);
    gate.set_value();
    co_await waiting;
    while (resource_snapshot::take().offloaded != 0)
        co_await test::turns(1);
    EXPECT_EQ(before.offloaded, 0U);
}

TEST(a_resource_snapshot, counts_offloaded_calls) {
    test::run_bounded(expect_offloaded_counted());
}

TEST(a_resource_snapshot, says_in_words_what_it_has_counted) {
    resource_snapshot counted;
    EXPECT_EQ(counted.to_string(), "nothing");
    counted.frames = 3;
    counted.timers = 1;
    EXPECT_EQ(counted.to_string(), "frames 3, timers 1");
    EXPECT_EQ(difference(counted, counted), "");
}

TEST(a_resource_snapshot, of_several_workers_adds_up_what_is_each_ones_own) {
    resource_snapshot sum;
    sum.frames = 1;
    sum.descriptors = 5;
    resource_snapshot other;
    other.frames = -1;
    other.operations = 2;
    other.descriptors = 5;
    sum += other;
    EXPECT_EQ(sum.to_string(), "operations 2, descriptors 5");
}

}  // namespace
}  // namespace eddy::resource_snapshot_test
