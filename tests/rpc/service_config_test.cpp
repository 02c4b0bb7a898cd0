#include "rpc/service_config.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace eddy::rpc::test::service_config_test {
namespace {

using namespace std::chrono_literals;

std::string refusal_of(std::string_view text) {
    try {
        static_cast<void>(service_config(text));
        return "none";
    } catch (const std::invalid_argument& refused) {
        return refused.what();
    }
}

TEST(rpc_service_config, what_is_no_json_is_refused_with_its_position) {
    for (const std::string_view wrong :
         {"", "{", "{\"a\":[1,]}", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{\"a\":01}", "{\"a\":1.}",
          "{\"a\":+1}", "{\"a\":nul}", "{\"a", "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\\u0041\"}",
          "{\"a\":\"\\udc00\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\n\"}", "{} {}", "{\"a\":inf}",
          "{\"a\":1e999}"})
        EXPECT_TRUE(refusal_of(wrong).starts_with("a service config that is no JSON: ")) << wrong;
    EXPECT_NE(std::string::npos, refusal_of("{\n  \"timeout\": ]").find("line 2, column 14"));
}

TEST(rpc_service_config, a_member_that_is_there_twice_is_refused_wherever_it_is) {
    EXPECT_NE(std::string::npos, refusal_of(R"({"a": 1, "b": 2, "a": 3})").find("twice: a"));
    EXPECT_NE(std::string::npos, refusal_of(R"({"a": [{"c": {}, "c": {}}]})").find("twice: c"));
    EXPECT_EQ("none", refusal_of(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}], "\u0061b": "\ud83d\ude00"})"));
}

TEST(rpc_service_config, what_is_nested_too_deeply_is_refused) {
    const auto nested = [](std::size_t depth) {
        return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    EXPECT_EQ("none", refusal_of(nested(30)));
    EXPECT_NE(std::string::npos, refusal_of(nested(40)).find("too deep"));
    EXPECT_NE(std::string::npos, refusal_of(nested(100'000)).find("too deep"));
}

TEST(rpc_service_config, the_most_exact_name_of_a_method_counts) {
    const service_config config(R"({"methodConfig": [
        {"name": [{"service": "a.B", "method": "C"}], "timeout": "1.5s"},
        {"name": [{"service": "a.B"}, {"service": "a.X"}], "waitForReady": true, "unknown": 1},
        {"name": [{}], "maxRequestMessageBytes": 5}]})");
    EXPECT_EQ(1500ms, config.find("/a.B/C")->timeout);
    EXPECT_EQ(true, config.find("/a.B/D")->waits_for_ready);
    EXPECT_EQ(true, config.find("/a.X/C")->waits_for_ready);
    EXPECT_EQ(5U, config.find("/a.C/D")->send_bytes_max);
    EXPECT_EQ(nullptr, service_config("{}").find("/a.B/C"));
}

TEST(rpc_service_config, has_policies) {
    const service_config config(
        R"({"loadBalancingConfig": [{"new": {}}, {"round_robin": {}}, {"pick_first": {}}],
        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}, "healthCheckConfig": {"serviceName": "a"},
        "methodConfig": [{"name": [{"service": "a"}], "retryPolicy": {"maxAttempts": 9, "initialBackoff": "0.1s",
            "maxBackoff": "1s", "backoffMultiplier": 1.5, "retryableStatusCodes": ["unavailable", 10]}},
         {"name": [{"service": "b"}], "hedgingPolicy": {"maxAttempts": 2}}]})");
    EXPECT_EQ(balancing::round_robin, config.balancing_chosen());
    EXPECT_EQ(10, config.throttling()->tokens_max);
    EXPECT_EQ("a", config.watched_service());
    const retry_policy& retry = *config.find("/a/b")->retry;
    EXPECT_EQ(5U, retry.attempts_max);
    EXPECT_EQ(100ms, retry.first);
    EXPECT_EQ(1s, retry.most);
    EXPECT_TRUE(retry.retried.contains(status_code::unavailable));
    EXPECT_TRUE(retry.retried.contains(status_code::aborted));
    EXPECT_FALSE(retry.retried.contains(status_code::internal));
    EXPECT_EQ(0s, config.find("/b/c")->hedging->delay);
    EXPECT_EQ(balancing::pick_first,
              service_config(R"({"loadBalancingPolicy": "pick_first"})").balancing_chosen());
}

TEST(rpc_service_config, what_is_wrong_is_refused) {
    const std::string good =
        R"("maxAttempts": 2, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1,
                                "retryableStatusCodes": [14])";
    const auto with = [](const std::string& config) {
        return R"({"methodConfig": [{"name": [{}], )" + config + "}]}";
    };
    EXPECT_NO_THROW(service_config(with("\"retryPolicy\": {" + good + "}")));
    for (const char* const member :
         {"\"maxAttempts\": 2", "\"initialBackoff\": \"1s\"", "\"maxBackoff\": \"1s\"",
          "\"backoffMultiplier\": 1", "\"retryableStatusCodes\": [14]"}) {
        std::string without = good;
        without.replace(without.find(member), std::string_view(member).size(), "\"x\": 1");
        EXPECT_THROW(service_config(with("\"retryPolicy\": {" + without + "}")), std::invalid_argument)
            << member;
    }
    for (const std::string& wrong : {
             std::string("[]"),
             std::string(R"({"methodConfig": {}})"),
             with(R"("timeout": "1")"),
             with(R"("timeout": "-1s")"),
             with(R"("timeout": 1)"),
             with(R"("waitForReady": 1)"),
             with(R"("maxRequestMessageBytes": "x")"),
             with(R"("hedgingPolicy": {"maxAttempts": 1})"),
             with(R"("hedgingPolicy": {"maxAttempts": 2.5})"),
             with(R"("hedgingPolicy": {"maxAttempts": 2, "nonFatalStatusCodes": ["NONE"]})"),
             with(R"("hedgingPolicy": {"maxAttempts": 2}, "retryPolicy": {)" + good + "}"),
             std::string(R"({"methodConfig": [{"name": [{"service": "a"}, {"service": "a"}]}]})"),
             std::string(R"({"methodConfig": [{"name": [{"method": "a"}]}]})"),
             std::string(R"({"retryThrottling": {"maxTokens": 0, "tokenRatio": 1}})"),
             std::string(R"({"retryThrottling": {"maxTokens": 1001, "tokenRatio": 1}})"),
             std::string(R"({"loadBalancingConfig": [{"new": {}}]})"),
             std::string(R"({"loadBalancingConfig": [{"pick_first": {}, "round_robin": {}}]})"),
             std::string(R"({"loadBalancingPolicy": "new"})"),
         })
        EXPECT_THROW(static_cast<void>(service_config(wrong)), std::invalid_argument) << wrong;
}

}  // namespace
}  // namespace eddy::rpc::test::service_config_test
