// A runtime that ends takes every task with it, wherever it waits: its destructors run, and nothing stays
// open.

#include "support/counted_object.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"
#include "support/stream_pair.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/offload.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::runtime_end_test {
namespace {

using namespace std::chrono_literals;
using test::counted_object;

task<> asleep(counted_object) {
    co_await sleep_for(24h);
}

task<> yielding(counted_object) {
    for (;;)
        co_await yield();
}

task<> awaiting_a_child(counted_object, std::atomic<int>& count) {
    auto child = spawn(asleep(counted_object(count)));
    co_await child;
}

task<> offloading(counted_object, std::atomic<int>& count) {
    auto function = [held = counted_object(count)] {
        const auto end = clock::now() + 20ms;
        while (clock::now() < end) {
        }
    };
    co_await offload(std::move(function));
}

task<> awaiting_a_remote_task(counted_object, std::atomic<int>& count, std::size_t place) {
    auto remote = runtime::current().spawn_on(place, asleep(counted_object(count)));
    co_await remote;
}

task<> accepting(counted_object) {
    auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    auto stream = co_await listener.accept();
}

task<> accepting_what_nobody_takes(counted_object) {
    auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    auto first = co_await tcp_stream::connect(listener.local_endpoint());
    auto taken = co_await listener.accept();
    auto second = co_await tcp_stream::connect(listener.local_endpoint());
    co_await sleep_for(24h);
}

// Connections beyond the backlog do not come about until it is emptied, which is never.
task<> connecting_for_ever(counted_object) {
    auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1));
    std::vector<handle<tcp_stream>> connecting;
    for (int at = 0; at < 8; ++at)
        connecting.push_back(spawn(tcp_stream::connect(listener.local_endpoint())));
    co_await sleep_for(24h);
}

task<> reading_leased(counted_object) {
    auto pair = co_await test::connected_streams();
    auto lease = co_await pair.server.read_leased();
}

task<> reading_in_place(counted_object) {
    auto pair = co_await test::connected_streams();
    std::array<std::byte, 16> memory;
    co_await pair.server.read(memory);
}

task<> with_unread_bytes(counted_object) {
    auto pair = co_await test::connected_streams();
    co_await pair.client.write_all(as_bytes("first"));
    auto lease = co_await pair.server.read_leased();
    co_await pair.client.write_all(as_bytes("second"));
    co_await sleep_for(24h);
}

task<> writing_to_who_does_not_read(counted_object) {
    auto pair = co_await test::connected_streams();
    const std::vector<std::byte> much(16 * 1024 * 1024);
    co_await pair.client.write_all(much);
}

task<> writing_vectored(counted_object) {
    auto pair = co_await test::connected_streams();
    const std::vector<std::byte> much(16 * 1024 * 1024);
    std::array<const_buffer, 2> buffers{const_buffer(much), const_buffer(much)};
    co_await pair.client.write_all(buffers);
}

void start_all(std::atomic<int>& living, std::size_t other) {
    const auto counted = [&living] { return counted_object(living); };
    spawn(asleep(counted())).detach();
    spawn(yielding(counted())).detach();
    spawn(awaiting_a_child(counted(), living)).detach();
    spawn(offloading(counted(), living)).detach();
    spawn(offloading(counted(), living)).detach();
    spawn(offloading(counted(), living)).detach();
    spawn(awaiting_a_remote_task(counted(), living, other)).detach();
    spawn(accepting(counted())).detach();
    spawn(accepting_what_nobody_takes(counted())).detach();
    spawn(connecting_for_ever(counted())).detach();
    spawn(reading_leased(counted())).detach();
    spawn(reading_in_place(counted())).detach();
    spawn(with_unread_bytes(counted())).detach();
    spawn(writing_to_who_does_not_read(counted())).detach();
    spawn(writing_vectored(counted())).detach();
}

task<> start_on_each(std::atomic<int>& living, int turns) {
    const auto here = [](std::size_t index, std::atomic<int>& count) -> task<> {
        start_all(count, (index + 1) % runtime::current().workers());
        co_return;
    };
    std::vector<remote_handle<>> started;
    for (std::size_t index = 0; index < runtime::current().workers(); ++index)
        started.push_back(runtime::current().spawn_on(index, here(index, living)));
    for (auto& each : started)
        co_await each;
    co_await test::turns(turns);
}

void expect_nothing_left(std::size_t workers) {
    std::atomic<int> living = 0;
    test::run_bounded(start_on_each(living, 100), runtime_options().workers(workers));
    EXPECT_EQ(living, 0);
    const std::size_t before = test::open_descriptors();
    // Every number of turns finds the tasks in other states of their waits.
    for (const int turns : {0, 1, 2, 3, 4, 5, 7, 10, 20, 50}) {
        test::run_bounded(start_on_each(living, turns), runtime_options().workers(workers));
        ASSERT_EQ(living, 0) << turns << " turns";
        ASSERT_EQ(test::open_descriptors(), before) << turns << " turns";
    }
}

TEST(end_of_a_runtime, drops_tasks_in_every_kind_of_wait) {
    expect_nothing_left(1);
}
TEST(end_of_a_runtime, drops_tasks_of_all_workers) {
    expect_nothing_left(3);
}

TEST(end_of_a_runtime, drops_tasks_when_main_throws) {
    std::atomic<int> living = 0;
    const auto main = [](std::atomic<int>& count) -> task<> {
        start_all(count, 0);
        co_await test::turns(5);
        throw std::runtime_error("enough");
    };
    EXPECT_THROW(test::run_bounded(main(living)), std::runtime_error);
    EXPECT_EQ(living, 0);
}

TEST(end_of_a_runtime, comes_without_a_run) {
    const test::time_bound bound;
    for (int round = 0; round < 50; ++round)
        runtime made(runtime_options().workers(3));
}

}  // namespace
}  // namespace eddy::runtime_end_test
