#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>

namespace eddy::http::closing_test {
namespace {

using namespace std::chrono_literals;
using namespace eddy::http::test;
using eddy::test::run_bounded;

TEST(a_close_frame, is_answered_with_its_code) {
    run_bounded([]() -> task<> {
        for (const unsigned code : {0U, 1000U, 1014U, 3000U, 4999U}) {
            played_pair pair;
            const std::string payload = code == 0 ? "" : close_payload(code, "why");
            co_await pair.peer.send(sent_frame(close, payload));
            co_await pair.stream.shutdown();
            const auto end = co_await pair.socket.receive();
            EXPECT_FALSE(end.has_value());
            EXPECT_FALSE(pair.socket.is_open());
            EXPECT_EQ(to_number(pair.socket.close_code()), code == 0 ? 1005U : code);
            EXPECT_EQ(pair.socket.close_reason(), code == 0 ? "" : "why");
            const auto response = co_await pair.peer.receive();
            EXPECT_EQ(response->opcode(), close);
            EXPECT_EQ(response->code(), code);
            const auto nothing = co_await pair.peer.receive();
            EXPECT_FALSE(nothing.has_value());
            const auto again = co_await pair.socket.receive();
            EXPECT_FALSE(again.has_value());
        }
    }());
}

TEST(frames_behind_a_close_frame, are_read_and_left_alone) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(close, close_payload(1000)).bytes() +
                                sent_frame(ping, "late").bytes() + sent_frame(text, "late").bytes() +
                                "no frame at all");
        auto ends = spawn([](websocket& socket) -> task<bool> {
            const auto end = co_await socket.receive();
            co_return end.has_value();
        }(pair.socket));
        const auto response = co_await pair.peer.receive();
        EXPECT_EQ(response->code(), 1000U);
        const auto nothing = co_await pair.peer.receive();
        EXPECT_FALSE(nothing.has_value());
        // It waits for the client to end the stream, so that its own close frame is not lost.
        EXPECT_FALSE(ends.done());
        co_await pair.stream.shutdown();
        EXPECT_FALSE(co_await std::move(ends));
    }());
}

TEST(both_ends, close_in_good_order) {
    run_bounded([]() -> task<> {
        for (const bool server_closes : {false, true}) {
            connected_websockets pair;
            websocket& one = server_closes ? pair.server : pair.client;
            websocket& other = server_closes ? pair.client : pair.server;
            co_await one.send_text("last words");
            co_await when_all(one.close(websocket_close_code::going_away, "enough"),
                              [](websocket& from) -> task<> {
                                  const auto message = co_await from.receive();
                                  EXPECT_EQ(message->text(), "last words");
                                  const auto end = co_await from.receive();
                                  EXPECT_FALSE(end.has_value());
                              }(other));
            EXPECT_EQ(other.close_code(), websocket_close_code::going_away);
            EXPECT_EQ(other.close_reason(), "enough");
            EXPECT_EQ(one.close_code(), websocket_close_code::going_away);
            co_await one.close();
            const auto refused = co_await as_result(one.send_text("more"));
            EXPECT_EQ(refused.error(), websocket_error::closed);
        }
    }());
}

TEST(both_ends, may_close_at_once) {
    run_bounded([]() -> task<> {
        connected_websockets pair;
        co_await when_all(pair.server.close(), pair.client.close());
        EXPECT_EQ(pair.server.close_code(), websocket_close_code::normal);
        EXPECT_EQ(pair.client.close_code(), websocket_close_code::normal);
    }());
}

TEST(closing, leaves_messages_to_who_receives_and_ends_that) {
    run_bounded([]() -> task<> {
        played_pair pair;
        auto reads = spawn([](websocket& socket) -> task<std::string> {
            std::string all;
            while (auto message = co_await socket.receive())
                all += message->text() + ";";
            co_return all;
        }(pair.socket));
        co_await eddy::test::turns(1);
        auto closes = spawn(pair.socket.close());
        const auto reported = co_await pair.peer.receive();
        EXPECT_EQ(reported->code(), 1000U);
        co_await pair.peer.send(sent_frame(text, "still").bytes() +
                                sent_frame(close, close_payload(1000)).bytes());
        co_await pair.stream.shutdown();
        EXPECT_EQ(co_await std::move(reads), "still;");
        co_await std::move(closes);
    }());
}

TEST(closing, leaves_a_view_that_is_in_use_alone) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(text, "in use").bytes() + sent_frame(text, "behind").bytes());
        const auto view = co_await pair.socket.receive_view();
        auto closes = spawn(pair.socket.close());
        for (int count = 0; count < 5; ++count) {
            co_await eddy::test::turns(2);
            co_await pair.peer.send(sent_frame(text, std::string(1000, 'x')));
        }
        co_await pair.peer.send(sent_frame(close, close_payload(1000)));
        co_await pair.stream.shutdown();
        co_await std::move(closes);
        EXPECT_EQ(view->text(), "in use");
        const auto end = co_await pair.socket.receive();
        EXPECT_FALSE(end.has_value());
    }());
}

TEST(closing, has_a_time_limit) {
    run_bounded([]() -> task<> {
        for (const bool receives : {false, true}) {
            played_pair pair(quiet_options().close_timeout(5ms));
            auto reads = spawn([](websocket& socket, bool wanted) -> task<> {
                if (wanted)
                    co_await socket.receive();
            }(pair.socket, receives));
            co_await eddy::test::turns(1);
            co_await pair.socket.close();
            EXPECT_EQ(pair.socket.close_code(), websocket_close_code::abnormal);
            co_await std::move(reads);
        }
    }());
}

TEST(closing, has_a_time_limit_also_for_peers_that_take_nothing) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().close_timeout(5ms), websocket_role::server, {}, 16);
        co_await pair.socket.send_text(std::string(1000, 'x'));
        co_await pair.socket.close();
        EXPECT_FALSE(pair.socket.is_open());
    }());
}

TEST(a_dropped_close, goes_on_later) {
    run_bounded([]() -> task<> {
        played_pair pair;
        auto closes = spawn(pair.socket.close(static_cast<websocket_close_code>(4000), "dropped"));
        co_await eddy::test::turns(2);
        closes.cancel();
        const auto reported = co_await pair.peer.receive();
        EXPECT_EQ(reported->code(), 4000U);
        EXPECT_EQ(reported->payload().substr(2), "dropped");
        co_await pair.peer.send(sent_frame(close, close_payload(4000)));
        co_await pair.stream.shutdown();
        co_await pair.socket.close();
        EXPECT_EQ(to_number(pair.socket.close_code()), 4000U);
    }());
}

TEST(a_close, with_what_must_not_be_sent_is_refused) {
    run_bounded([]() -> task<> {
        played_pair pair;
        EXPECT_THROW((void)pair.socket.close(websocket_close_code::none), std::invalid_argument);
        EXPECT_THROW((void)pair.socket.close(websocket_close_code::abnormal), std::invalid_argument);
        EXPECT_THROW((void)pair.socket.close(websocket_close_code::normal, "\xff"), std::invalid_argument);
        EXPECT_THROW((void)pair.socket.close(websocket_close_code::normal, std::string(124, 'x')),
                     std::invalid_argument);
        EXPECT_TRUE(pair.socket.is_open());
        co_return;
    }());
}

TEST(a_client, waits_for_the_server_to_end_the_stream) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options(), websocket_role::client);
        auto closes = spawn(pair.socket.close());
        const auto reported = co_await pair.peer.receive();
        EXPECT_EQ(reported->code(), 1000U);
        EXPECT_TRUE(reported->is_masked());
        co_await pair.peer.send(sent_frame(close, close_payload(1000)).unmasked());
        co_await eddy::test::turns(3);
        EXPECT_FALSE(closes.done());
        co_await pair.stream.shutdown();
        co_await std::move(closes);
    }());
}

}  // namespace
}  // namespace eddy::http::closing_test
