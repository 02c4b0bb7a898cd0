#include "http2/frame_peer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/router.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <string>

// Requests and responses as a client sees them.
namespace eddy::http::test::http2_test {
namespace {

TEST(http2, says_what_it_allows_and_confirms_settings) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        EXPECT_TRUE(co_await peer.until([&] { return peer.settings_acks == 1 && peer.credit != 0; }));
        EXPECT_EQ(100U, peer.settings[NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS]);
        EXPECT_EQ(256U * 1024, peer.settings[NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE]);
        EXPECT_EQ(1U, peer.settings[NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL]);
        EXPECT_EQ(1U, peer.settings[NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES]);
        EXPECT_EQ((1U << 20) - 65'535, peer.credit);
    });
}

TEST(http2, answers_a_request) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/a?b"));
        EXPECT_EQ("200", seen.status());
        EXPECT_EQ("4", seen.field("content-length"));
        EXPECT_NE("", seen.field("date"));
        EXPECT_EQ("/a?b", seen.body);
        EXPECT_TRUE(seen.is_ended);
    });
}

TEST(http2, is_recognised_byte_by_byte) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        const std::string all = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + text_of({NGHTTP2_SETTINGS, 0, 0, ""}) +
                                frame_peer::head(1, get("/bytes"));
        for (const char byte : all) {
            co_await peer.say(std::string(1, byte));
            for (int turn = 0; turn < 3; ++turn)
                co_await yield();
        }
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("/bytes", peer.seen[1].body);
    });
}

TEST(http2, answers_many_streams_of_one_packet) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        std::string all;
        for (std::int32_t id = 1; id < 200; id += 2)
            all += frame_peer::head(id, get("/" + std::to_string(id)));
        co_await peer.say(all);
        for (std::int32_t id = 1; id < 200; id += 2) {
            EXPECT_TRUE(co_await peer.until_over(id));
            EXPECT_EQ("/" + std::to_string(id), peer.seen[id].body);
        }
    });
}

TEST(http2, lets_a_later_stream_overtake) {
    event<> held;
    http2_talk([&](exchange& ex) -> task<void> {
        if (ex.request().path() == "/slow")
            co_await held.wait();
        co_await ex.respond(status::ok, {}, ex.request().path());
    }).runs([&](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, get("/slow")) + frame_peer::head(3, get("/quick")));
        EXPECT_TRUE(co_await peer.until_over(3));
        EXPECT_FALSE(peer.seen[1].is_over());
        held.set();
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("/slow", peer.seen[1].body);
    });
}

TEST(http2, leaves_the_body_out_for_head_and_no_content) {
    http2_talk([](exchange& ex) -> task<void> {
        const bool is_empty = ex.request().path() == "/none";
        co_await ex.respond(is_empty ? status::no_content : status::ok, {}, is_empty ? "" : "12345");
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        fields head = get("/");
        head[0].second = "HEAD";
        const response_seen none = co_await peer.request(1, head);
        EXPECT_EQ("5", none.field("content-length"));
        EXPECT_EQ(0U, none.data_frames);
        EXPECT_TRUE(none.is_ended);
        const response_seen no_content = co_await peer.request(3, get("/none"));
        EXPECT_EQ("204", no_content.status());
        EXPECT_EQ("", no_content.field("content-length"));
        EXPECT_TRUE(no_content.is_ended);
    });
}

TEST(http2, sends_a_body_in_pieces_and_trailers) {
    http2_talk([](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        for (const std::string_view piece : {"one", "two"}) {
            co_await ex.write(as_bytes(piece));
            co_await ex.flush();
            co_await yield();
        }
        ex.add_trailer("Checksum", "6");
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_EQ("onetwo", seen.body);
        EXPECT_EQ("", seen.field("transfer-encoding"));
        EXPECT_EQ((fields{{"checksum", "6"}}), seen.trailers);
        EXPECT_TRUE(seen.is_ended);
    });
}

TEST(http2, sends_a_large_body_whole) {
    const std::string large(1'000'000, 'x');
    http2_talk([&](exchange& ex) -> task<void> {
        co_await ex.respond(status::ok, {}, large);
    }).runs([&](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_EQ(large.size(), seen.body.size());
        EXPECT_TRUE(seen.is_ended);
    });
}

TEST(http2, leaves_out_fields_of_a_connection) {
    http2_talk([](exchange& ex) -> task<void> {
        const std::array<response_field, 3> added = {response_field("Connection", "close"),
                                                     response_field("Keep-Alive", "1"),
                                                     response_field("X-Own", "kept")};
        co_await ex.respond(status::ok, added, "");
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_EQ("", seen.field("connection"));
        EXPECT_EQ("", seen.field("keep-alive"));
        EXPECT_EQ("kept", seen.field("x-own"));
    });
}

TEST(http2, resets_the_stream_of_a_handler_that_fails_after_it_has_begun) {
    http2_talk([](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes(std::string_view("some")));
        co_await ex.flush();
        throw request_error(status::bad_request, "no more");
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_TRUE(seen.is_reset);
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_INTERNAL_ERROR), seen.code);
        const response_seen next = co_await peer.request(3, get("/"));
        EXPECT_TRUE(next.is_reset) << "the connection goes on";
    });
}

TEST(http2, answers_for_a_handler_that_fails_before) {
    http2_talk([](exchange&) -> task<void> {
        throw request_error(status::not_found, "nothing here");
        co_return;
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_EQ("404", seen.status());
        EXPECT_EQ("nothing here\n", seen.body);
    });
}

TEST(http2, drops_the_handler_of_a_stream_that_the_client_resets) {
    int begun = 0;
    int dropped = 0;
    event<> never;
    http2_talk([&](exchange&) -> task<void> {
        struct counted {
            int& count;
            explicit counted(int& counter) : count(counter) {}
            ~counted() { ++count; }
        } const here(dropped);
        ++begun;
        co_await never.wait();
    }).runs([&](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, get("/")));
        while (begun == 0)
            co_await yield();
        co_await peer.say(frame_peer::reset(1));
        while (dropped == 0)
            co_await yield();
        EXPECT_EQ(1, dropped);
    });
}

TEST(http2, drops_handlers_when_the_connection_ends) {
    int begun = 0;
    int dropped = 0;
    event<> never;
    http2_talk([&](exchange&) -> task<void> {
        struct counted {
            int& count;
            explicit counted(int& counter) : count(counter) {}
            ~counted() { ++count; }
        } const here(dropped);
        ++begun;
        co_await never.wait();
    }).runs([&](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, get("/")) + frame_peer::head(3, get("/")));
        while (begun < 2)
            co_await yield();
    });
    EXPECT_EQ(2, dropped);
}

TEST(http2, has_http_1_beside_it) {
    called_handler handler(echo_path);
    eddy::test::run_bounded([](request_handler& answering) -> task<void> {
        auto [client, served] = duplex(65'536);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), answering, speaking_http2()));
        const std::string_view asked = "GET /old HTTP/1.1\r\nHost: x\r\n\r\n";
        co_await client.write_all(as_bytes(asked));
        co_await client.shutdown();
        std::string heard;
        std::array<std::byte, 4096> room;
        while (const std::size_t count = co_await client.read(room))
            heard.append(as_text(std::span<const std::byte>(room).first(count)));
        EXPECT_TRUE(heard.starts_with("HTTP/1.1 200 OK\r\n")) << heard;
        EXPECT_TRUE(heard.ends_with("/old")) << heard;
        co_await serving;
    }(handler));
}

TEST(http2, is_the_version_of_the_request) {
    http2_talk([](exchange& ex) -> task<void> {
        EXPECT_EQ(2U, ex.request().major_version());
        EXPECT_EQ("x", ex.request().authority());
        EXPECT_EQ("x", ex.request().find(field::host));
        EXPECT_EQ("a=1; b=2", ex.request().find(field::cookie));
        co_await ex.respond(status::ok, {}, "");
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen =
            co_await peer.request(1, with(with(with(get("/"), "cookie", "a=1"), "x", "y"), "cookie", "b=2"));
        EXPECT_EQ("200", seen.status());
    });
}

}  // namespace
}  // namespace eddy::http::test::http2_test
