#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_datagram.hpp>
#include <eddy/net/local_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <unistd.h>

namespace eddy::local_datagram_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

TEST(local_datagram, says_where_it_comes_from) {
    const auto main = []() -> task<> {
        local_datagram server = local_datagram::bind(local_endpoint());
        local_datagram client = local_datagram::bind(local_endpoint());
        std::array<std::byte, 16> memory{};
        co_await client.send_to(as_bytes("question"), server.local_endpoint());
        const auto question = co_await server.receive_from(memory);
        EXPECT_EQ(question.size, 8U);
        EXPECT_EQ(question.from, client.local_endpoint());
        co_await server.send_to(as_bytes("answer"), question.from);
        const std::size_t size = co_await client.receive(memory);
        EXPECT_EQ(as_text(std::span(memory).first(size)), "answer");
    };
    run_bounded(main());
}

/// Sends numbers until a hundred times what a queue holds (net.unix.max_dgram_qlen) have gone.
constexpr std::uint32_t many = 1000;

TEST(local_datagram, waits_for_a_full_peer_and_loses_nothing) {
    const auto main = []() -> task<> {
        local_datagram server = local_datagram::bind(local_endpoint());
        local_datagram connected = local_datagram::connected_to(server.local_endpoint());
        local_datagram unconnected = local_datagram::bind(local_endpoint());
        for (const bool has_peer : {true, false}) {
            const auto send = [&]() -> task<> {
                for (std::uint32_t number = 0; number < many; ++number) {
                    const auto bytes = std::as_bytes(std::span(&number, 1));
                    if (has_peer)
                        co_await connected.send(bytes);
                    else
                        co_await unconnected.send_to(bytes, server.local_endpoint());
                }
            };
            auto sending = spawn(send());
            for (int turns = 0; turns < 50; ++turns)
                co_await yield();
            EXPECT_FALSE(sending.done()) << "the queue never was full";
            for (std::uint32_t number = 0; number < many; ++number) {
                std::uint32_t received = 0;
                const std::size_t size = co_await with_timeout(
                    server.receive(std::as_writable_bytes(std::span(&received, 1))), 30s);
                EXPECT_EQ(size, sizeof(received));
                EXPECT_EQ(received, number);
            }
            co_await sending;
        }
    };
    run_bounded(main());
}

TEST(local_datagram, gives_a_message_to_the_next_receive_when_one_is_dropped) {
    const auto main = []() -> task<> {
        auto [left, right] = datagram_pair();
        std::array<std::byte, 8> memory{};
        for (std::uint8_t round = 0; round < 50; ++round) {
            {
                const auto receive = [&]() -> task<> { co_await right.receive_from(memory); };
                auto dropped = spawn(receive());
                for (int turns = 0; turns < round % 5; ++turns)
                    co_await yield();
                const std::array<std::byte, 1> byte{std::byte{round}};
                co_await left.send(byte);
                if (dropped.done())
                    continue;
            }
            memory.fill(std::byte{0xff});
            const auto received = co_await with_timeout(right.receive_message(memory), 30s);
            EXPECT_EQ(received.size, 1U);
            EXPECT_EQ(memory[0], std::byte{round});
        }
    };
    run_bounded(main());
}

TEST(local_datagram, brings_credentials_and_descriptors) {
    const auto main = []() -> task<> {
        auto [left, right] = datagram_pair();
        right.set_option(io::socket_option::pass_credentials, 1);
        const std::array<int, 1> passed{STDERR_FILENO};
        co_await left.send_message(as_bytes("x"), passed);
        std::array<std::byte, 8> memory{};
        const auto received = co_await right.receive_message(memory);
        EXPECT_EQ(received.descriptors.size(), 1U);
        const peer_credentials ours{::getpid(), ::getuid(), ::getgid()};
        EXPECT_TRUE(received.credentials == ours);
    };
    run_bounded(main());
}

TEST(local_datagram, says_to_whom_it_cannot_send) {
    const auto main = []() -> task<> {
        local_datagram socket = local_datagram::bind(local_endpoint());
        const auto nobody = local_endpoint::path("/nonexistent/socket");
        const auto refused = co_await as_result(socket.send_to(as_bytes("x"), nobody));
        EXPECT_EQ(refused.error(), std::errc::no_such_file_or_directory);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::local_datagram_test
