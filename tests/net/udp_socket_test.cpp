#include "support/free_port.hpp"
#include "support/ipv6.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/udp_socket.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace eddy::udp_socket_test {
namespace {

using namespace std::chrono_literals;
using test::run_bounded;

constexpr auto long_wait = 30s;

udp_socket at_loopback() {
    return udp_socket::bind(endpoint::loopback_ipv4(0));
}

std::string_view text_of(std::span<const std::byte> bytes, std::size_t size) {
    return as_text(bytes.first(size));
}

TEST(udp_socket, asks_and_answers_over_both_families) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        for (const endpoint& at : {endpoint::loopback_ipv4(0), endpoint::loopback_ipv6(0)}) {
            udp_socket client = udp_socket::bind(at);
            udp_socket server = udp_socket::bind(at);
            std::array<std::byte, 64> memory{};
            const std::size_t sent = co_await client.send_to(as_bytes("question"), server.local_endpoint());
            EXPECT_EQ(sent, 8U);
            const auto question = co_await server.receive_from(memory);
            EXPECT_EQ(text_of(memory, question.size), "question");
            EXPECT_EQ(question.from, client.local_endpoint());
            EXPECT_FALSE(question.is_truncated);
            co_await server.send_to(as_bytes("answer"), question.from);
            const auto answer = co_await client.receive_from(memory);
            EXPECT_EQ(text_of(memory, answer.size), "answer");
        }
    };
    run_bounded(main());
}

TEST(udp_socket, hears_only_its_peer_once_it_has_one) {
    const auto main = []() -> task<> {
        udp_socket peer = at_loopback();
        udp_socket stranger = at_loopback();
        udp_socket client = udp_socket::connected_to(peer.local_endpoint());
        EXPECT_EQ(client.remote_endpoint(), peer.local_endpoint());
        co_await stranger.send_to(as_bytes("noise"), client.local_endpoint());
        co_await peer.send_to(as_bytes("word"), client.local_endpoint());
        std::array<std::byte, 64> memory{};
        const std::size_t size = co_await client.receive(memory);
        EXPECT_EQ(text_of(memory, size), "word");
        co_await client.send(as_bytes("reply"));
        const auto reply = co_await peer.receive_from(memory);
        EXPECT_EQ(text_of(memory, reply.size), "reply");
        EXPECT_EQ(reply.from, client.local_endpoint());
    };
    run_bounded(main());
}

TEST(udp_socket, tells_what_did_not_fit_and_takes_empty_datagrams) {
    const auto main = [](bool is_waited_for) -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        std::array<std::byte, 4> memory{};
        auto waiting = spawn([](udp_socket& by, std::span<std::byte> out) -> task<udp_socket::received> {
            co_return co_await by.receive_from(out);
        }(to, memory));
        if (is_waited_for)
            co_await test::turns(2);
        co_await from.send_to(as_bytes("0123456789"), to.local_endpoint());
        co_await from.send_to({}, to.local_endpoint());
        const udp_socket::received cut = co_await waiting;
        EXPECT_EQ(text_of(memory, cut.size), "0123");
        EXPECT_TRUE(cut.is_truncated);
        EXPECT_EQ(cut.from, from.local_endpoint());
        const auto empty = co_await to.receive_from(memory);
        EXPECT_EQ(empty.size, 0U);
        EXPECT_FALSE(empty.is_truncated);
    };
    for (const bool is_waited_for : {false, true})
        run_bounded(main(is_waited_for));
}

TEST(udp_socket, sends_empty_datagrams_to_its_peer_and_is_told_how_much_of_one_fitted) {
    const auto main = []() -> task<> {
        udp_socket peer = at_loopback();
        udp_socket client = udp_socket::connected_to(peer.local_endpoint());
        std::array<std::byte, 4> memory{};
        EXPECT_EQ(co_await client.send({}), 0U);
        EXPECT_EQ(co_await client.send(as_bytes("0123456789")), 10U);
        EXPECT_EQ(co_await peer.receive(memory), 0U);
        EXPECT_EQ(co_await peer.receive(memory), 4U);
    };
    run_bounded(main());
}

TEST(udp_socket, refuses_what_no_datagram_holds) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        const std::vector<std::byte> large(70'000);
        const auto refused = co_await as_result(from.send_to(large, from.local_endpoint()));
        EXPECT_EQ(refused.error(), std::errc::message_size);
        from.connect(from.local_endpoint());
        const auto refused_to_peer = co_await as_result(from.send(large));
        EXPECT_EQ(refused_to_peer.error(), std::errc::message_size);
    };
    run_bounded(main());
}

TEST(udp_socket, learns_that_nobody_listens_at_its_peer) {
    const auto main = []() -> task<> {
        std::optional<udp_socket> gone(udp_socket::bind(endpoint::loopback_ipv4(test::free_port())));
        udp_socket client = udp_socket::connected_to(gone->local_endpoint());
        gone.reset();
        co_await test::turns(3);  // the descriptor is closed in a turn of the worker's
        co_await client.send(as_bytes("anybody?"));
        std::array<std::byte, 16> memory{};
        const auto refused = co_await as_result(with_timeout(client.receive(memory), long_wait));
        EXPECT_EQ(refused.error(), std::errc::connection_refused);
    };
    run_bounded(main());
}

TEST(udp_socket, gives_a_datagram_to_the_next_receive_when_one_is_dropped) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        std::array<std::byte, 16> memory{};
        for (std::uint8_t round = 0; round < 50; ++round) {
            {
                std::array<std::byte, 16> dropped_memory{};
                const auto receive = [&]() -> task<> { co_await to.receive_from(dropped_memory); };
                auto dropped = spawn(receive());
                for (int turns = 0; turns < round % 5; ++turns)
                    co_await yield();
                const std::array<std::byte, 1> byte{std::byte{round}};
                co_await from.send_to(byte, to.local_endpoint());
                if (dropped.done())
                    continue;
            }
            const auto received = co_await with_timeout(to.receive_from(memory), long_wait);
            EXPECT_EQ(received.size, 1U);
            EXPECT_EQ(memory[0], std::byte{round});
            EXPECT_EQ(received.from, from.local_endpoint());
        }
    };
    run_bounded(main());
}

TEST(udp_socket, tells_that_a_datagram_of_a_dropped_receive_does_not_fit_into_the_next) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        for (int round = 0; round < 50; ++round) {
            {
                std::array<std::byte, 16> dropped_memory{};
                const auto receive = [&]() -> task<> { co_await to.receive_from(dropped_memory); };
                auto dropped = spawn(receive());
                for (int turns = 0; turns < round % 5; ++turns)
                    co_await yield();
                co_await from.send_to(as_bytes("too long"), to.local_endpoint());
                if (dropped.done())
                    continue;
            }
            std::array<std::byte, 3> memory{};
            const auto received = co_await with_timeout(to.receive_from(memory), long_wait);
            EXPECT_EQ(received.size, 3U);
            EXPECT_TRUE(received.is_truncated);
        }
    };
    run_bounded(main());
}

TEST(udp_socket, ends_what_waits_on_it_when_it_is_closed) {
    const auto main = []() -> task<> {
        udp_socket socket = at_loopback();
        std::array<std::byte, 16> memory{};
        const auto receive = [&]() -> task<> {
            const auto ended = co_await as_result(socket.receive_from(memory));
            EXPECT_EQ(ended.error(), std::errc::operation_canceled);
        };
        auto receiving = spawn(receive());
        co_await test::turns(5);
        socket.close();
        co_await receiving;
        EXPECT_FALSE(socket.is_open());
        const auto late = co_await as_result(socket.receive_from(memory));
        EXPECT_EQ(late.error(), std::errc::operation_canceled);
        const auto sent = co_await as_result(socket.send_to(as_bytes("x"), endpoint::loopback_ipv4(9)));
        EXPECT_EQ(sent.error(), std::errc::operation_canceled);
    };
    run_bounded(main());
}

TEST(udp_socket, ends_a_batch_that_waits_when_it_is_closed) {
    const auto main = []() -> task<> {
        udp_socket socket = at_loopback();
        datagram_batch batch(4, 16);
        const auto receive = [&]() -> task<> {
            const auto ended = co_await as_result(socket.receive_batch(batch));
            EXPECT_EQ(ended.error(), std::errc::operation_canceled);
        };
        auto receiving = spawn(receive());
        co_await test::turns(5);
        socket.close();
        co_await receiving;
    };
    run_bounded(main());
}

TEST(udp_socket, sends_from_many_tasks_at_once) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        const auto send = [&](int number) -> task<> {
            const std::string text = std::to_string(number);
            co_await from.send_to(as_bytes(text), to.local_endpoint());
        };
        std::vector<handle<void>> sending;
        for (int number = 0; number < 20; ++number)
            sending.push_back(spawn(send(number)));
        int sum = 0;
        std::array<std::byte, 16> memory{};
        for (int count = 0; count < 20; ++count) {
            const auto received = co_await with_timeout(to.receive_from(memory), long_wait);
            sum += std::stoi(std::string(text_of(memory, received.size)));
        }
        EXPECT_EQ(sum, 190);
        for (auto& each : sending)
            co_await each;
    };
    run_bounded(main());
}

TEST(udp_socket, sends_and_receives_in_batches) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        to.set_option(io::socket_option::receive_buffer_bytes, 1 << 20);
        constexpr std::size_t total = 200;
        std::vector<std::array<std::byte, 8>> contents(total);
        std::vector<outgoing_datagram> sent;
        for (std::size_t number = 0; number < total; ++number) {
            contents[number].fill(static_cast<std::byte>(number));
            sent.emplace_back(contents[number], to.local_endpoint());
        }
        datagram_batch batch(64, 4);
        const auto first = [&]() -> task<std::size_t> { return to.receive_batch(batch); };
        auto waiting = spawn(first());
        co_await test::turns(5);
        co_await from.send_batch(sent);
        std::size_t received = co_await waiting;
        EXPECT_GT(received, 0U);
        for (std::size_t seen = 0; seen < total;) {
            for (std::size_t index = 0; index < batch.size(); ++index, ++seen) {
                EXPECT_EQ(batch.bytes(index).size(), 4U);
                EXPECT_EQ(batch.bytes(index)[3], static_cast<std::byte>(seen));
                EXPECT_TRUE(batch.is_truncated(index));
                EXPECT_EQ(batch.from(index), from.local_endpoint());
            }
            if (seen < total) {
                received = co_await with_timeout(to.receive_batch(batch), long_wait);
                EXPECT_GT(received, 0U);
            }
        }
    };
    run_bounded(main());
}

TEST(udp_socket, cuts_bytes_into_datagrams_and_puts_them_together) {
    const auto main = []() -> task<> {
        udp_socket from = at_loopback();
        udp_socket to = at_loopback();
        to.set_option(io::socket_option::receive_buffer_bytes, 1 << 20);
        std::vector<std::byte> sent(10'050);
        test::fill_numbered(sent, 0);
        for (const bool is_joined : {false, true}) {
            to.receive_segments(is_joined);
            co_await from.send_segments(sent, 100, to.local_endpoint());
            std::vector<std::byte> memory(65'536);
            std::size_t total = 0;
            while (total < sent.size()) {
                const auto received = co_await with_timeout(to.receive_from(memory), long_wait);
                const std::size_t each = received.segment_bytes != 0 ? received.segment_bytes : received.size;
                EXPECT_EQ(each, std::min<std::size_t>(100, sent.size() - total));
                EXPECT_TRUE(is_joined || received.segment_bytes == 0);
                const auto bytes = std::span(memory).first(received.size);
                EXPECT_EQ(test::count_numbered(bytes, total), received.size);
                total += received.size;
            }
        }
    };
    run_bounded(main());
}

TEST(udp_socket, broadcasts_once_that_is_allowed) {
    const auto main = []() -> task<> {
        udp_socket socket = udp_socket::bind(endpoint::any_ipv4(0));
        const endpoint all = endpoint::ipv4({127, 255, 255, 255}, socket.local_endpoint().port());
        const auto refused = co_await as_result(socket.send_to(as_bytes("x"), all));
        EXPECT_EQ(refused.error(), std::errc::permission_denied);
        socket.set_option(io::socket_option::broadcast, 1);
        co_await socket.send_to(as_bytes("hello"), all);
        std::array<std::byte, 16> memory{};
        const auto heard = co_await with_timeout(socket.receive_from(memory), long_wait);
        EXPECT_EQ(text_of(memory, heard.size), "hello");
    };
    run_bounded(main());
}

task<> send_batches_until(udp_socket& by, const bool& is_over) {
    const std::vector<outgoing_datagram> batch(4, outgoing_datagram(as_bytes("again")));
    while (!is_over)
        co_await by.send_batch(batch);
}

TEST(udp_socket, sends_batches_without_keeping_others_from_their_turn) {
    const auto main = []() -> task<> {
        udp_socket server = at_loopback();
        udp_socket client = udp_socket::connected_to(server.local_endpoint());
        bool is_over = false;
        auto sending = spawn(send_batches_until(client, is_over));
        datagram_batch batch(8, 16);
        const std::size_t count = co_await server.receive_batch(batch);
        EXPECT_GT(count, 0U);
        co_await sleep_for(1ms);
        is_over = true;
        co_await sending;
    };
    run_bounded(main());
}

TEST(udp_socket, sets_hops_for_its_own_family) {
    if (!test::has_ipv6())
        GTEST_SKIP() << test::needs_ipv6;
    const auto main = []() -> task<> {
        for (const endpoint& at : {endpoint::loopback_ipv4(0), endpoint::loopback_ipv6(0)}) {
            udp_socket socket = udp_socket::bind(at);
            socket.set_option(io::socket_option::hops_max, 7);
            EXPECT_EQ(socket.get_option(io::socket_option::hops_max), 7);
        }
        co_return;
    };
    run_bounded(main());
}

TEST(udp_socket, says_where_it_cannot_bind) {
    const auto main = []() -> task<> {
        udp_socket socket = at_loopback();
        try {
            static_cast<void>(udp_socket::bind(socket.local_endpoint()));
            ADD_FAILURE() << "two sockets have one port";
        } catch (const std::system_error& refused) {
            EXPECT_EQ(refused.code(), std::errc::address_in_use);
            const std::string where = socket.local_endpoint().to_string();
            EXPECT_NE(std::string_view(refused.what()).find(where), std::string_view::npos);
        }
        co_return;
    };
    run_bounded(main());
}

TEST(udp_socket, leaves_time_to_others_though_it_never_waits) {
    const auto main = []() -> task<> {
        udp_socket socket = at_loopback();
        const std::vector<outgoing_datagram> sent(1,
                                                  outgoing_datagram(as_bytes("x"), socket.local_endpoint()));
        std::size_t rounds = 0;
        const auto go_round = [&]() -> task<> {
            datagram_batch batch(4, 16);
            for (;; ++rounds) {
                co_await socket.send_batch(sent);
                co_await socket.receive_batch(batch);
            }
        };
        auto going = spawn(go_round());
        co_await sleep_for(1ms);
        while (rounds < 100)
            co_await sleep_for(1ms);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::udp_socket_test
