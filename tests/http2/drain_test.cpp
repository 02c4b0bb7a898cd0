#include "http2/frame_peer.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/routing/server_metrics.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <memory>
#include <string>

// A server that ends says GOAWAY twice (RFC 9113 section 6.8).
namespace eddy::http::test::drain_test {
namespace {

TEST(an_http2_drain, lets_requests_end_and_says_goaway_twice) {
    event<> held;
    bool is_begun = false;
    called_handler handler([&](exchange& ex) -> task<void> {
        is_begun = true;
        co_await held.wait();
        co_await echo_path(ex);
    });
    const auto registry = std::make_shared<metrics_registry>();
    server_metrics metrics(registry);
    called_handler counted([&](exchange& ex) -> task<void> { co_await metrics.handle(ex, handler); });
    eddy::test::run_bounded([](request_handler& answering, event<>& may_end, bool& begun,
                               server_metrics& counting) -> task<void> {
        using namespace std::chrono_literals;
        server made(tcp_listener::bind(endpoint::loopback_ipv4(0)), answering, speaking_http2());
        counting.watch(made);
        const endpoint at = made.listener().local_endpoint();
        const handle<void> running = spawn(made.run());
        frame_peer peer(any_stream(co_await tcp_stream::connect(at)));
        peer.answers_pings = false;
        co_await peer.begin();
        co_await peer.say(frame_peer::head(1, get("/1")));
        while (!begun)
            co_await yield();
        made.drain();
        EXPECT_TRUE(co_await peer.until([&] { return peer.goaways.size() == 1; }));
        EXPECT_EQ(std::numeric_limits<std::int32_t>::max(), peer.goaways.front().first);
        // One that was on its way is answered.
        co_await peer.say(frame_peer::head(3, get("/3")));
        co_await peer.say(text_of(frame(NGHTTP2_PING, NGHTTP2_FLAG_ACK, 0, std::string(8, '\0'))));
        EXPECT_TRUE(co_await peer.until([&] { return peer.goaways.size() == 2; }));
        EXPECT_EQ(3, peer.goaways.back().first);
        may_end.set();
        EXPECT_TRUE(co_await peer.until_over(1));
        EXPECT_TRUE(co_await peer.until_over(3));
        EXPECT_EQ("/3", peer.seen[3].body);
        co_await peer.until_end();
        peer.close();
        EXPECT_EQ(0U, co_await made.join(5s));
        const server_statistics counts = made.statistics();
        EXPECT_EQ(1U, counts.http2_connections);
        EXPECT_EQ(2U, counts.http2_streams);
        EXPECT_EQ(2U, counts.http2_goaways);
        EXPECT_EQ(0U, counts.http2_streams_reset);
        EXPECT_EQ(0U, counts.http2_limits_exceeded);
    }(counted, held, is_begun, metrics));
    const std::string text = registry->text();
    EXPECT_NE(text.find("\nhttp2_connections_total 1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nhttp2_streams_total 2\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nhttp2_goaways_total 2\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace eddy::http::test::drain_test
