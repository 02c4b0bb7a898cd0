#include "http2/frame_peer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/message/field_block.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>

// What is sent and received when.
namespace eddy::http::test::flow_control_test {
namespace {

const std::string settings_of_window_zero = frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0);

task<> some_turns() {
    for (int turn = 0; turn < 20; ++turn)
        co_await yield();
}

TEST(http2_flow_control, holds_a_body_back_until_the_client_has_room) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        peer.gives_credit = false;
        co_await peer.begin(settings_of_window_zero);
        co_await peer.say(frame_peer::head(1, get("/1234567")));
        EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].head.empty(); }));
        co_await some_turns();
        EXPECT_EQ("", peer.seen[1].body);
        co_await peer.say(frame_peer::window(1, 3));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() == 3; }));
        EXPECT_FALSE(peer.seen[1].is_ended);
        co_await peer.say(frame_peer::window(1, 100));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("/1234567", peer.seen[1].body);
    });
}

TEST(http2_flow_control, makes_a_handler_wait_that_writes_more_than_the_client_takes) {
    std::size_t written = 0;
    const std::string piece(10'000, 'x');
    http2_talk([&](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        for (int count = 0; count < 10; ++count) {
            co_await ex.write(as_bytes(piece));
            written += piece.size();
        }
    }).runs([&](frame_peer& peer) -> task<void> {
        peer.gives_credit = false;
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, get("/")));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() == 65'535; }));
        co_await some_turns();
        EXPECT_LT(written, 80'000U);
        co_await peer.say(frame_peer::window(0, 100'000) + frame_peer::window(1, 100'000));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ(100'000U, peer.seen[1].body.size());
    });
}

// What fits into the socket goes there at once, and its rest when there is room, in one order.
TEST(http2_flow_control, sends_much_in_order_however_much_the_socket_takes) {
    constexpr std::int32_t batches = 20;
    constexpr std::int32_t streams = 40;
    const auto body_of = [](std::string_view path) {
        std::string body;
        while (body.size() < 1'000)
            body.append(path);
        return body;
    };
    http2_talk([&](exchange& ex) -> ready_or_task<> {
        return ex.respond(status::ok, {}, body_of(ex.request().target()));
    })
        .over_sockets()
        .runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::window(0, 100 << 20));
            for (std::int32_t batch = 0; batch < batches; ++batch) {
                std::string asked;
                for (std::int32_t at = 0; at < streams; ++at) {
                    const std::int32_t id = 2 * (batch * streams + at) + 1;
                    asked += frame_peer::head(id, get("/" + std::to_string(id)));
                }
                co_await peer.say(std::move(asked));
                co_await some_turns();
                // Makes room for a part of what waits.
                if (batch > 0) {
                    EXPECT_TRUE(co_await peer.until_over(2 * (batch - 1) * streams + 1));
                }
            }
            for (std::int32_t id = 1; id < 2 * batches * streams; id += 2) {
                EXPECT_TRUE(co_await peer.until_over(id));
                EXPECT_EQ(body_of("/" + std::to_string(id)), peer.seen[id].body);
            }
        });
}

TEST(http2_flow_control, gives_credit_for_what_the_handler_has_read) {
    event<> may_read;
    http2_talk(
        [&](exchange& ex) -> task<void> {
            co_await may_read.wait();
            const std::string body = co_await ex.body().read_all(1 << 20);
            co_await ex.respond(status::ok, {}, std::to_string(body.size()));
        },
        speaking_http2(http2_options().stream_window_bytes(65'535)))
        .runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::head(1, post("/"), false));
            const std::string piece(16'000, 'x');
            for (int count = 0; count < 4; ++count)
                co_await peer.say(frame_peer::data(1, piece, false));
            co_await some_turns();
            EXPECT_EQ(0U, peer.credits[1]);
            may_read.set();
            EXPECT_TRUE(co_await peer.until([&] { return peer.credits[1] >= 48'000; }));
            co_await peer.say(frame_peer::data(1, piece, true));
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ("80000", peer.seen[1].body);
        });
}

TEST(http2_flow_control, takes_what_is_beyond_the_window_for_an_error) {
    event<> never;
    http2_talk([&](exchange&) -> task<void> { co_await never.wait(); },
               speaking_http2(http2_options().stream_window_bytes(20'000)))
        .runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            EXPECT_TRUE(co_await peer.until([&] { return peer.settings_acks == 1; }));
            co_await peer.say(frame_peer::head(1, post("/"), false));
            for (int count = 0; count < 2; ++count)
                co_await peer.say(frame_peer::data(1, std::string(16'000, 'x'), false));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_reset || peer.is_over; }));
            EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_FLOW_CONTROL_ERROR), peer.seen[1].code);
        });
}

TEST(http2_flow_control, ends_a_stream_whose_client_takes_nothing) {
    using namespace std::chrono_literals;
    http2_talk(echo_path, speaking_http2().write_timeout(10ms)).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin(settings_of_window_zero);
        co_await peer.say(frame_peer::head(1, get("/never")));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_TRUE(peer.seen[1].is_reset);
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_CANCEL), peer.seen[1].code);
    });
}

TEST(http2_flow_control, discards_a_body_that_the_handler_does_not_read) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, post("/a"), false));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
        EXPECT_EQ("/a", peer.seen[1].body);
        for (int count = 0; count < 40 && !peer.seen[1].is_reset; ++count)
            co_await peer.say(frame_peer::data(1, std::string(16'000, 'x'), false));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_reset; }));
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_NO_ERROR), peer.seen[1].code);
        EXPECT_EQ("/b", (co_await peer.request(3, get("/b"))).body);
    });
}

TEST(http2_flow_control, loses_nothing_of_much_that_comes_at_once) {
    http2_talk([](exchange& ex) -> task<void> {
        const std::string body = co_await ex.body().read_all(1'000'000);
        co_await ex.respond(status::ok, {}, body);
    })
        .over_sockets()
        .runs([](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            EXPECT_TRUE(co_await peer.until([&] { return peer.settings_acks == 1; }));
            std::string sent;
            std::string frames = frame_peer::head(1, post("/"), false);
            for (int count = 0; count < 15; ++count) {
                const std::string piece(16'000, static_cast<char>('a' + count));
                sent += piece;
                frames += frame_peer::data(1, piece, count == 14);
            }
            co_await peer.say(std::move(frames));
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_TRUE(sent == peer.seen[1].body);
        });
}

TEST(http2_flow_control, does_not_mix_frames_of_two_connections) {
    const auto main = []() -> task<void> {
        // Its letter many times, in a head of several frames and a body of which much waits for the client.
        called_handler handler([](exchange& ex) -> task<void> {
            const char letter = ex.request().target()[1];
            const std::string many(40'000, letter);
            const std::array letters = {response_field("letters", many)};
            co_await ex.respond(status::ok, letters, std::string(3'000'000, letter));
        });
        server both(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, speaking_http2());
        const handle<> running = spawn(both.run());
        const endpoint where = both.listener().local_endpoint();
        frame_peer slow(any_stream(co_await tcp_stream::connect(where)));
        frame_peer other(any_stream(co_await tcp_stream::connect(where)));
        const std::string settings = frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1 << 30);
        for (frame_peer* each : {&slow, &other}) {
            co_await each->begin(settings);
            co_await each->say(frame_peer::window(0, 1 << 30));
            each->gives_credit = false;
        }
        for (const std::int32_t id : {1, 3, 5, 7})
            co_await slow.say(frame_peer::head(id, get("/s")));
        for (const std::int32_t id : {1, 3})
            EXPECT_EQ(std::string(3'000'000, 'o'), (co_await other.request(id, get("/o"))).body);
        for (const std::int32_t id : {1, 3, 5, 7}) {
            EXPECT_TRUE(co_await slow.until_over(id));
            EXPECT_EQ(std::string(40'000, 's'), slow.seen[id].field("letters"));
            EXPECT_TRUE(std::string(3'000'000, 's') == slow.seen[id].body);
        }
    };
    eddy::test::run_bounded(main());
}

TEST(http2_flow_control, sends_the_urgent_first) {
    const std::string large(40'000, 'x');
    std::string order;
    http2_talk([&](exchange& ex) -> task<void> {
        co_await ex.respond(status::ok, {}, large);
    }).runs([&](frame_peer& peer) -> task<void> {
        peer.gives_credit = false;
        co_await peer.begin();
        // The connection's window is used up by the first.
        co_await peer.say(frame_peer::head(1, get("/")) + frame_peer::head(3, get("/")));
        EXPECT_TRUE(co_await peer.until(
            [&] { return peer.seen[1].body.size() + peer.seen[3].body.size() == 65'535; }));
        co_await peer.say(frame_peer::head(5, with(get("/"), "priority", "u=7")) +
                          frame_peer::head(7, with(get("/"), "priority", "u=0")));
        EXPECT_TRUE(
            co_await peer.until([&] { return !peer.seen[5].head.empty() && !peer.seen[7].head.empty(); }));
        co_await some_turns();
        co_await peer.say(frame_peer::window(0, 16'384));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[7].body.size() == 16'384; }));
        EXPECT_EQ("", peer.seen[5].body);
    });
}

}  // namespace
}  // namespace eddy::http::test::flow_control_test
