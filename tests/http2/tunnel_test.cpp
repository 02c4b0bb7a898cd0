#include "http2/frame_peer.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/http/websocket.hpp>

#include <gtest/gtest.h>

#include <string>

// Streams whose bytes a handler takes over.
namespace eddy::http::test::tunnel_test {
namespace {

fields connect_to_x() {
    return {{":method", "CONNECT"}, {":authority", "x:1"}};
}

fields websocket_request_head(const std::string& path) {
    return {{":method", "CONNECT"}, {":protocol", "websocket"}, {":scheme", "http"},
            {":path", path},        {":authority", "x"},        {"sec-websocket-version", "13"}};
}

/// A text message of a client, masked with zeros.
std::string text_message(const std::string& text) {
    return std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') + text;
}

TEST(an_http2_websocket, is_opened_by_extended_connect) {
    http2_talk([](exchange& ex) -> task<void> {
        EXPECT_EQ(method::get, ex.request().method());
        websocket socket = co_await accept_websocket(ex);
        while (auto message = co_await socket.receive())
            co_await socket.send_text("you said " + std::string(message->text()));
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, websocket_request_head("/chat"), false));
        EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].head.empty(); }));
        EXPECT_EQ("200", peer.seen[1].status());
        EXPECT_EQ("", peer.seen[1].field("upgrade"));
        EXPECT_EQ("", peer.seen[1].field("sec-websocket-accept"));
        co_await peer.say(frame_peer::data(1, text_message("hello"), false));
        const std::string expected = "\x81\x0eyou said hello";
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() >= expected.size(); }));
        EXPECT_EQ(expected, peer.seen[1].body);
        // The closing handshake, and both ends of the stream.
        co_await peer.say(frame_peer::data(1, std::string("\x88\x82\0\0\0\0\x03\xe8", 8), false));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_TRUE(peer.seen[1].is_ended);
        co_await peer.say(frame_peer::data(1, "", true));
    });
}

TEST(an_http2_websocket, that_is_refused_gets_an_answer) {
    http2_talk([](exchange&) -> task<void> {
        throw request_error(status::not_found, "no such room");
        co_return;
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, websocket_request_head("/nowhere"), false));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
        EXPECT_EQ("404", peer.seen[1].status());
    });
}

TEST(an_http2_tunnel, carries_bytes_both_ways_and_ends_with_the_handler) {
    http2_talk([](exchange& ex) -> task<void> {
        EXPECT_EQ(method::connect, ex.request().method());
        any_stream taken = co_await ex.upgrade({});
        std::array<std::byte, 100> room;
        while (const std::size_t count = co_await taken.read(room))
            co_await taken.write_all(std::span<const std::byte>(room).first(count));
        co_await taken.shutdown();
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, connect_to_x(), false) + frame_peer::data(1, "early ", false));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body == "early "; }));
        co_await peer.say(frame_peer::data(1, "late", true));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("early late", peer.seen[1].body);
        EXPECT_TRUE(peer.seen[1].is_ended);
    });
}

TEST(an_http2_tunnel, is_reset_where_the_handler_drops_it) {
    http2_talk([](exchange& ex) -> task<void> {
        any_stream taken = co_await ex.upgrade({});
        co_await taken.write_all(as_bytes(std::string_view("some")));
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, connect_to_x(), false));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_TRUE(peer.seen[1].is_reset);
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_CANCEL), peer.seen[1].code);
    });
}

}  // namespace
}  // namespace eddy::http::test::tunnel_test
