#include "http2/frame_peer.hpp"

#include <eddy/http/server/request_error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

// What a request must be, and its body.
namespace eddy::http::test::request_test {
namespace {

fields without(fields lines, const std::string& name) {
    std::erase_if(lines, [&](const auto& line) { return line.first == name; });
    return lines;
}
TEST(an_http2_request, that_is_malformed_is_a_stream_error) {
    int handled = 0;
    http2_talk([&](exchange& ex) -> task<void> {
        ++handled;
        co_await echo_path(ex);
    }).runs([&](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const std::vector<fields> wrong = {
            without(get("/"), ":method"),
            without(get("/"), ":path"),
            without(get("/"), ":scheme"),
            with(get("/"), ":path", "/twice"),
            with(get("/"), ":unknown", "a"),
            with(with(get("/"), "a", "b"), ":late", "a"),
            get(""),
            get("no-slash"),
            get("/a#b"),
            get("/a b"),
            with(get("/"), "Upper", "a"),
            with(get("/"), "connection", "close"),
            with(get("/"), "transfer-encoding", "chunked"),
            with(get("/"), "te", "gzip"),
            with(get("/"), "host", "other"),
            with(get("/"), "content-length", "3"),
            with(get("/"), "a", std::string("b\0c", 3)),
            with(get("/"), "a", " b"),
            without(get("/"), ":authority"),
        };
        std::int32_t id = 1;
        for (const fields& lines : wrong) {
            const response_seen seen = co_await peer.request(id, lines);
            EXPECT_TRUE(seen.is_reset) << id;
            EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_PROTOCOL_ERROR), seen.code) << id;
            id += 2;
        }
        EXPECT_EQ(0, handled);
        const response_seen good = co_await peer.request(id, get("/good"));
        EXPECT_EQ("/good", good.body) << "the connection goes on";
    });
}

TEST(an_http2_request, may_be_answered_by_a_head_alone) {
    http2_talk([](exchange& ex) -> ready_or_task<> {
        field_block fields;
        fields.add("a", "b");
        return ex.respond_without_body(status::ok, fields);
    }).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen = co_await peer.request(1, get("/"));
        EXPECT_EQ("200", seen.status());
        EXPECT_EQ("b", seen.field("a"));
        EXPECT_EQ("", seen.field("content-length"));
        EXPECT_TRUE(seen.is_ended);
        EXPECT_EQ(0U, seen.data_frames);
    });
}

TEST(an_http2_request, may_name_its_host_in_the_field) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        const response_seen seen =
            co_await peer.request(1, with(without(get("/"), ":authority"), "host", "x"));
        EXPECT_EQ("200", seen.status());
    });
}

TEST(an_http2_request, over_a_limit_gets_its_status) {
    const message_limits limits =
        message_limits().request_line_bytes_max(100).header_count_max(4).head_bytes_max(600).body_bytes_max(
            10);
    http2_talk(echo_path, speaking_http2().limits(limits)).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        EXPECT_EQ("414", (co_await peer.request(1, get("/" + std::string(200, 'a')))).status());
        fields many = get("/");
        for (int at = 0; at < 6; ++at)
            many.emplace_back("a", "b");
        EXPECT_EQ("431", (co_await peer.request(3, many)).status());
        EXPECT_EQ("431", (co_await peer.request(5, with(get("/"), "a", std::string(700, 'b')))).status());
        co_await peer.say(frame_peer::head(7, with(post("/"), "content-length", "11"), false));
        EXPECT_TRUE(co_await peer.until([&] { return peer.seen[7].is_ended; }));
        EXPECT_EQ("413", peer.seen[7].status());
        EXPECT_EQ("417", (co_await peer.request(9, with(get("/"), "expect", "more"))).status());
    });
}

task<void> echo_body(exchange& ex) {
    const std::string body = co_await ex.body().read_all(1 << 20);
    std::string trailers;
    for (const field_list::line& line : ex.body().trailers())
        trailers += line.name() + "=" + line.value();
    co_await ex.respond(status::ok, {}, body + trailers);
}

TEST(an_http2_request, has_a_body_and_trailers) {
    http2_talk(echo_body).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, post("/"), false) + frame_peer::data(1, "one", false) +
                          frame_peer::data(1, "two", false) + frame_peer::head(1, with({}, "sum", "6")));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("onetwosum=6", peer.seen[1].body);
    });
}

TEST(an_http2_request, has_a_body_that_comes_later) {
    http2_talk(echo_body).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, with(post("/"), "content-length", "6"), false));
        for (const std::string piece : {"one", "two"}) {
            for (int turn = 0; turn < 5; ++turn)
                co_await yield();
            co_await peer.say(frame_peer::data(1, piece, piece == "two"));
        }
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("onetwo", peer.seen[1].body);
    });
}

TEST(an_http2_request, with_another_length_than_announced_is_a_stream_error) {
    http2_talk(echo_body).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, with(post("/"), "content-length", "2"), false) +
                          frame_peer::data(1, "three"));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_PROTOCOL_ERROR), peer.seen[1].code);
        co_await peer.say(frame_peer::head(3, with(post("/"), "content-length", "6"), false) +
                          frame_peer::data(3, "three"));
        EXPECT_TRUE(co_await peer.until_over(3));
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_PROTOCOL_ERROR), peer.seen[3].code);
    });
}

TEST(an_http2_request, waits_for_100_continue) {
    http2_talk(echo_body).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, with(post("/"), "expect", "100-continue"), false));
        EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].interim.empty(); }));
        EXPECT_EQ("100", peer.seen[1].interim.front());
        co_await peer.say(frame_peer::data(1, "body"));
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_EQ("body", peer.seen[1].body);
    });
}

TEST(an_http2_request, over_the_limit_of_its_body_fails_where_it_is_read) {
    http2_talk(echo_body, speaking_http2().limits(message_limits().body_bytes_max(4)))
        .runs([](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::head(1, post("/"), false) + frame_peer::data(1, "three"));
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ("413", peer.seen[1].status());
        });
}

TEST(an_http2_request, that_breaks_the_protocol_ends_the_connection) {
    const std::vector<std::pair<std::string, std::uint32_t>> wrong = {
        {text_of({NGHTTP2_DATA, 0, 0, "a"}), NGHTTP2_PROTOCOL_ERROR},
        {text_of({NGHTTP2_HEADERS, NGHTTP2_FLAG_END_HEADERS, 1, "\xff\xff\xff"}), NGHTTP2_COMPRESSION_ERROR},
        {text_of({NGHTTP2_PING, 0, 0, "short"}), NGHTTP2_FRAME_SIZE_ERROR},
        {text_of({NGHTTP2_WINDOW_UPDATE, 0, 0, number(0x7fffffff, 4)}), NGHTTP2_FLOW_CONTROL_ERROR},
        {frame_peer::head(2, get("/")), NGHTTP2_PROTOCOL_ERROR},
        {frame_peer::head(3, get("/")) + frame_peer::head(1, get("/")), NGHTTP2_PROTOCOL_ERROR},
    };
    for (const auto& [text, code] : wrong)
        http2_talk(echo_path).runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(text);
            co_await peer.until_end();
            const std::uint32_t heard = peer.goaways.empty() ? 0 : peer.goaways.back().second;
            EXPECT_EQ(code, heard);
        });
}

}  // namespace
}  // namespace eddy::http::test::request_test
