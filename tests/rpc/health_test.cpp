#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace eddy::rpc::test::health_test {
namespace {

using eddy::test::run_bounded;

health_request asking(std::string service) {
    health_request request;
    request.service = std::move(service);
    return request;
}

task<serving_status> next_of(async_generator<health_reply>& replies) {
    const auto reply = co_await replies.next();
    co_return reply ? reply->status : serving_status::unknown;
}

constexpr auto check = "/grpc.health.v1.Health/Check";
constexpr auto watch = "/grpc.health.v1.Health/Watch";

TEST(rpc_health, says_what_was_set) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        const auto health = std::make_shared<health_service>();
        origin.calls.add(health);
        health->set("a", serving_status::not_serving);
        const channel to = origin.connect();
        EXPECT_EQ(serving_status::serving, (co_await call<health_reply>(to, check, asking(""))).status);
        EXPECT_EQ(serving_status::not_serving, (co_await call<health_reply>(to, check, asking("a"))).status);
        EXPECT_EQ(status_code::not_found, co_await code_of(call<health_reply>(to, check, asking("b"))));
        // As protobuf has them: the name of a field that is unknown is passed over.
        EXPECT_EQ(std::string("\x08\x02"), co_await call<std::string>(to, check,
                                                                      std::string("\x10\x01\x0a\x01"
                                                                                  "a")));
        EXPECT_EQ(status_code::internal, co_await code_of(call<std::string>(to, check,
                                                                            std::string("\x0a\x05"
                                                                                        "a"))));
        EXPECT_EQ(status_code::internal, co_await code_of(call<std::string>(to, check, std::string("\x0a"))));
        EXPECT_EQ(status_code::internal, co_await code_of(call<std::string>(to, check,
                                                                            std::string("\x0d"
                                                                                        "1234"))));
    }());
}

TEST(rpc_health, is_watched) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        const auto health = std::make_shared<health_service>();
        origin.calls.add(health);
        const channel to = origin.connect();
        auto replies = call_streaming<health_reply>(to, watch, asking("a"));
        EXPECT_EQ(serving_status::service_unknown, co_await next_of(replies));
        health->set("a", serving_status::serving);
        EXPECT_EQ(serving_status::serving, co_await next_of(replies));
        health->set("a", serving_status::serving);
        health->set("a", serving_status::not_serving);
        EXPECT_EQ(serving_status::not_serving, co_await next_of(replies));
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::health_test
