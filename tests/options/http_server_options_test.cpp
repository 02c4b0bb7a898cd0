// Whatever a server is told, a connection ends; what has no limit is answered.

#include "http/conversation.hpp"
#include "support/extremes.hpp"

#include <eddy/http/routing/rate_limit.hpp>
#include <eddy/http/routing/token_bucket.hpp>
#include <eddy/http/server/response.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace eddy::http::http_server_options_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::extremes;
using eddy::test::variations;
using test::conversation;

task<> echo(exchange& ex) {
    std::string body;
    for (;;) {
        std::array<std::byte, 100> piece{};
        const std::size_t count = co_await ex.body().read(piece);
        if (count == 0)
            break;
        body += as_text(std::span(piece).first(count));
    }
    response response = response::text(body + std::string(3000, '.'));
    co_await response::send(ex, std::move(response));
}

/// What a client hears that sends byte by byte and takes little at once.
std::string heard(server_options options) {
    conversation talk(&echo, options.name(""));
    talk.capacity(500);
    return talk.hears_bytewise(
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
}

TEST(a_server_with_extreme_options, comes_to_an_end) {
    const auto all = variations(server_options())
                         .of<duration>("idle_timeout", &server_options::idle_timeout)
                         .of<duration>("head_timeout", &server_options::head_timeout)
                         .of<duration>("body_timeout", &server_options::body_timeout)
                         .of<std::uint64_t>("body_rate_min", &server_options::body_rate_min)
                         .of<duration>("body_duration_max", &server_options::body_duration_max)
                         .of<duration>("write_timeout", &server_options::write_timeout)
                         .of<std::uint64_t>("write_rate_min", &server_options::write_rate_min)
                         .all();
    for (const auto& each : all) {
        const std::string all_heard = heard(each.options);
        if (each.is_max) {
            EXPECT_TRUE(all_heard.ends_with("...") && all_heard.contains("abc...")) << each.name << all_heard;
        }
    }
}

// A rate and a time without a limit are no limit, either.
TEST(a_server_without_limits, answers) {
    for (const std::uint64_t rate : extremes<std::uint64_t>()) {
        server_options options;
        options.body_timeout(duration::max())
            .body_duration_max(duration::max())
            .write_timeout(duration::max());
        const std::string all_heard = heard(options.body_rate_min(rate).write_rate_min(rate));
        EXPECT_TRUE(all_heard.contains("abc...")) << rate;
    }
}

TEST(a_server_with_extreme_limits, comes_to_an_end) {
    const auto all =
        variations(message_limits())
            .of<std::size_t>("request_line_bytes_max", &message_limits::request_line_bytes_max)
            .of<std::size_t>("method_bytes_max", &message_limits::method_bytes_max)
            .of<std::size_t>("head_bytes_max", &message_limits::head_bytes_max)
            .of<std::size_t>("header_count_max", &message_limits::header_count_max)
            .of<std::size_t>("leading_empty_lines_max", &message_limits::leading_empty_lines_max)
            .of<std::uint64_t>("body_bytes_max", &message_limits::body_bytes_max)
            .of<std::size_t>("chunk_extension_bytes_max", &message_limits::chunk_extension_bytes_max)
            .of<std::size_t>("trailer_bytes_max", &message_limits::trailer_bytes_max)
            .all();
    for (const auto& each : all) {
        const std::string all_heard = heard(server_options().limits(each.options));
        if (each.is_max) {
            EXPECT_TRUE(all_heard.contains("abc...")) << each.name << all_heard;
        }
    }
}

TEST(a_token_bucket_with_an_extreme_rate, says_how_long_to_wait) {
    for (const double rate : {1e-300, 1e-12, 1.0, 1e300})
        for (const double burst : {1e-300, 1.0, 1e300}) {
            token_bucket bucket(rate, burst, time_point());
            static_cast<void>(bucket.try_take(time_point()));
            EXPECT_GE(bucket.wait(time_point()), 0s) << rate << ' ' << burst;
        }
}

}  // namespace
}  // namespace eddy::http::http_server_options_test
