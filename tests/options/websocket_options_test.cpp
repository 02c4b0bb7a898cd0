// Whatever a websocket is told, an exchange of messages ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/websocket/websocket.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::http::websocket_options_test {
namespace {

using eddy::test::run_bounded;
using eddy::test::variations;

/// Sends each message back until the end.
task<> answer_all(websocket& end) {
    try {
        while (auto message = co_await end.receive())
            co_await end.send_text(message->text());
    } catch (const std::system_error&) {
        // a limit
    }
}

task<> expect_an_end(websocket_options options, bool is_max, std::string name) {
    auto [here, there] = duplex(1000);
    websocket server(any_stream(std::move(here)), websocket_role::server, options, {});
    websocket client(any_stream(std::move(there)), websocket_role::client, options, {});
    const handle<> answering = spawn(answer_all(server));
    const std::string text(3000, 'x');
    try {
        co_await client.send_text(text);
        const auto message = co_await client.receive();
        EXPECT_TRUE(message ? message->text() == text : !is_max) << name;
        co_await client.close();
    } catch (const std::system_error& error) {
        EXPECT_FALSE(is_max) << name << ": " << error.what();
    }
}

TEST(a_websocket_with_extreme_options, comes_to_an_end) {
    const auto all = variations(websocket_options())
                         .of<std::uint64_t>("message_bytes_max", &websocket_options::message_bytes_max)
                         .of<std::size_t>("send_buffer_bytes", &websocket_options::send_buffer_bytes)
                         .of<std::size_t>("frame_bytes_max", &websocket_options::frame_bytes_max)
                         .of<duration>("ping_interval", &websocket_options::ping_interval)
                         .of<duration>("pong_timeout", &websocket_options::pong_timeout)
                         .of<duration>("write_timeout", &websocket_options::write_timeout)
                         .of<duration>("close_timeout", &websocket_options::close_timeout)
                         .of<duration>("connect_timeout", &websocket_options::connect_timeout)
                         .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(each.options, each.is_max, each.name));
}

}  // namespace
}  // namespace eddy::http::websocket_options_test
