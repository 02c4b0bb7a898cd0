// What the design promises of a connection in steady state, counted.

#include "support/allocation_counter.hpp"
#include "support/plain_socket.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace eddy::steady_state_test {
namespace {

struct reading {
    std::uint64_t allocations;
    worker_metrics metrics;
    static reading now() { return {test::allocations(), runtime::current().metrics(0)}; }
};

enum class ways { leased, in_place };

constexpr int warm_up_messages = 200;
constexpr int messages = 5000;
constexpr std::size_t message_bytes = 128;

task<> echo_message(tcp_stream& stream, ways way) {
    std::array<std::byte, message_bytes> memory;
    for (std::size_t count = 0; count < message_bytes;) {
        if (way == ways::leased) {
            const auto lease = co_await stream.read_leased();
            co_await stream.write_all(lease.bytes());
            count += lease.size();
        } else {
            const std::size_t size = co_await stream.read(memory);
            co_await stream.write_all(std::span(memory).first(size));
            count += size;
        }
    }
}

task<> measured_echo(tcp_listener& listener, ways way, reading& before, reading& after) {
    auto stream = co_await listener.accept();
    for (int at = 0; at < warm_up_messages; ++at)
        co_await echo_message(stream, way);
    before = reading::now();
    for (int at = 0; at < messages; ++at)
        co_await echo_message(stream, way);
    after = reading::now();
}

class echo_in_steady_state : public ::testing::TestWithParam<ways> {};

TEST_P(echo_in_steady_state, allocates_nothing_and_seldom_enters_the_kernel) {
    reading before{};
    reading after{};
    const auto main = [](ways way, reading& first, reading& last) -> task<std::string> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        bool was_answered = true;
        std::thread client([&was_answered, port = listener.local_endpoint().port()] {
            auto socket = test::plain_socket::connect(port);
            std::array<char, message_bytes> message{};
            for (int at = 0; at < warm_up_messages + messages; ++at)
                was_answered = was_answered && socket.send_all(message.data(), message.size()) &&
                               socket.receive_exactly(message.data(), message.size());
        });
        co_await measured_echo(listener, way, first, last);
        client.join();
        EXPECT_TRUE(was_answered);
        co_return std::string(runtime::current().backend_name());
    };
    const std::string backend = test::run_bounded(main(GetParam(), before, after));

    // Sanitizers see every frame, so they are no part of the promise.
    if (!EDDY_SANITIZED) {
        EXPECT_EQ(after.allocations - before.allocations, 0u);
    }
    const auto entries = after.metrics.backend.kernel_entries - before.metrics.backend.kernel_entries;
    const auto turns = after.metrics.turns - before.metrics.turns;
    std::printf("%s: per message %.2f turns, %.2f kernel entries\n", backend.c_str(),
                static_cast<double>(turns) / messages, static_cast<double>(entries) / messages);
    // A send that goes at once and an entry that waits; now and then a read that is tried too early.
    if (backend == "io_uring") {
        EXPECT_LE(entries, 5u * messages / 2);
    }
    // A message is a receive and a send, and on epoll a wait and at times a try that comes too early.
    EXPECT_LE(entries, 5u * messages);
    EXPECT_LE(turns, 4u * messages);
}

INSTANTIATE_TEST_SUITE_P(reading, echo_in_steady_state, ::testing::Values(ways::leased, ways::in_place),
                         [](const auto& instance) {
                             return instance.param == ways::leased ? "leased" : "in_place";
                         });

#if !EDDY_SANITIZED

task<int> number(int value) {
    co_return value;
}

TEST(steady_state, of_tasks_and_timers_allocates_nothing) {
    const auto round = []() -> task<> {
        int sum = 0;
        for (int at = 0; at < 100; ++at)
            sum += co_await number(at);
        auto started = spawn(number(sum));
        co_await started;
        co_await sleep_for(std::chrono::microseconds(10));
    };
    const auto main = [](auto work) -> task<std::uint64_t> {
        for (int at = 0; at < 10; ++at)
            co_await work();
        const auto before = test::allocations();
        for (int at = 0; at < 100; ++at)
            co_await work();
        co_return test::allocations() - before;
    };
    EXPECT_EQ(test::run_bounded(main(round)), 0u);
}

TEST(steady_state, of_accepting_and_closing_allocates_nothing) {
    const auto main = []() -> task<std::uint64_t> {
        auto listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        std::uint64_t before = 0;
        for (int at = 0; at < 300; ++at) {
            if (at == 100)
                before = test::allocations();
            auto client = co_await tcp_stream::connect(listener.local_endpoint());
            auto server = co_await listener.accept();
            co_await client.write_all(as_bytes("x"));
            auto lease = co_await server.read_leased();
        }
        co_return test::allocations() - before;
    };
    EXPECT_EQ(test::run_bounded(main()), 0u);
}

#endif

}  // namespace
}  // namespace eddy::steady_state_test
