#include "http2/client_origins.hpp"
#include "rpc/rpc_cluster.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// Calls that are made again, as a service config says.
namespace eddy::rpc::test::retry_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using http::test::frame_peer;
using http::test::framed_origin;

constexpr std::string_view greet = "/test.Greeter/Greet";
constexpr std::string_view join = "/test.Greeter/Join";

std::string config(const std::string& of_method, const std::string& more = "") {
    return R"({"methodConfig": [{"name": [{"service": "test.Greeter"}], )" + of_method + "}]" + more + "}";
}
const std::string three_attempts = config(
    R"("retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.001s", "maxBackoff": "0.002s", "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE", "aborted"]})");
const std::string three_hedges =
    config(R"("hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "0.001s", "nonFatalStatusCodes": [14]})");

/// A service whose calls fail so many times first.
class failing_origin : public rpc_origin {
public:
    explicit failing_origin(int count) : failures(count) {
        greeter.add_unary<std::string, std::string>(
            "Greet", [this](server_call& call, std::string text) -> task<std::string> {
                fail_or_go_on(call);
                co_return text + "!";
            });
        greeter.add_client_streaming<std::string, std::string>(
            "Join", [this](server_call& call, reader<std::string>& requests) -> task<std::string> {
                std::string all;
                while (auto request = co_await requests.read()) {
                    all += *request;
                    if (*request == "fail")
                        fail_or_go_on(call);
                }
                co_return all;
            });
    }

    int failures;
    status_code code = status_code::unavailable;
    std::string pushback;           ///< of failures
    std::vector<std::string> seen;  ///< grpc-previous-rpc-attempts

private:
    void fail_or_go_on(server_call& call) {
        seen.emplace_back(call.request_metadata().find("grpc-previous-rpc-attempts").value_or("none"));
        if (failures-- <= 0)
            return;
        if (!pushback.empty())
            call.add_trailing_metadata("grpc-retry-pushback-ms", pushback);
        throw error(code);
    }
};

TEST(rpc_retry, a_call_is_made_again_until_it_succeeds) {
    run_bounded([]() -> task<> {
        failing_origin origin(2);
        const channel to = origin.connect(channel_options().service_config(three_attempts));
        call_info info;
        EXPECT_EQ("a!", co_await call<std::string>(to, greet, std::string("a"), call_options().info(&info)));
        EXPECT_EQ(std::vector<std::string>({"none", "1", "2"}), origin.seen);
        EXPECT_EQ(3U, info.attempts());
        EXPECT_EQ(6U, info.bytes_sent());
        EXPECT_EQ(7U, info.bytes_received());
        EXPECT_EQ(1U, origin.connected());
    }());
}

TEST(rpc_retry, ends_with_the_last_failure_and_others_are_final) {
    run_bounded([]() -> task<> {
        const auto seen_with = [](status_code code, std::string pushback,
                                  std::string policy) -> task<std::size_t> {
            failing_origin origin(1'000);
            origin.code = code;
            origin.pushback = std::move(pushback);
            const channel to = origin.connect(channel_options().service_config(std::move(policy)));
            EXPECT_EQ(code, co_await code_of(call<std::string>(to, greet, std::string("a"))));
            co_return origin.seen.size();
        };
        EXPECT_EQ(3U, co_await seen_with(status_code::unavailable, "", three_attempts));
        EXPECT_EQ(3U, co_await seen_with(status_code::aborted, "", three_attempts));
        EXPECT_EQ(1U, co_await seen_with(status_code::internal, "", three_attempts));
        EXPECT_EQ(1U, co_await seen_with(status_code::unavailable, "-1", three_attempts));
        EXPECT_EQ(1U, co_await seen_with(status_code::unavailable, "soon", three_attempts));
        EXPECT_EQ(3U, co_await seen_with(status_code::unavailable, "1", three_attempts));
        EXPECT_EQ(1U, co_await seen_with(status_code::unavailable, "", "{}"));
    }());
}

TEST(rpc_retry, what_has_begun_is_not_made_again) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        int calls = 0;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call& call, std::string) -> task<std::string> {
                ++calls;
                co_await call.send_initial_metadata();
                throw error(status_code::unavailable);
            });
        const channel to = origin.connect(channel_options().service_config(three_attempts));
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ(1, calls);
    }());
}

TEST(rpc_retry, a_deadline_ends_the_wait_for_another_attempt) {
    run_bounded([]() -> task<> {
        failing_origin origin(1'000);
        origin.pushback = "1000000";
        const channel to = origin.connect(channel_options().service_config(three_attempts));
        EXPECT_EQ(
            status_code::deadline_exceeded,
            co_await code_of(call<std::string>(to, greet, std::string("a"), call_options().timeout(20ms))));
        EXPECT_EQ(1U, origin.seen.size());
    }());
}

TEST(rpc_retry, too_many_failures_end_it) {
    run_bounded([]() -> task<> {
        failing_origin origin(1'000);
        std::string throttled = three_attempts;
        throttled.insert(throttled.size() - 1, R"(, "retryThrottling": {"maxTokens": 4, "tokenRatio": 0.5})");
        const channel to = origin.connect(channel_options().service_config(throttled));
        // 4 tokens, of which more than 2 have to be left.
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ(2U, origin.seen.size());
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ(3U, origin.seen.size());
        origin.failures = 0;
        for (int turn = 0; turn < 5; ++turn)
            static_cast<void>(co_await call<std::string>(to, greet, std::string("a")));
        origin.failures = 1;
        EXPECT_EQ("a!", co_await call<std::string>(to, greet, std::string("a")));
    }());
}

TEST(rpc_retry, a_stream_of_requests_is_sent_again_from_its_beginning) {
    run_bounded([]() -> task<> {
        failing_origin origin(2);
        const channel to = origin.connect(channel_options().service_config(three_attempts));
        auto stream = open_stream<std::string, std::string>(to, join);
        EXPECT_TRUE(co_await stream.write("a"));
        EXPECT_TRUE(co_await stream.write("fail"));
        while (origin.seen.size() < 2)
            co_await yield();
        EXPECT_TRUE(co_await stream.write("b"));
        EXPECT_EQ("afailb", co_await stream.finish());
        EXPECT_EQ(3U, origin.seen.size());
    }());
}

TEST(rpc_retry, a_stream_that_is_longer_than_what_is_kept_is_sent_once) {
    run_bounded([]() -> task<> {
        failing_origin origin(2);
        const channel to =
            origin.connect(channel_options().service_config(three_attempts).retry_bytes_max(100'000));
        auto stream = open_stream<std::string, std::string>(to, join);
        for (int count = 0; count < 20; ++count)
            EXPECT_TRUE(co_await stream.write(std::string(10'000, 'x')));
        static_cast<void>(co_await stream.write("fail"));
        EXPECT_EQ(status_code::unavailable, co_await code_of(stream.finish()));
        EXPECT_EQ(1U, origin.seen.size());
    }());
}

TEST(rpc_retry, what_no_server_has_processed_is_sent_again_without_a_policy) {
    run_bounded([]() -> task<> {
        event<> sent_again;
        const auto refuse = [](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return !peer.seen[1].body.empty(); }));
            co_await peer.say(frame_peer::reset(1, NGHTTP2_REFUSED_STREAM));
            co_await peer.until_end();
        };
        // The same stream of requests, which goes on.
        const auto respond = [&sent_again](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].body.size() == 6; }));
            sent_again.set();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            EXPECT_EQ(12U, peer.seen[1].body.size());
            const auto head =
                http::test::with(http::test::with(http::test::answer(), "content-type", "application/grpc"),
                                 "grpc-status", "9");
            co_await peer.say(frame_peer::head(1, head));
        };
        framed_origin origin({refuse, respond});
        const channel to("http://a.test", channel_options().transport(origin.options().transport()));
        auto stream = open_stream<std::string, std::string>(to, join);
        EXPECT_TRUE(co_await stream.write("a"));
        co_await sent_again.wait();
        EXPECT_TRUE(co_await stream.write("b"));
        EXPECT_EQ(status_code::failed_precondition, co_await code_of(stream.finish()));
    }());
}

// Of two calls on one connection, that which GOAWAY leaves out was not processed; the other goes on there.
TEST(rpc_retry, what_a_goaway_leaves_out_is_sent_again_elsewhere) {
    run_bounded([]() -> task<> {
        event<> was_sent_again;
        const auto fail_with = [](frame_peer& peer, std::int32_t stream, const char* code) -> task<> {
            const auto head =
                http::test::with(http::test::with(http::test::answer(), "content-type", "application/grpc"),
                                 "grpc-status", code);
            co_await peer.say(frame_peer::head(stream, head));
        };
        const auto leave = [&](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended && peer.seen[3].is_ended; }));
            co_await peer.say(http::test::text_of(http::test::frame(
                NGHTTP2_GOAWAY, 0, 0, http::test::number(1, 4) + http::test::number(NGHTTP2_NO_ERROR, 4))));
            co_await was_sent_again.wait();
            co_await fail_with(peer, 1, "9");
            co_await peer.until_end();
        };
        const auto respond = [&](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            co_await fail_with(peer, 1, "10");
            was_sent_again.set();
        };
        framed_origin origin({leave, respond});
        const channel to("http://a.test", channel_options().transport(origin.options().transport()));
        auto kept = spawn(code_of(call<std::string>(to, greet, std::string("a"))));
        auto left_out = spawn(code_of(call<std::string>(to, greet, std::string("b"))));
        EXPECT_EQ(status_code::aborted, co_await left_out);
        EXPECT_EQ(status_code::failed_precondition, co_await kept);
        EXPECT_EQ(2U, origin.connected());
    }());
}

TEST(rpc_retry, what_servers_keep_refusing_is_sent_six_times_in_all) {
    run_bounded([]() -> task<> {
        int requests = 0;
        const auto refuse = [&requests](frame_peer& peer) -> task<> {
            co_await peer.begin_as_server();
            EXPECT_TRUE(co_await peer.until([&] { return peer.seen[1].is_ended; }));
            ++requests;
            co_await peer.say(frame_peer::reset(1, NGHTTP2_REFUSED_STREAM));
            co_await peer.until_end();
        };
        framed_origin origin(
            {refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse});
        const channel to("http://a.test", channel_options().transport(origin.options().transport()));
        EXPECT_EQ(status_code::unavailable, co_await code_of(call<std::string>(to, greet, std::string("a"))));
        EXPECT_EQ(6, requests);
    }());
}

TEST(rpc_retry, a_retry_goes_to_the_next_address) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(3);
        for (std::size_t node = 0; node < 2; ++node)
            nodes[node].greeter.add_unary<std::string, std::string>(
                "Greet", [](server_call&, std::string) -> task<std::string> {
                    throw error(status_code::unavailable);
                    co_return "";
                });
        nodes[2].greeter.add_unary<std::string, std::string>("Greet", echo);
        const channel to =
            nodes.connect(channel_options().balancing(balancing::round_robin).service_config(three_attempts));
        co_await nodes.until_called(to, "012");
        for (int turn = 0; turn < 10; ++turn)
            EXPECT_EQ("a", co_await call<std::string>(to, greet, std::string("a")));
    }());
}

TEST(rpc_retry, attempts_beside_each_other_end_with_the_first_that_responds) {
    run_bounded([]() -> task<> {
        int calls = 0;
        int dropped = 0;
        event<> never;
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>(
            "Greet", [&](server_call&, std::string text) -> task<std::string> {
                struct counted {
                    explicit counted(int& count) noexcept : count_(count) {}
                    counted(const counted&) = delete;
                    counted& operator=(const counted&) = delete;
                    ~counted() { ++count_; }
                    int& count_;
                };
                if (++calls < 3) {
                    const counted counting(dropped);
                    co_await never.wait();
                }
                co_return text + "!";
            });
        const channel to = origin.connect(channel_options().service_config(three_hedges));
        EXPECT_EQ("a!", co_await call<std::string>(to, greet, std::string("a")));
        EXPECT_EQ(3, calls);
        while (dropped < 2)
            co_await yield();
    }());
}

TEST(rpc_retry, an_attempt_that_fails_lets_the_next_one_begin) {
    run_bounded([]() -> task<> {
        const auto attempt = [](int failures, status_code code, std::string pushback) -> task<std::string> {
            failing_origin origin(failures);
            origin.code = code;
            origin.pushback = std::move(pushback);
            const channel to = origin.connect(channel_options().service_config(config(
                R"("hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "1000s", "nonFatalStatusCodes": [14]})")));
            const status_code end = co_await code_of(call<std::string>(to, greet, std::string("a")));
            co_return std::string(to_string(end)) + std::to_string(origin.seen.size());
        };
        EXPECT_EQ("OK3", co_await attempt(2, status_code::unavailable, ""));
        EXPECT_EQ("UNAVAILABLE3", co_await attempt(9, status_code::unavailable, ""));
        EXPECT_EQ("ABORTED1", co_await attempt(9, status_code::aborted, ""));
        EXPECT_EQ("UNAVAILABLE1", co_await attempt(9, status_code::unavailable, "-1"));
        EXPECT_EQ("OK2", co_await attempt(1, status_code::unavailable, "1"));
    }());
}

TEST(rpc_retry, attempts_beside_each_other_send_the_same_stream) {
    run_bounded([]() -> task<> {
        int calls = 0;
        event<> never;
        rpc_origin origin;
        origin.greeter.add_client_streaming<std::string, std::string>(
            "Join", [&](server_call&, reader<std::string>& requests) -> task<std::string> {
                const int own = ++calls;
                std::string all;
                while (auto request = co_await requests.read())
                    all += *request;
                if (own != 2)
                    co_await never.wait();
                co_return all;
            });
        const channel to = origin.connect(channel_options().service_config(three_hedges));
        auto stream = open_stream<std::string, std::string>(to, join);
        EXPECT_TRUE(co_await stream.write("a"));
        while (calls < 3)
            co_await yield();
        EXPECT_TRUE(co_await stream.write("b"));
        EXPECT_EQ("ab", co_await stream.finish());
    }());
}

TEST(rpc_retry, of_a_stream_that_is_too_long_one_attempt_goes_on) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        int calls = 0;
        origin.greeter.add_client_streaming<std::string, std::string>(
            "Join", [&](server_call&, reader<std::string>& requests) -> task<std::string> {
                ++calls;
                std::size_t size = 0;
                while (auto request = co_await requests.read())
                    size += request->size();
                co_return std::to_string(size);
            });
        const channel to =
            origin.connect(channel_options().service_config(three_hedges).retry_bytes_max(20'000));
        auto stream = open_stream<std::string, std::string>(to, join);
        EXPECT_TRUE(co_await stream.write("a"));
        while (calls < 2)
            co_await yield();
        for (int count = 0; count < 50; ++count)
            EXPECT_TRUE(co_await stream.write(std::string(10'000, 'x')));
        EXPECT_EQ("500001", co_await stream.finish());
    }());
}

TEST(rpc_retry, a_config_says_how_a_method_is_called) {
    run_bounded([]() -> task<> {
        event<> never;
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", echo);
        origin.greeter.add_unary<std::string, std::string>(
            "Wait", [&](server_call&, std::string) -> task<std::string> {
                co_await never.wait();
                co_return "";
            });
        origin.refusals = 2;
        const channel to = origin.connect(channel_options().reconnect_wait(1ms, 2ms).service_config(
            R"({"methodConfig": [
                {"name": [{"service": "test.Greeter", "method": "Wait"}], "timeout": "0.02s"},
                {"name": [{"service": "test.Greeter"}], "waitForReady": true, "maxRequestMessageBytes": 3,
                 "maxResponseMessageBytes": "2"}]})"));
        EXPECT_EQ("ab", co_await call<std::string>(to, greet, std::string("ab")));
        EXPECT_EQ(status_code::resource_exhausted,
                  co_await code_of(call<std::string>(to, greet, std::string("abc"))));
        EXPECT_THROW(static_cast<void>(call<std::string>(to, greet, std::string("abcd"))), error);
        EXPECT_EQ(status_code::deadline_exceeded,
                  co_await code_of(call<std::string>(to, "/test.Greeter/Wait", std::string())));
        EXPECT_THROW(static_cast<void>(origin.connect(channel_options().service_config("{"))),
                     std::invalid_argument);
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::retry_test
