#include "http_websocket/frames.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::http::receiving_test {
namespace {

using namespace std::chrono_literals;
using namespace eddy::http::test;
using eddy::test::run_bounded;

TEST(a_websocket, receives_whole_messages) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(text, "one").bytes() + sent_frame(binary, "two").bytes() +
                                sent_frame(text, "thr").more().bytes() +
                                sent_frame(continuation, "ee").bytes());
        for (const std::string_view wanted : {"one", "two", "three"}) {
            const auto message = co_await pair.socket.receive();
            EXPECT_TRUE(message.has_value());
            EXPECT_EQ(message->text(), wanted);
            EXPECT_EQ(message->is_text(), wanted != "two");
        }
    }());
}

TEST(a_websocket, receives_messages_that_arrive_byte_by_byte) {
    run_bounded([]() -> task<> {
        played_pair pair;
        const std::string bytes = sent_frame(text, "a text").more().bytes() + sent_frame(ping, "p").bytes() +
                                  sent_frame(continuation, std::string(200, 'x')).bytes();
        auto reads = spawn([](websocket& socket) -> task<std::string> {
            auto message = co_await socket.receive_view();
            co_return std::string(message->text());
        }(pair.socket));
        for (const char byte : bytes) {
            co_await pair.peer.send(std::string(1, byte));
            co_await eddy::test::turns(1);
        }
        EXPECT_EQ(co_await std::move(reads), "a text" + std::string(200, 'x'));
        const auto response = co_await pair.peer.receive();
        EXPECT_EQ(response->opcode(), pong);
        EXPECT_EQ(response->payload(), "p");
    }());
}

TEST(a_websocket, shows_messages_where_they_have_arrived) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(text, "first").bytes() + sent_frame(text, "second").bytes());
        const auto first = co_await pair.socket.receive_view();
        EXPECT_EQ(first->text(), "first");
        const auto second = co_await pair.socket.receive_view();
        EXPECT_EQ(second->text(), "second");
    }());
}

TEST(a_websocket, gives_messages_in_pieces_as_they_come) {
    run_bounded([]() -> task<> {
        played_pair pair;
        const std::string frame = sent_frame(binary, "0123456789").more();
        co_await pair.peer.send(frame.substr(0, frame.size() - 4));
        auto piece = co_await pair.socket.receive_piece();
        EXPECT_EQ(piece->text(), "012345");
        EXPECT_FALSE(piece->is_last() || piece->is_text());
        co_await pair.peer.send(frame.substr(frame.size() - 4));
        piece = co_await pair.socket.receive_piece();
        EXPECT_EQ(piece->text(), "6789");
        EXPECT_FALSE(piece->is_last());
        co_await pair.peer.send(sent_frame(continuation, "").bytes() + sent_frame(text, "next").bytes());
        piece = co_await pair.socket.receive_piece();
        EXPECT_EQ(piece->size(), 0U);
        EXPECT_TRUE(piece->is_last());
        piece = co_await pair.socket.receive_piece();
        EXPECT_EQ(piece->text(), "next");
        EXPECT_TRUE(piece->is_last() && piece->is_text());
    }());
}

TEST(a_websocket, gives_the_rest_of_a_message_whose_first_piece_was_taken) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(text, "some ").more().bytes() +
                                sent_frame(continuation, "of ").more().bytes() +
                                sent_frame(continuation, "it").bytes());
        const auto piece = co_await pair.socket.receive_piece();
        EXPECT_EQ(piece->text(), "some ");
        const auto rest = co_await pair.socket.receive();
        EXPECT_EQ(rest->text(), "of it");
    }());
}

TEST(a_websocket, generates_messages_until_it_is_closed) {
    run_bounded([]() -> task<> {
        played_pair pair;
        co_await pair.peer.send(sent_frame(text, "one").bytes() + sent_frame(text, "two").bytes() +
                                sent_frame(close, close_payload(1001, "bye")).bytes());
        co_await pair.stream.shutdown();
        std::string all;
        auto messages = pair.socket.messages();
        while (auto message = co_await messages.next())
            all += message->text() + ";";
        EXPECT_EQ(all, "one;two;");
        EXPECT_EQ(pair.socket.close_code(), websocket_close_code::going_away);
        EXPECT_EQ(pair.socket.close_reason(), "bye");
    }());
}

TEST(a_websocket, answers_each_ping_while_it_receives) {
    run_bounded([]() -> task<> {
        played_pair pair;
        std::string pings;
        for (int count = 0; count < 10; ++count)
            pings += sent_frame(ping, "ping " + std::to_string(count)).bytes();
        co_await pair.peer.send(pings + sent_frame(pong, "unasked").bytes() +
                                sent_frame(text, "end").bytes());
        const auto message = co_await pair.socket.receive();
        EXPECT_EQ(message->text(), "end");
        for (int count = 0; count < 10; ++count) {
            const auto response = co_await pair.peer.receive();
            EXPECT_EQ(response->opcode(), pong);
            EXPECT_EQ(response->payload(), "ping " + std::to_string(count));
            EXPECT_FALSE(response->is_masked());
        }
    }());
}

TEST(a_websocket, is_not_filled_by_pings_whose_answers_nobody_reads) {
    run_bounded([]() -> task<> {
        played_pair pair(quiet_options(), websocket_role::server, {}, 512);
        auto reads = spawn([](websocket& socket) -> task<> { co_await socket.receive(); }(pair.socket));
        for (int count = 0; count < 2000; ++count)
            co_await pair.peer.send(sent_frame(ping, std::string(125, 'p')));
        EXPECT_LT(pair.socket.unsent_bytes(), 20'000U);
        EXPECT_FALSE(reads.done());
    }());
}

TEST(a_dropped_receive, loses_nothing_wherever_it_is_dropped) {
    run_bounded([]() -> task<> {
        const std::string bytes = sent_frame(text, "fra").more().bytes() + sent_frame(ping, "p").bytes() +
                                  sent_frame(continuation, "gmented").bytes();
        for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
            played_pair pair;
            auto reads = spawn([](websocket& socket) -> task<> { co_await socket.receive(); }(pair.socket));
            co_await eddy::test::turns(1);
            co_await pair.peer.send(bytes.substr(0, cut));
            if (cut == bytes.size()) {
                // The message is there; its receiver has not gone on.
                EXPECT_FALSE(reads.done());
            } else {
                co_await eddy::test::turns(2);
            }
            reads.cancel();
            co_await pair.peer.send(bytes.substr(cut) + sent_frame(text, "next").bytes());
            for (const std::string_view wanted : {"fragmented", "next"}) {
                const auto message = co_await pair.socket.receive();
                EXPECT_EQ(message->text(), wanted);
            }
            const auto response = co_await pair.peer.receive();
            EXPECT_EQ(response->payload(), "p");
        }
    }());
}

TEST(a_receive_with_a_time_limit, may_be_repeated) {
    run_bounded([]() -> task<> {
        played_pair pair;
        const std::string frame = sent_frame(text, "late");
        co_await pair.peer.send(frame.substr(0, 7));
        const auto late = co_await as_result(with_timeout(pair.socket.receive(), 1ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await pair.peer.send(frame.substr(7));
        const auto message = co_await with_timeout(pair.socket.receive(), 30s);
        EXPECT_EQ(message->text(), "late");
    }());
}

/// The code that the peer is told, and the error that the receiver meets.
task<std::pair<unsigned, std::error_code>> end_of(std::string bytes,
                                                  websocket_options options = quiet_options()) {
    played_pair pair(options);
    co_await pair.peer.send(std::move(bytes));
    co_await pair.stream.shutdown();
    const auto received = co_await as_result(pair.socket.receive());
    const auto reported = co_await pair.peer.receive();
    const auto again = co_await as_result(pair.socket.receive());
    EXPECT_EQ(again.has_value() ? std::error_code() : again.error(),
              received.has_value() ? std::error_code() : received.error());
    if (received.has_value()) {
        EXPECT_FALSE(received->has_value());
    }
    co_return std::pair(reported ? reported->code() : 0,
                        received.has_value() ? std::error_code() : received.error());
}

TEST(a_peer_that_breaks_the_protocol, is_told_so_before_the_connection_ends) {
    run_bounded([]() -> task<> {
        auto [code, error] = co_await end_of(sent_frame(text, "a").flip(0x40));
        EXPECT_EQ(code, 1002U);
        EXPECT_EQ(error, websocket_error::protocol_violated);
        std::tie(code, error) = co_await end_of(sent_frame(text, "\xff"));
        EXPECT_EQ(code, 1007U);
        EXPECT_EQ(error, websocket_error::invalid_text);
        std::tie(code, error) =
            co_await end_of(sent_frame(text, "12345"), quiet_options().message_bytes_max(4));
        EXPECT_EQ(code, 1009U);
        EXPECT_EQ(error, websocket_error::message_too_big);
        std::tie(code, error) = co_await end_of(sent_frame(close, close_payload(1005)));
        EXPECT_EQ(code, 1002U);
        EXPECT_EQ(error, websocket_error::protocol_violated);
    }());
}

TEST(a_peer_that_goes_without_closing, is_an_error) {
    run_bounded([]() -> task<> {
        auto [code, error] = co_await end_of("");
        EXPECT_EQ(error, websocket_error::connection_lost);
        std::tie(code, error) = co_await end_of(sent_frame(text, "half").bytes().substr(0, 7));
        EXPECT_EQ(error, websocket_error::connection_lost);
    }());
}

TEST(a_websocket, takes_what_was_read_behind_its_handshake) {
    run_bounded([]() -> task<> {
        auto ends = duplex(1000);
        const std::string frames = sent_frame(text, "early");
        auto memory = std::make_unique<std::byte[]>(frames.size());
        std::ranges::copy(as_bytes(frames), memory.get());
        websocket socket(any_stream(std::move(ends.first)), websocket_role::server, quiet_options(), {},
                         buffer_lease(std::move(memory), 0, static_cast<std::uint32_t>(frames.size())));
        const auto message = co_await socket.receive();
        EXPECT_EQ(message->text(), "early");
    }());
}

}  // namespace
}  // namespace eddy::http::receiving_test
