#include "http2/client_origins.hpp"
#include "support/run_bounded.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What servers must not do to the client: it ends the stream or the connection with the right code, and goes on.
namespace eddy::http::test::client_limits_test {
namespace {

using eddy::test::run_bounded;

/// What the client does about a server that says this once it has the request on stream 1.
struct seen_outcome {
    std::error_code error;
    std::uint32_t reset_code = 0;
    bool is_reset = false;
    std::uint32_t goaway_code = 0;
    bool has_goaway = false;
};

seen_outcome outcome_of(const std::string& text, client_options (*change)(client_options) = nullptr) {
    seen_outcome seen;
    run_bounded([](const std::string& said, client_options (*changed)(client_options),
                   seen_outcome& to) -> task<> {
        framed_origin origin(
            {[&](frame_peer& peer) -> task<void> {
                 co_await peer.begin_as_server();
                 EXPECT_TRUE(co_await peer.until_over(1));
                 co_await peer.say(said);
                 EXPECT_TRUE(
                     co_await peer.until([&] { return peer.seen[1].is_reset || !peer.goaways.empty(); }));
                 to.is_reset = peer.seen[1].is_reset;
                 to.reset_code = peer.seen[1].code;
                 to.has_goaway = !peer.goaways.empty();
                 to.goaway_code = to.has_goaway ? peer.goaways.front().second : 0;
                 bool goes_on = !to.has_goaway;
                 if (goes_on)
                     goes_on = co_await peer.until_over(3);
                 if (goes_on)
                     co_await peer.say(frame_peer::head(3, answer(), false) + frame_peer::data(3, "goes on"));
                 peer.close();
             },
             [](frame_peer& peer) -> task<void> {
                 co_await peer.begin_as_server();
                 EXPECT_TRUE(co_await peer.until_over(1));
                 co_await peer.say(frame_peer::head(1, answer(), false) + frame_peer::data(1, "goes on"));
             }});
        client_options options = origin.options();
        if (changed != nullptr)
            options = changed(std::move(options));
        client by(std::move(options));
        client_request once(method::post, "http://a/");
        try {
            client_response response = co_await by.send(std::move(once));
            static_cast<void>(co_await response.text());
        } catch (const std::system_error& error) {
            to.error = error.code();
        }
        EXPECT_EQ("goes on", co_await text_of(by, "http://a/"));
        co_await origin.script_end(0);
    }(text, change, seen));
    return seen;
}

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    all.reserve(text.size() * count);
    for (; count != 0; --count)
        all += text;
    return all;
}

TEST(http2_client_limits, take_no_push) {
    const std::string promise = text_of(
        frame(NGHTTP2_PUSH_PROMISE, NGHTTP2_FLAG_END_HEADERS, 1, number(2, 4) + header_block(get("/"))));
    const seen_outcome seen = outcome_of(promise);
    EXPECT_TRUE(seen.has_goaway);
    EXPECT_EQ(unsigned{NGHTTP2_PROTOCOL_ERROR}, seen.goaway_code);
    EXPECT_EQ(http_error::connection_closed, seen.error);
}

TEST(http2_client_limits, take_no_more_body_than_announced) {
    const seen_outcome seen = outcome_of(
        frame_peer::head(1, answer("200", {{"content-length", "3"}}), false) + frame_peer::data(1, "four"));
    EXPECT_TRUE(seen.is_reset);
    EXPECT_EQ(unsigned{NGHTTP2_PROTOCOL_ERROR}, seen.reset_code);
    EXPECT_EQ(http_error::malformed_response, seen.error);
}

TEST(http2_client_limits, take_no_less_either) {
    const seen_outcome seen = outcome_of(
        frame_peer::head(1, answer("200", {{"content-length", "5"}}), false) + frame_peer::data(1, "four"));
    EXPECT_TRUE(seen.is_reset);
    EXPECT_EQ(http_error::malformed_response, seen.error);
}

TEST(http2_client_limits, take_no_head_without_a_status) {
    EXPECT_EQ(http_error::malformed_response, outcome_of(frame_peer::head(1, {{"a", "b"}})).error);
    EXPECT_EQ(http_error::malformed_response,
              outcome_of(frame_peer::head(1, {{":status", "200"}, {"connection", "close"}})).error);
    EXPECT_EQ(http_error::malformed_response, outcome_of(frame_peer::head(1, answer("101"), false)).error);
}

TEST(http2_client_limits, take_few_interim_responses) {
    const seen_outcome seen = outcome_of(repeated(frame_peer::head(1, answer("103"), false), 100));
    EXPECT_TRUE(seen.is_reset);
    EXPECT_EQ(http_error::malformed_response, seen.error);
}

TEST(http2_client_limits, take_heads_up_to_their_size) {
    fields many = answer();
    for (int count = 0; count < 40; ++count)
        many.emplace_back("x-" + std::to_string(count), std::string(100, 'v'));
    const auto small = [](client_options options) {
        return std::move(options.limits(response_limits().head_bytes_max(2000)));
    };
    const seen_outcome seen = outcome_of(frame_peer::head(1, many), small);
    EXPECT_TRUE(seen.is_reset || seen.has_goaway);
    EXPECT_EQ(http_error::head_too_large, seen.error);
    const auto fewer = [](client_options options) {
        return std::move(options.limits(response_limits().header_count_max(10)));
    };
    EXPECT_EQ(http_error::head_too_large, outcome_of(frame_peer::head(1, many, false), fewer).error);
    const auto shorter = [](client_options options) {
        return std::move(options.limits(response_limits().trailer_bytes_max(1000)));
    };
    many.erase(many.begin());
    EXPECT_EQ(http_error::head_too_large,
              outcome_of(frame_peer::head(1, answer(), false) + frame_peer::head(1, many), shorter).error);
}

TEST(http2_client_limits, end_a_connection_with_a_far_too_large_head) {
    fields many = answer();
    for (int count = 0; count < 100; ++count)
        many.emplace_back("x-" + std::to_string(count), std::string(120, 'v'));
    const auto small = [](client_options options) {
        return std::move(options.limits(response_limits().head_bytes_max(2000)));
    };
    const seen_outcome seen = outcome_of(frame_peer::head(1, many, false), small);
    EXPECT_EQ(unsigned{NGHTTP2_ENHANCE_YOUR_CALM}, seen.goaway_code);
}

TEST(http2_client_limits, take_bodies_up_to_their_size) {
    const auto small = [](client_options options) {
        return std::move(options.limits(response_limits().body_bytes_max(7)));
    };
    EXPECT_EQ(http_error::body_too_large,
              outcome_of(frame_peer::head(1, answer(), false) + frame_peer::data(1, "too long", false), small)
                  .error);
    EXPECT_EQ(http_error::body_too_large,
              outcome_of(frame_peer::head(1, answer("200", {{"content-length", "8"}}), false), small).error);
}

TEST(http2_client_limits, end_connections_for_floods) {
    const std::string pings = repeated(text_of(frame(NGHTTP2_PING, 0, 0, std::string(8, 'p'))), 3000);
    const std::string settings = repeated(text_of(frame(NGHTTP2_SETTINGS, 0, 0, "")), 3000);
    const std::string empty =
        frame_peer::head(1, answer(), false) + repeated(frame_peer::data(1, "", false), 3000);
    std::string continuations =
        text_of(frame(NGHTTP2_HEADERS, 0, 1, header_block(answer()))) +
        repeated(text_of(frame(NGHTTP2_CONTINUATION, 0, 1, header_block({{"a", "b"}}))), 20);
    for (const std::string& flood : {pings, settings, empty, continuations}) {
        const seen_outcome seen = outcome_of(flood);
        EXPECT_EQ(unsigned{NGHTTP2_ENHANCE_YOUR_CALM}, seen.goaway_code);
        EXPECT_TRUE(seen.error);
    }
}

TEST(http2_client_limits, end_connections_that_do_not_speak_the_protocol) {
    for (const std::string& said : {std::string("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
                                    text_of(frame(NGHTTP2_DATA, 0, 0, "x")),
                                    text_of(frame(NGHTTP2_HEADERS, 4, 2, header_block(answer()))),
                                    frame_peer::window(1, 0x7fffffff) + frame_peer::window(0, 0x7fffffff)}) {
        const seen_outcome seen = outcome_of(said);
        EXPECT_TRUE(seen.has_goaway);
        EXPECT_NE(0U, seen.goaway_code);
        EXPECT_TRUE(seen.error);
    }
}

// Each stream that the server resets was begun by the client.
TEST(http2_client_limits, end_a_connection_on_which_the_server_resets_too_much) {
    run_bounded([]() -> task<> {
        std::size_t resets = 0;
        std::uint32_t code = 0;
        framed_origin origin({[&](frame_peer& peer) -> task<void> {
            co_await peer.begin_as_server();
            for (std::int32_t id = 1; peer.goaways.empty(); id += 2) {
                const bool has_come =
                    co_await peer.until([&] { return peer.seen[id].is_over() || !peer.goaways.empty(); });
                if (!has_come)
                    break;
                ++resets;
                co_await peer.say(frame_peer::reset(id));
            }
            code = peer.goaways.empty() ? 0 : peer.goaways.front().second;
        }});
        client by(origin.options());
        for (int count = 0; count < 1000; ++count) {
            const std::error_code error = co_await error_of(by.get("http://a/"));
            if (error == std::errc::connection_refused)
                break;
        }
        co_await origin.script_end(0);
        EXPECT_EQ(unsigned{NGHTTP2_ENHANCE_YOUR_CALM}, code);
        EXPECT_GE(1000U, resets);
    }());
}

}  // namespace
}  // namespace eddy::http::test::client_limits_test
