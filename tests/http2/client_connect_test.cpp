#include "http2/client_origins.hpp"
#include "http2/frames.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <string>

// Connections as a client's user sees them beside requests.
namespace eddy::http::test::client_connect_test {
namespace {

using eddy::test::run_bounded;

TEST(http2_client_connect, connects_ahead_of_requests_and_notices_the_end) {
    run_bounded([]() -> task<> {
        served_origin origin(echo_path);
        client by(origin.options());
        EXPECT_FALSE(by.is_connected());
        co_await by.disconnected();
        co_await by.connect("http://a.test");
        EXPECT_TRUE(by.is_connected());
        co_await by.connect("http://a.test/b");
        EXPECT_EQ("/b", co_await text_of(by, "http://a.test/b"));
        EXPECT_EQ(1U, origin.connected());
        handle<> noticing = spawn(by.disconnected());
        for (int turn = 0; turn < 20; ++turn)
            co_await yield();
        EXPECT_FALSE(noticing.done());
        origin.cut();
        co_await noticing;
        EXPECT_FALSE(by.is_connected());
        co_await by.connect("http://a.test");
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(http2_client_connect, a_connection_that_goes_away_takes_no_requests) {
    run_bounded([]() -> task<> {
        event<> asked;
        framed_origin origin({[&](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            co_await peer.say(text_of(frame(NGHTTP2_GOAWAY, 0, 0, number(1, 4) + number(0, 4))));
            co_await asked.wait();
            co_await peer.say(frame_peer::head(1, answer(), true));
            co_await peer.until_end();
        }});
        client by(origin.options());
        handle<std::string> asking = spawn(text_of(by, "http://a.test/b"));
        co_await by.connect("http://a.test");
        co_await by.disconnected();
        EXPECT_FALSE(by.is_connected());
        asked.set();
        EXPECT_EQ("", co_await asking);
    }());
}

}  // namespace
}  // namespace eddy::http::test::client_connect_test
