#include "rpc/rpc_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/async_generator.hpp>
#include <eddy/core/task.hpp>
#include <eddy/rpc.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

// What is compressed message by message, as a client sees it that gets no stream.
namespace eddy::rpc::test::compression_test {
namespace {

using eddy::test::run_bounded;

const std::string long_text(1000, 'x');

async_generator<std::string> in_turns(server_call& call, std::string text) {
    for (const auto way : {compression::gzip, compression::identity, compression::gzip}) {
        call.set_compression(way);
        co_yield text;
    }
}

task<std::vector<bool>> replies_compressed(const channel& to) {
    call_info info;
    auto options = call_options().info(&info);
    auto replies = call_streaming<std::string>(to, "/test.Greeter/InTurns", long_text, std::move(options));
    std::vector<bool> compressed;
    while (const auto reply = co_await replies.next()) {
        EXPECT_EQ(long_text, *reply);
        compressed.push_back(info.was_compressed());
    }
    co_return compressed;
}

TEST(rpc_compression, a_handler_compresses_some_replies_and_the_client_sees_which) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_server_streaming<std::string, std::string>("InTurns", in_turns);
        const channel to = origin.connect();
        const auto compressed = co_await replies_compressed(to);
        EXPECT_EQ((std::vector<bool>{true, false, true}), compressed);
    }());
}

TEST(rpc_compression, a_message_that_would_not_become_smaller_is_sent_as_it_is) {
    run_bounded([]() -> task<> {
        rpc_origin origin(services_options().compression(compression::gzip));
        origin.greeter.add_unary<std::string, std::string>("Do", echo);
        const channel to = origin.connect();
        for (const std::string& text : {std::string("x"), long_text}) {
            call_info info;
            auto options = call_options().info(&info);
            const std::string reply =
                co_await call<std::string>(to, "/test.Greeter/Do", text, std::move(options));
            EXPECT_EQ(text, reply);
            EXPECT_EQ(text == long_text, info.was_compressed());
        }
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::compression_test
