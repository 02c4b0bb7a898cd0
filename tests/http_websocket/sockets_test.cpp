#include "http_websocket/frames.hpp"
#include "support/no_allocation.hpp"
#include "support/numbered_text.hpp"
#include "support/run_bounded.hpp"
#include "support/seed.hpp"
#include "support/stream_pair.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/allocation_window.hpp>
#include <eddy/detail/build.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::http::sockets_test {
namespace {

using namespace eddy::http::test;
using eddy::test::between;
using eddy::test::run_bounded;

/// Both ends of a connection over TCP.
class tcp_websockets {
public:
    explicit tcp_websockets(eddy::test::stream_pair pair, const websocket_options& options = quiet_options(),
                            const websocket_agreement& agreed = {})
        : server(any_stream(std::move(pair.server)), websocket_role::server, options, agreed),
          client(any_stream(std::move(pair.client)), websocket_role::client, options, agreed) {}

    websocket server;
    websocket client;
};

task<> echo_all(websocket& socket) {
    while (auto message = co_await socket.receive())
        co_await socket.send(*std::move(message));
}

task<> send_numbered(websocket& socket, std::uint64_t seed, int count) {
    std::mt19937_64 generator(seed);
    for (int at = 0; at < count; ++at) {
        const std::string payload(between<std::size_t>(generator, 0, 30'000),
                                  static_cast<char>('a' + at % 26));
        co_await socket.send_binary(as_bytes(payload));
    }
}

task<> expect_numbered(websocket& socket, std::uint64_t seed, int count) {
    std::mt19937_64 generator(seed);
    for (int at = 0; at < count; ++at) {
        const std::string payload(between<std::size_t>(generator, 0, 30'000),
                                  static_cast<char>('a' + at % 26));
        const auto message = co_await socket.receive();
        EXPECT_TRUE(message && message->text() == payload) << at;
    }
}

TEST(messages_over_tcp, are_echoed_in_order) {
    std::mt19937_64 generator = eddy::test::seeded_generator();
    for (const bool deflates : {false, true})
        run_bounded([](std::uint64_t seed, bool compresses) -> task<> {
            websocket_agreement agreed;
            if (compresses)
                agreed = websocket_agreement({}, deflate_parameters());
            auto streams = co_await eddy::test::connected_streams();
            tcp_websockets pair(std::move(streams), quiet_options(), agreed);
            auto echoes = spawn(echo_all(pair.server));
            co_await when_all(send_numbered(pair.client, seed, 300), expect_numbered(pair.client, seed, 300));
            co_await pair.client.close();
            co_await std::move(echoes);
            EXPECT_EQ(pair.server.close_code(), websocket_close_code::normal);
        }(generator(), deflates));
}

// Part of the message was written at once: a control frame comes behind the rest of it.
TEST(a_ping_over_tcp, does_not_split_a_message_that_has_begun) {
    run_bounded([]() -> task<> {
        auto streams = co_await eddy::test::connected_streams();
        tcp_websockets pair(std::move(streams), quiet_options().message_bytes_max(1 << 25));
        const std::string large(20'000'000, 'l');
        auto sending = spawn([](websocket& socket, const std::string& payload) -> task<> {
            co_await socket.send_text(payload);
            co_await socket.send_text("next");
        }(pair.server, large));
        // Runs before the task that writes what is left.
        auto pinging = spawn([](websocket& socket) -> task<> {
            socket.ping(as_bytes("between"));
            co_return;
        }(pair.server));
        const auto first = co_await pair.client.receive();
        EXPECT_TRUE(first && first->text() == large);
        const auto second = co_await pair.client.receive();
        EXPECT_TRUE(second && second->text() == "next");
        co_await sending;
        co_await pinging;
    }());
}

/// Returns whether the socket has taken the message. Waiting for it to be out may fail all the same.
task<bool> send_if_possible(websocket& socket, const std::string& text) {
    bool is_sent = false;
    try {
        co_await socket.send_text(text);
        is_sent = true;
        co_await socket.flush();
    } catch (const std::exception&) {
    }
    co_return is_sent;
}

/// Counts the messages until the end of the connection, of whatever kind it is.
task<int> count_messages(websocket& socket) {
    int count = 0;
    try {
        while (const auto message = co_await socket.receive_view())
            ++count;
    } catch (const std::system_error&) {
    }
    co_return count;
}

// A part of the message is written at once. When there is no memory for the rest, nothing can follow it.
TEST(a_message_over_tcp, is_not_cut_by_the_next_one_when_memory_is_out) {
    run_bounded([]() -> task<> {
        const std::string large(20'000'000, 'l');
        std::uint64_t failing = 1;
        for (bool has_failed = true; has_failed; ++failing) {
            auto streams = co_await eddy::test::connected_streams();
            std::optional<websocket> server(std::in_place, any_stream(std::move(streams.server)),
                                            websocket_role::server, quiet_options(), websocket_agreement());
            websocket client(any_stream(std::move(streams.client)), websocket_role::client,
                             quiet_options().message_bytes_max(1 << 25), websocket_agreement());
            auto sending = spawn(send_if_possible(*server, large));
            eddy::detail::allocation_window::open(failing);
            co_await yield();
            eddy::detail::allocation_window::close();
            has_failed = eddy::detail::allocation_window::has_failed();
            auto receiving = spawn(count_messages(client));
            const bool is_sent = co_await sending;
            const bool is_next_sent = co_await send_if_possible(*server, "next");
            server.reset();
            const int received = co_await receiving;
            EXPECT_EQ(received, (is_sent ? 1 : 0) + (is_next_sent ? 1 : 0)) << failing;
        }
        EXPECT_GT(failing, 2U) << "nothing was allocated";
    }());
}

task<> echo_all_views(websocket& socket) {
    while (const auto message = co_await socket.receive_view())
        co_await socket.send(*message);
}

task<> send_large(websocket& socket, int count) {
    for (int at = 0; at < count; ++at)
        co_await socket.send_binary(as_bytes(eddy::test::numbered_text(4000 + 17'000 * (at % 20))));
}

TEST(large_messages_over_tcp, come_whole_whether_their_receiver_is_quick_or_slow) {
    for (const bool is_slow : {false, true})
        run_bounded([](bool waits) -> task<> {
            auto streams = co_await eddy::test::connected_streams();
            tcp_websockets pair(std::move(streams));
            auto echoes = spawn(echo_all_views(pair.server));
            constexpr int count = 120;
            auto sends = spawn(send_large(pair.client, count));
            // What goes at once is more than is taken: the rest of a message waits.
            while (waits && pair.server.unsent_bytes() == 0)
                co_await yield();
            for (int at = 0; at < count; ++at) {
                const auto message = co_await pair.client.receive_view();
                EXPECT_TRUE(message &&
                            message->text() == eddy::test::numbered_text(4000 + 17'000 * (at % 20)))
                    << at;
            }
            co_await std::move(sends);
            co_await pair.client.close();
            co_await std::move(echoes);
        }(is_slow));
}

TEST(a_connection_that_is_reset, ends_receives_and_sends) {
    run_bounded([]() -> task<> {
        auto streams = co_await eddy::test::connected_streams();
        std::optional<tcp_websockets> pair(std::in_place, std::move(streams));
        websocket server = std::move(pair->server);
        pair.reset();
        const auto end = co_await as_result(server.receive());
        EXPECT_FALSE(end.has_value());
        const auto refused = co_await as_result(server.send_text("more"));
        EXPECT_FALSE(refused.has_value());
    }());
}

#if !EDDY_SANITIZED
task<> echo_views(websocket& socket, int count) {
    for (; count != 0; --count) {
        const auto message = co_await socket.receive_view();
        co_await socket.send(*message);
    }
}

task<> ask_views(websocket& socket, int count, const std::string& payload) {
    for (; count != 0; --count) {
        co_await socket.send_text(payload);
        const auto message = co_await socket.receive_view();
        EXPECT_TRUE(message && message->text() == payload);
    }
}

TEST(small_messages, are_echoed_without_an_allocation) {
    run_bounded([]() -> task<> {
        auto streams = co_await eddy::test::connected_streams();
        tcp_websockets pair(std::move(streams));
        const std::string payload(64, 'x');
        // The first ones fill caches; then a supply of masking keys is left for more than the rest.
        for (const int count : {257, 100}) {
            auto echoes = spawn(echo_views(pair.server, count));
            auto asks = spawn(ask_views(pair.client, count, payload));
            std::optional<eddy::test::no_allocation> none;
            if (count == 100)
                none.emplace();
            co_await std::move(asks);
            co_await std::move(echoes);
        }
    }());
}
#endif

}  // namespace
}  // namespace eddy::http::sockets_test
