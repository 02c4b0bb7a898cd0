#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>
#include <eddy/http/websocket/connect_websocket.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>

namespace eddy::http::connect_test {
namespace {

using namespace std::chrono_literals;
using namespace eddy::http::test;
using eddy::test::run_bounded;

class echo_handler final : public request_handler {
public:
    explicit echo_handler(websocket_options options) : options_(std::move(options)) {}
    ready_or_task<> handle(exchange& ex) override { return echo(ex); }

private:
    task<> echo(exchange& ex) {
        websocket socket = co_await accept_websocket(ex, options_);
        while (auto message = co_await socket.receive_view())
            co_await socket.send(*message);
    }

    websocket_options options_;
};

/// Runs `play` against a server that echoes; it is given the server's address.
template <class Play>
void with_server(const websocket_options& options, Play play) {
    run_bounded([](websocket_options wanted, Play then) -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string address = "127.0.0.1:" + std::to_string(listener.local_endpoint().port());
        echo_handler handler(std::move(wanted));
        server serving(std::move(listener), handler);
        auto runs = spawn(serving.run());
        co_await then(address);
        runs.cancel();
    }(options, std::move(play)));
}

TEST(a_websocket_of_a_server, echoes_to_one_of_a_client) {
    const auto options = quiet_options().deflate(deflate_options()).subprotocols({"a", "b"});
    with_server(options, [](std::string address) -> task<> {
        // A list is made outside of awaits, which g++ 12 needs.
        const auto requested = quiet_options().deflate(deflate_options()).subprotocols({"b", "c"});
        websocket socket = co_await connect_websocket("ws://" + address + "/chat?x=y", requested);
        EXPECT_EQ(socket.agreement().subprotocol(), "b");
        EXPECT_TRUE(socket.agreement().deflate());
        for (const std::size_t size : {0, 5, 1000, 100'000}) {
            const std::string payload(size, 'x');
            co_await socket.send_text(payload);
            const auto response = co_await socket.receive();
            EXPECT_TRUE(response && response->text() == payload);
        }
        co_await socket.close();
        EXPECT_EQ(socket.close_code(), websocket_close_code::normal);
    });
}

TEST(a_websocket_of_a_server, is_opened_where_the_url_said_when_it_was_given) {
    with_server(quiet_options(), [](std::string address) -> task<> {
        std::string url = "ws://" + address + "/chat";
        task<websocket> opens = connect_websocket(url, quiet_options());
        url.assign(url.size(), '?');
        websocket socket = co_await std::move(opens);
        co_await socket.close();
        EXPECT_EQ(socket.close_code(), websocket_close_code::normal);
    });
}

TEST(a_request_that_is_not_let_in, is_refused_with_a_status) {
    with_server(quiet_options(), [](std::string address) -> task<> {
        const auto other = co_await as_result(
            connect_websocket("ws://" + address, quiet_options().origin("http://elsewhere")));
        EXPECT_EQ(other.error(), websocket_error::handshake_refused);
        const auto same = co_await as_result(
            connect_websocket("ws://" + address, quiet_options().origin("http://" + address)));
        EXPECT_TRUE(same.has_value());
        const auto [host, port] = std::pair(address.substr(0, 9), address.substr(10));
        tcp_stream plain = co_await tcp_stream::connect(
            endpoint::loopback_ipv4(static_cast<std::uint16_t>(std::stoi(port))));
        co_await plain.write_all(as_bytes("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        std::string response;
        for (bool goes_on = true; goes_on;) {
            const buffer_lease piece = co_await plain.read_leased();
            response += as_text(piece.bytes());
            goes_on = !piece.empty();
        }
        EXPECT_TRUE(response.starts_with("HTTP/1.1 426 ")) << response;
        EXPECT_NE(response.find("Sec-WebSocket-Version: 13\r\n"), std::string::npos);
    });
}

/// Opens a websocket whose server answers with a text, all at once or byte by byte.
task<websocket> open_with_answer(duplex_stream client, duplex_stream& served, std::string response,
                                 bool bytewise) {
    auto opens =
        spawn(open_websocket(any_stream(std::move(client)), "example.com", "/path", quiet_options()));
    std::string request;
    while (!request.ends_with("\r\n\r\n")) {
        std::array<std::byte, 1000> room{};
        const std::size_t count = co_await served.read(room);
        request += as_text(std::span(room).first(count));
    }
    EXPECT_TRUE(request.starts_with("GET /path HTTP/1.1\r\nHost: example.com\r\n"));
    const auto key_at = request.find("Sec-WebSocket-Key: ") + 19;
    const std::string accept = websocket_accept_value(request.substr(key_at, 24));
    if (const auto at = response.find("$"); at != std::string::npos)
        response.replace(at, 1, accept);
    for (const char byte : response) {
        if (!bytewise)
            break;
        co_await served.write_all(as_bytes(std::string_view(&byte, 1)));
        co_await eddy::test::turns(1);
    }
    if (!bytewise)
        co_await served.write_all(as_bytes(response));
    co_await served.shutdown();
    co_return co_await std::move(opens);
}

TEST(a_client, reads_the_answer_and_the_frames_behind_it) {
    run_bounded([]() -> task<> {
        const std::string response =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Accept: $\r\n\r\n";
        for (const bool bytewise : {false, true}) {
            auto ends = duplex(10'000);
            websocket socket = co_await open_with_answer(
                std::move(ends.first), ends.second,
                "HTTP/1.1 103 Early Hints\r\n\r\n" + response + sent_frame(text, "first").unmasked().bytes(),
                bytewise);
            const auto message = co_await socket.receive();
            EXPECT_EQ(message->text(), "first");
        }
    }());
}

TEST(a_client, refuses_other_answers) {
    run_bounded([]() -> task<> {
        for (const std::string_view wrong :
             {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
              "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
              "HTTP/1.1 101 Fine\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
              "no\r\n\r\n",
              "HTTP/1.1 101 Fine\r\nSec-WebSocket-Accept: $\r\n\r\n", "SSH-2.0-x\r\n\r\n", ""}) {
            auto ends = duplex(10'000);
            const auto refused = co_await as_result(
                open_with_answer(std::move(ends.first), ends.second, std::string(wrong), false));
            EXPECT_FALSE(refused.has_value()) << wrong;
            if (!refused) {
                EXPECT_EQ(refused.error(), websocket_error::handshake_refused) << wrong;
            }
        }
    }());
}

TEST(a_client, gives_up_after_its_time) {
    run_bounded([]() -> task<> {
        auto ends = duplex(10'000);
        const auto late = co_await as_result(open_websocket(any_stream(std::move(ends.first)), "x", "/",
                                                            quiet_options().connect_timeout(2ms)));
        EXPECT_EQ(late.error(), std::errc::timed_out);
    }());
}

TEST(a_client, is_asked_for_what_can_be_sent) {
    run_bounded([]() -> task<> {
        for (const std::string_view wrong : {"http://x/", "ws://", "x", "ws://user@x/"})
            EXPECT_THROW((void)connect_websocket(std::string(wrong)), std::invalid_argument) << wrong;
        auto ends = duplex(10);
        EXPECT_THROW((void)open_websocket(any_stream(std::move(ends.first)), "x", "/a b"),
                     std::invalid_argument);
        EXPECT_THROW((void)open_websocket(any_stream(std::move(ends.second)), "x\r\ny", "/"),
                     std::invalid_argument);
        co_return;
    }());
}

}  // namespace
}  // namespace eddy::http::connect_test
