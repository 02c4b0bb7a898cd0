#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::http::sending_test {
namespace {

using namespace std::chrono_literals;
using namespace eddy::http::test;
using eddy::test::run_bounded;

TEST(a_websocket, sends_messages_of_each_size_in_one_frame) {
    run_bounded([]() -> task<> {
        for (const auto role : {websocket_role::server, websocket_role::client}) {
            played_pair pair(quiet_options(), role);
            for (const std::size_t size : {0, 1, 125, 126, 1000, 5000, 65'535, 65'536, 300'000}) {
                const std::string payload(size, 'x');
                auto sends = spawn([](websocket& socket, const std::string& bytes) -> task<> {
                    co_await socket.send_text(bytes);
                    co_await socket.send_binary(as_bytes(bytes));
                    co_await socket.send(websocket_message(message_kind::binary, bytes));
                    co_await socket.flush();
                }(pair.socket, payload));
                for (const auto code : {text, binary, binary}) {
                    const auto frame = co_await pair.peer.receive();
                    EXPECT_EQ(frame->opcode(), code);
                    EXPECT_EQ(frame->payload(), payload);
                    EXPECT_TRUE(frame->is_final());
                    EXPECT_EQ(frame->is_masked(), role == websocket_role::client);
                }
                co_await std::move(sends);
                EXPECT_EQ(pair.socket.unsent_bytes(), 0U);
            }
        }
    }());
}

TEST(a_websocket, sends_large_messages_in_several_frames_if_it_is_told_to) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().frame_bytes_max(4));
        co_await pair.socket.send_text("0123456789");
        co_await pair.socket.send(websocket_message(message_kind::binary, "01234567"));
        co_await pair.socket.send_text("0123");
        const std::vector<std::pair<websocket_opcode, std::string>> wanted{
            {text, "0123"},   {continuation, "4567"}, {continuation, "89"},
            {binary, "0123"}, {continuation, "4567"}, {text, "0123"}};
        for (std::size_t at = 0; at < wanted.size(); ++at) {
            const auto frame = co_await pair.peer.receive();
            EXPECT_EQ(frame->opcode(), wanted[at].first);
            EXPECT_EQ(frame->payload(), wanted[at].second);
            EXPECT_EQ(frame->is_final(), at == 2 || at >= 4);
        }
    }());
}

TEST(a_websocket, sends_texts_only_that_are_utf8) {
    run_bounded([]() -> task<> {
        played_pair pair;
        EXPECT_THROW(co_await pair.socket.send_text("\xff"), std::invalid_argument);
        co_await pair.socket.send_text("good");
        const auto frame = co_await pair.peer.receive();
        EXPECT_EQ(frame->payload(), "good");
        played_pair careless(quiet_options().checks_sent_text(false));
        co_await careless.socket.send_text("\xff");
        const auto wrong = co_await careless.peer.receive();
        EXPECT_EQ(wrong->payload(), "\xff");
    }());
}

TEST(a_websocket, streams_a_message_in_pieces) {
    run_bounded([]() -> task<> {
        played_pair pair;
        auto message = co_await pair.socket.begin_message(message_kind::text);
        co_await message.write("first ");
        auto waits =
            spawn([](websocket& socket) -> task<> { co_await socket.send_text("other"); }(pair.socket));
        co_await eddy::test::turns(2);
        EXPECT_FALSE(waits.done());
        co_await pair.peer.send(sent_frame(ping, "p").bytes() + sent_frame(text, "in").bytes());
        const auto in = co_await pair.socket.receive();
        EXPECT_EQ(in->text(), "in");
        co_await message.write("second ");
        co_await message.finish("last");
        co_await std::move(waits);
        for (const auto& [code, payload] :
             std::vector<std::pair<websocket_opcode, std::string_view>>{{text, "first "},
                                                                        {pong, "p"},
                                                                        {continuation, "second "},
                                                                        {continuation, "last"},
                                                                        {text, "other"}}) {
            const auto frame = co_await pair.peer.receive();
            EXPECT_EQ(frame->opcode(), code);
            EXPECT_EQ(frame->payload(), payload);
            EXPECT_EQ(frame->is_final(), payload == "last" || payload == "other" || payload == "p");
        }
    }());
}

TEST(a_message_that_is_given_up, closes_the_connection) {
    run_bounded([]() -> task<> {
        played_pair pair;
        {
            auto message = co_await pair.socket.begin_message(message_kind::text);
            co_await message.write("half");
        }
        const auto half = co_await pair.peer.receive();
        EXPECT_EQ(half->payload(), "half");
        const auto reported = co_await pair.peer.receive();
        EXPECT_EQ(reported->opcode(), close);
        EXPECT_EQ(reported->code(), 1011U);
        const auto refused = co_await as_result(pair.socket.send_text("more"));
        EXPECT_EQ(refused.error(), websocket_error::message_unfinished);
    }());
}

TEST(a_message_that_was_not_begun, may_be_given_up) {
    run_bounded([]() -> task<> {
        played_pair pair;
        {
            auto message = co_await pair.socket.begin_message(message_kind::text);
        }
        co_await pair.socket.send_text("next");
        const auto frame = co_await pair.peer.receive();
        EXPECT_EQ(frame->payload(), "next");
    }());
}

task<> send_numbered(websocket& socket, int sender, int count) {
    for (int at = 0; at < count; ++at)
        co_await socket.send_text(std::to_string(sender) + " " + std::to_string(at) + std::string(100, '.'));
}

TEST(senders, come_in_order_and_never_into_each_others_frames) {
    run_bounded([]() -> task<> {
        connected_websockets pair(quiet_options().send_buffer_bytes(300), {}, 100);
        auto sends = spawn([](websocket& socket) -> task<> {
            co_await when_all(send_numbered(socket, 0, 200), send_numbered(socket, 1, 200),
                              send_numbered(socket, 2, 200));
        }(pair.client));
        std::vector<int> next{0, 0, 0};
        for (int count = 0; count < 600; ++count) {
            const auto message = co_await pair.server.receive_view();
            const auto sender = static_cast<std::size_t>(message->text().front() - '0');
            const std::string wanted = std::to_string(sender) + " " + std::to_string(next[sender]++);
            EXPECT_EQ(message->text().substr(0, wanted.size() + 1), wanted + ".");
        }
        co_await std::move(sends);
    }());
}

TEST(a_sender, waits_while_the_send_buffer_is_full) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().send_buffer_bytes(1000), websocket_role::server, {}, 16);
        const std::string payload(900, 'x');
        co_await pair.socket.send_text(payload);
        co_await pair.socket.send_text(payload);
        auto waits = spawn([](websocket& socket, const std::string& bytes) -> task<> {
            co_await socket.send_text(bytes);
        }(pair.socket, payload));
        co_await eddy::test::turns(5);
        EXPECT_FALSE(waits.done());
        EXPECT_LT(pair.socket.unsent_bytes(), 2000U);
        const auto first = co_await pair.peer.receive();
        const auto second = co_await pair.peer.receive();
        EXPECT_EQ(first->payload(), second->payload());
        co_await std::move(waits);
    }());
}

TEST(a_receiver, answers_pings_and_goes_on_while_senders_wait_for_the_peer) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().send_buffer_bytes(1000), websocket_role::server, {}, 4096);
        auto sends = spawn(send_numbered(pair.socket, 0, 100));
        co_await eddy::test::turns(3);
        EXPECT_FALSE(sends.done());
        co_await pair.peer.send(sent_frame(ping, "alive?").bytes() + sent_frame(text, "in").bytes());
        const auto in = co_await pair.socket.receive();
        EXPECT_EQ(in->text(), "in");
        std::size_t before = 0;
        for (auto frame = co_await pair.peer.receive(); frame->opcode() != pong;
             frame = co_await pair.peer.receive())
            ++before;
        EXPECT_LT(before, 60U);
        for (std::size_t left = 100 - before; left != 0; --left) {
            const auto frame = co_await pair.peer.receive();
            EXPECT_EQ(frame->opcode(), text);
        }
        co_await std::move(sends);
    }());
}

TEST(an_answer_to_a_ping, overtakes_large_messages_that_have_not_begun) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options().send_buffer_bytes(1'000'000), websocket_role::server, {}, 4096);
        for (int count = 0; count < 4; ++count)
            co_await pair.socket.send_binary(as_bytes(std::string(100'000, 'x')));
        co_await eddy::test::turns(2);
        co_await pair.peer.send(sent_frame(ping, "alive?").bytes() + sent_frame(text, "in").bytes());
        const auto in = co_await pair.socket.receive();
        EXPECT_EQ(in->text(), "in");
        std::vector<websocket_opcode> order;
        for (int count = 0; count < 5; ++count) {
            const auto frame = co_await pair.peer.receive();
            order.push_back(frame->opcode());
            EXPECT_EQ(frame->payload().size(), frame->opcode() == pong ? 6U : 100'000U);
        }
        EXPECT_NE(order.front(), pong);
        EXPECT_NE(order.back(), pong);
    }());
}

TEST(a_dropped_send, has_sent_its_message_whole_or_not_at_all) {
    run_bounded([]() -> task<> {
        // The stream takes a few bytes at a time, so that writes are cut at all places.
        for (int turns = 0; turns < 30; ++turns) {
            connected_websockets pair(quiet_options().send_buffer_bytes(200), {}, 7);
            auto sends = spawn(send_numbered(pair.client, 0, 10));
            auto reads = spawn([](websocket& socket) -> task<int> {
                int count = 0;
                for (;;) {
                    const auto message = co_await socket.receive();
                    if (message->text() == "after")
                        co_return count;
                    EXPECT_EQ(message->text(), "0 " + std::to_string(count++) + std::string(100, '.'));
                }
            }(pair.server));
            co_await eddy::test::turns(turns);
            sends.cancel();
            co_await pair.client.send_text("after");
            EXPECT_LE(co_await std::move(reads), 10);
        }
    }());
}

TEST(sending, meets_the_end_of_the_stream) {
    run_bounded([]() -> task<> {
        played_pair pair;
        pair.stream.close();
        co_await pair.socket.send_text("lost");
        const auto lost = co_await as_result(pair.socket.flush());
        EXPECT_EQ(lost.error(), std::errc::broken_pipe);
        const auto refused = co_await as_result(pair.socket.send_text("more"));
        EXPECT_EQ(refused.error(), std::errc::broken_pipe);
    }());
}

TEST(a_websocket, that_is_destroyed_lets_go_of_what_it_has_not_sent) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options(), websocket_role::server, {}, 16);
        {
            websocket gone = std::move(pair.socket);
            co_await gone.send_text(std::string(10'000, 'x'));
            co_await eddy::test::turns(2);
        }
        std::array<std::byte, 100> room{};
        for (std::size_t count = 1; count != 0;)
            count = co_await pair.stream.read(room);
    }());
}

TEST(a_ping, is_sent_between_messages) {
    run_bounded([]() -> task<> {
        played_pair pair;
        pair.socket.ping(as_bytes("hello?"));
        EXPECT_THROW(pair.socket.ping(as_bytes(std::string(126, 'x'))), std::invalid_argument);
        const auto frame = co_await pair.peer.receive();
        EXPECT_EQ(frame->opcode(), ping);
        EXPECT_EQ(frame->payload(), "hello?");
    }());
}

}  // namespace
}  // namespace eddy::http::sending_test
