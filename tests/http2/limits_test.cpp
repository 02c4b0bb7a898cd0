#include "http2/frame_peer.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>

// Attacks, and how each ends.
namespace eddy::http::test::limits_test {
namespace {

constexpr std::uint32_t calm = NGHTTP2_ENHANCE_YOUR_CALM;

/// Says the same again and again until the server has had enough. Returns its last word.
std::uint32_t code_of_flood(const std::string& first, std::function<std::string(int)> more,
                            const http2_options& how = {},
                            server_options options = server_options().name("")) {
    std::uint32_t code = NGHTTP2_NO_ERROR;
    event<> never;
    http2_talk([&](exchange&) -> task<void> { co_await never.wait(); }, options.protocol(http2(how)))
        .runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(first);
            for (int count = 0; count < 3000 && !peer.is_over; ++count)
                co_await peer.say(more(count));
            co_await peer.until_end();
            if (!peer.goaways.empty())
                code = peer.goaways.back().second;
        });
    return code;
}

TEST(http2_limits, end_a_flood_of_pings) {
    const std::string ping = text_of({NGHTTP2_PING, 0, 0, "12345678"});
    EXPECT_EQ(calm, code_of_flood("", [&](int) { return ping; }));
}

TEST(http2_limits, end_a_flood_of_settings) {
    const std::string settings =
        text_of({NGHTTP2_SETTINGS, 0, 0, frame_peer::entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0)});
    EXPECT_EQ(calm, code_of_flood("", [&](int) { return settings; }));
}

TEST(http2_limits, end_a_flood_of_empty_data) {
    EXPECT_EQ(calm, code_of_flood(frame_peer::head(1, post("/"), false),
                                  [](int) { return frame_peer::data(1, "", false); }));
}

TEST(http2_limits, end_a_flood_of_unknown_frames) {
    EXPECT_EQ(calm, code_of_flood("", [](int) { return text_of(frame(0x77, 0, 0, "?")); }));
}

TEST(http2_limits, let_some_unknown_frames_pass) {
    http2_talk(echo_path).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        for (int count = 0; count < 500; ++count)
            co_await peer.say(text_of(frame(0x77, 0, 0, "?")));
        EXPECT_EQ("/", (co_await peer.request(1, get("/"))).body);
    });
}

TEST(http2_limits, end_a_flood_of_priorities) {
    EXPECT_EQ(calm, code_of_flood("", [](int count) {
                  return text_of({NGHTTP2_PRIORITY, 0, 2 * count + 1, number(0, 4) + "\x10"});
              }));
}

TEST(http2_limits, end_rapid_resets) {
    EXPECT_EQ(calm, code_of_flood("", [](int count) {
                  return frame_peer::head(2 * count + 1, get("/")) + frame_peer::reset(2 * count + 1);
              }));
}

TEST(http2_limits, end_resets_that_the_client_provokes) {
    EXPECT_EQ(calm, code_of_flood("", [](int count) {
                  return frame_peer::head(2 * count + 1, get("/"), false) +
                         frame_peer::window(2 * count + 1, 0x7fffffff);
              }));
}

TEST(http2_limits, end_malformed_requests_without_end) {
    EXPECT_EQ(calm,
              code_of_flood("", [](int count) { return frame_peer::head(2 * count + 1, get("/a#b")); }));
}

TEST(http2_limits, end_heads_without_end) {
    const std::string begun = text_of({NGHTTP2_HEADERS, 0, 1, header_block(get("/"))});
    EXPECT_EQ(calm, code_of_flood(begun, [](int) {
                  return text_of({NGHTTP2_CONTINUATION, 0, 1, header_block({{"a", "b"}})});
              }));
}

TEST(http2_limits, end_heads_that_expand_without_measure) {
    // One large field goes into the table, and is named again and again.
    std::string block =
        header_block(get("/")) + '\x40' + '\1' + "a" + "\x7f\xa1\x1e" + std::string(4000, 'x');
    block += std::string(1000, '\xbe');
    const std::string head =
        text_of({NGHTTP2_HEADERS, NGHTTP2_FLAG_END_HEADERS | NGHTTP2_FLAG_END_STREAM, 1, block});
    EXPECT_EQ(calm, code_of_flood("", [&](int) { return head; }));
}

TEST(http2_limits, end_a_head_that_does_not_come) {
    using namespace std::chrono_literals;
    http2_talk(echo_path, speaking_http2().head_timeout(10ms)).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        // Nothing but the rest of the head may follow it.
        EXPECT_TRUE(co_await peer.until([&] { return !peer.settings.empty() && peer.settings_acks == 1; }));
        co_await peer.say(text_of(frame(NGHTTP2_HEADERS, 0, 1, header_block(get("/")))));
        co_await peer.until_end();
        EXPECT_EQ(calm, peer.goaways.back().second);
    });
}

TEST(http2_limits, end_an_idle_connection) {
    using namespace std::chrono_literals;
    http2_talk(echo_path, speaking_http2().idle_timeout(10ms)).runs([](frame_peer& peer) -> task<void> {
        co_await peer.begin();
        co_await peer.until_end();
        EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_NO_ERROR), peer.goaways.back().second);
    });
}

// It could hold the response back for as long as it likes.
TEST(http2_limits, end_a_stream_that_is_read_byte_by_byte) {
    using namespace std::chrono_literals;
    const std::string large(100'000, 'x');
    http2_talk([&](exchange& ex) -> task<void> { co_await ex.respond(status::ok, {}, large); },
               speaking_http2().write_timeout(10ms).write_rate_min(1'000'000))
        .runs([](frame_peer& peer) -> task<void> {
            peer.gives_credit = false;
            co_await peer.begin(frame_peer::entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 1));
            co_await peer.say(frame_peer::head(1, get("/")));
            std::size_t credited = 0;
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].body.empty(); }));
            while (!peer.seen[1].is_over() && !peer.is_over) {
                const std::size_t heard = peer.seen[1].body.size();
                if (credited < heard) {
                    co_await peer.say(frame_peer::window(1, 1));
                    ++credited;
                }
                co_await peer.until(
                    [&] { return peer.seen[1].is_over() || peer.seen[1].body.size() > heard; });
            }
            EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_CANCEL), peer.seen[1].code);
            EXPECT_LT(peer.seen[1].body.size(), 100'000U);
        });
}

TEST(http2_limits, refuse_streams_beyond) {
    event<> held;
    http2_talk(
        [&](exchange& ex) -> task<void> {
            co_await held.wait();
            co_await echo_path(ex);
        },
        speaking_http2(http2_options().streams_max(2)))
        .runs([&](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::head(1, get("/1")) + frame_peer::head(3, get("/3")) +
                              frame_peer::head(5, get("/5")));
            EXPECT_TRUE(co_await peer.until_over(5));
            EXPECT_EQ(static_cast<std::uint32_t>(NGHTTP2_REFUSED_STREAM), peer.seen[5].code);
            held.set();
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_TRUE(co_await peer.until_over(3));
            EXPECT_EQ("/7", (co_await peer.request(7, get("/7"))).body);
        });
}

TEST(http2_limits, end_a_body_that_is_stalled) {
    using namespace std::chrono_literals;
    http2_talk(
        [](exchange& ex) -> task<void> {
            co_await ex.respond(status::ok, {}, co_await ex.body().read_all(100));
        },
        speaking_http2().body_timeout(10ms))
        .runs([](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::head(1, post("/"), false) + frame_peer::data(1, "some", false));
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            EXPECT_EQ("408", peer.seen[1].status());
        });
}

TEST(http2_limits, do_not_end_a_body_without_limits) {
    using namespace std::chrono_literals;
    std::uint64_t bytes = 0;
    http2_talk(
        [&](exchange& ex) -> task<void> {
            ex.body().lift_limits();
            while (!ex.body().is_at_end())
                bytes += (co_await ex.body().read_leased()).size();
            co_await ex.respond(status::ok, {}, "");
        },
        speaking_http2().body_timeout(5ms).limits(message_limits().body_bytes_max(10)))
        .runs([](frame_peer& peer) -> task<void> {
            co_await peer.begin();
            co_await peer.say(frame_peer::head(1, post("/"), false) +
                              frame_peer::data(1, "more than ten bytes", false));
            co_await sleep_for(20ms);
            co_await peer.say(frame_peer::data(1, "the rest"));
            EXPECT_TRUE(co_await peer.until_over(1));
            EXPECT_EQ("200", peer.seen[1].status());
        });
    EXPECT_EQ(27U, bytes);
}

}  // namespace
}  // namespace eddy::http::test::limits_test
