#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>

namespace eddy::http::keep_alive_test {
namespace {

using namespace std::chrono_literals;
using namespace eddy::http::test;
using eddy::test::run_bounded;

task<std::string> receive_text(websocket& socket) {
    const auto message = co_await socket.receive();
    co_return message ? message->text() : "the end";
}

TEST(a_peer_that_says_nothing, is_pinged_and_then_left) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().ping_interval(5ms).pong_timeout(5ms));
        auto reads = spawn(receive_text(pair.socket));
        const auto requested = co_await pair.peer.receive();
        EXPECT_EQ(requested->opcode(), ping);
        const auto end = co_await as_result(std::move(reads));
        EXPECT_EQ(end.error(), websocket_error::peer_is_silent);
        const auto refused = co_await as_result(pair.socket.send_text("x"));
        EXPECT_EQ(refused.error(), websocket_error::peer_is_silent);
    }());
}

TEST(a_peer_that_answers_pings, stays) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().ping_interval(2ms).pong_timeout(20s));
        auto reads = spawn(receive_text(pair.socket));
        for (int count = 0; count < 5; ++count) {
            const auto requested = co_await pair.peer.receive();
            EXPECT_EQ(requested->opcode(), ping);
            co_await pair.peer.send(sent_frame(pong, requested->payload()));
        }
        co_await pair.peer.send(sent_frame(text, "here"));
        EXPECT_EQ(co_await std::move(reads), "here");
    }());
}

TEST(two_websockets, keep_each_other_alive) {
    run_bounded([]() -> task<> {
        connected_websockets pair(quiet_options().ping_interval(2ms).pong_timeout(5s));
        auto client = spawn(receive_text(pair.client));
        auto server = spawn(receive_text(pair.server));
        co_await sleep_for(50ms);
        EXPECT_FALSE(client.done() || server.done());
        co_await pair.server.send_text("to the client");
        co_await pair.client.send_text("to the server");
        EXPECT_EQ(co_await std::move(client), "to the client");
        EXPECT_EQ(co_await std::move(server), "to the server");
    }());
}

TEST(a_peer_to_whom_nobody_listens, is_not_called_silent) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().ping_interval(1ms).pong_timeout(1ms));
        for (int count = 0; count < 5; ++count) {
            const auto requested = co_await pair.peer.receive();
            EXPECT_EQ(requested->opcode(), ping);
        }
        EXPECT_TRUE(pair.socket.is_open());
    }());
}

TEST(a_peer_that_takes_nothing, is_left_after_the_write_timeout) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().write_timeout(5ms).send_buffer_bytes(100), websocket_role::server,
                         {}, 16);
        co_await pair.socket.send_text(std::string(1000, 'x'));
        const auto stuck = co_await as_result(pair.socket.send_text("more"));
        EXPECT_EQ(stuck.error(), websocket_error::peer_is_silent);
        const auto end = co_await as_result(pair.socket.receive());
        EXPECT_EQ(end.error(), websocket_error::peer_is_silent);
    }());
}

}  // namespace
}  // namespace eddy::http::keep_alive_test
