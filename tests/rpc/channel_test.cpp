#include "rpc/rpc_cluster.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/http/routing/metrics_registry.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

// What channels do around calls: health, credentials, metrics.
namespace eddy::rpc::test::channel_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;

constexpr std::string_view greet = "/test.Greeter/Greet";

const std::string with_health =
    R"({"loadBalancingConfig": [{"round_robin": {}}], "healthCheckConfig": {"serviceName": "test.Greeter"}})";

TEST(rpc_channel, calls_go_where_the_server_says_that_it_is_healthy) {
    run_bounded([]() -> task<> {
        health_service first;
        health_service second;
        rpc_cluster nodes(3);
        nodes[0].calls.add(first);
        nodes[1].calls.add(second);
        first.set("test.Greeter", serving_status::not_serving);
        second.set("test.Greeter", serving_status::serving);
        // The third one has no service of health.
        const channel to =
            nodes.connect(channel_options().service_config(with_health).reconnect_wait(1ms, 2ms));
        co_await nodes.until_called(to, "12");
        for (int turn = 0; turn < 10; ++turn)
            EXPECT_NE("0", co_await nodes.ask(to));
        first.set("test.Greeter", serving_status::serving);
        co_await nodes.until_called(to, "0");
        second.set("test.Greeter", serving_status::not_serving);
        for (int others = 0; others < 10;) {
            const std::string seen = co_await nodes.ask(to);
            others = seen == "1" ? 0 : others + 1;
        }
    }());
}

TEST(rpc_channel, without_a_healthy_server_a_call_is_unavailable) {
    run_bounded([]() -> task<> {
        health_service health;
        rpc_cluster nodes(1);
        nodes[0].calls.add(health);
        health.set("test.Greeter", serving_status::not_serving);
        const channel to = nodes.connect(channel_options().service_config(with_health));
        const status end = co_await status_of(nodes.ask(to));
        EXPECT_EQ(status_code::unavailable, end.code());
        EXPECT_EQ("the server does not serve test.Greeter", end.message());
    }());
}

task<std::string> authorization(server_call& call, std::string) {
    std::string all;
    for (const std::string_view each : call.request_metadata().find_all("authorization"))
        all.append(each).append(";");
    co_return all;
}

TEST(rpc_channel, credentials_make_metadata_for_each_call) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", &authorization);
        int made = 0;
        const auto by = [&made](std::string service, std::string method) -> task<metadata> {
            co_await yield();
            ++made;
            co_return metadata().add("authorization", service + method + std::to_string(made));
        };
        const channel to = origin.connect(channel_options().credentials(by).insecure_credentials(true));
        const std::string where = "http://origin.test/test.Greeter/test.Greeter/Greet";
        EXPECT_EQ(where + "1;", co_await call<std::string>(to, greet, std::string()));
        EXPECT_EQ(where + "2;" + where + "3;",
                  co_await call<std::string>(to, greet, std::string(), call_options().credentials(by)));
    }());
}

TEST(rpc_channel, credentials_that_fail_end_the_call) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Greet", &authorization);
        const channel in_clear = origin.connect();
        const channel to = origin.connect(channel_options().insecure_credentials(true));
        const auto code = [](const channel& through, call_credentials by) {
            return code_of(call<std::string>(through, greet, std::string(),
                                             call_options().credentials(std::move(by)).timeout(20ms)));
        };
        const call_credentials good = [](std::string, std::string) -> task<metadata> {
            co_return metadata();
        };
        EXPECT_EQ(status_code::unauthenticated, co_await code(in_clear, good));
        EXPECT_EQ(status_code::ok, co_await code(to, good));
        const call_credentials refuse = [](std::string, std::string) -> task<metadata> {
            throw error(status_code::permission_denied);
            co_return metadata();
        };
        EXPECT_EQ(status_code::permission_denied, co_await code(to, refuse));
        const call_credentials fail = [](std::string, std::string) -> task<metadata> {
            throw std::runtime_error("no token");
            co_return metadata();
        };
        EXPECT_EQ(status_code::unavailable, co_await code(to, fail));
        event<> never;
        const call_credentials wait = [&never](std::string, std::string) -> task<metadata> {
            co_await never.wait();
            co_return metadata();
        };
        EXPECT_EQ(status_code::deadline_exceeded, co_await code(to, wait));
    }());
}

TEST(rpc_channel, calls_are_counted_on_both_sides) {
    run_bounded([]() -> task<> {
        const auto registry = std::make_shared<http::metrics_registry>();
        {
            event<> began;
            event<> never;
            rpc_origin origin(services_options().metrics(registry));
            origin.greeter.add_unary<std::string, std::string>(
                "Greet", [&](server_call&, std::string text) -> task<std::string> {
                    if (text.empty())
                        throw error(status_code::not_found);
                    if (text == "wait") {
                        began.set();
                        co_await never.wait();
                    }
                    co_return text + text;
                });
            const channel to = origin.connect(channel_options().metrics(registry));
            EXPECT_EQ("aa", co_await call<std::string>(to, greet, std::string("a")));
            EXPECT_EQ(status_code::not_found, co_await code_of(call<std::string>(to, greet, std::string())));
            EXPECT_EQ(status_code::unimplemented,
                      co_await code_of(call<std::string>(to, "/test.Greeter/None", std::string())));
            {
                const handle<std::string> dropped = spawn(call<std::string>(to, greet, std::string("wait")));
                co_await began.wait();
            }
            while (origin.calls.calls() != 0)
                co_await yield();
        }
        const std::string text = registry->text();
        const auto has = [&](const std::string& line) { return text.find(line + "\n") != std::string::npos; };
        for (const std::string side : {"client", "server"}) {
            const std::string front = "grpc_" + side + "_call_";
            const std::string method = "{grpc_method=\"test.Greeter/Greet\"";
            EXPECT_TRUE(has(front + "started_total" + method + "} 3")) << text;
            for (const std::string code : {"OK", "NOT_FOUND", "CANCELLED"})
                EXPECT_TRUE(
                    has(front + "duration_seconds_count" + method + ",grpc_status=\"" + code + "\"} 1"))
                    << text;
        }
        EXPECT_TRUE(has("grpc_client_call_sent_message_bytes_total{grpc_method=\"test.Greeter/Greet\"} 20"))
            << text;
        EXPECT_TRUE(has("grpc_client_call_rcvd_message_bytes_total{grpc_method=\"test.Greeter/Greet\"} 7"))
            << text;
        EXPECT_TRUE(has("grpc_server_call_sent_message_bytes_total{grpc_method=\"test.Greeter/Greet\"} 7"))
            << text;
        EXPECT_TRUE(has("grpc_server_call_rcvd_message_bytes_total{grpc_method=\"test.Greeter/Greet\"} 20"))
            << text;
        EXPECT_TRUE(has("grpc_server_call_started_total{grpc_method=\"other\"} 1")) << text;
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::channel_test
