// Whatever a client is told, a request ends; what has no limit succeeds.

#include "http/scripted_origin.hpp"
#include "support/extremes.hpp"
#include "support/run_bounded.hpp"

#include <eddy/http/client/client.hpp>
#include <eddy/http/codec/detail/content_encoder.hpp>
#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace eddy::http::http_client_options_test {
namespace {

using eddy::test::run_bounded;
using eddy::test::variation;
using eddy::test::variations;
using test::empty;
using test::error_of;
using test::ok;
using test::scripted_origin;

task<std::string> text_of(client& by, client_request requested) {
    client_response response = co_await by.send(std::move(requested));
    co_return co_await response.text();
}

task<> expect_an_end(client_options options, bool is_max, std::string name) {
    scripted_origin origin({{ok("one"), ok("two")}, {ok("two")}});
    client by(options.transport(origin.transport()));
    for (const char* const path : {"http://a/1", "http://a/2"}) {
        const std::error_code error = co_await error_of(text_of(by, client_request(method::get, path)));
        const bool is_limit = error == std::errc::timed_out || error == http_error::head_too_large ||
                              error == http_error::body_too_large || error == http_error::malformed_response;
        EXPECT_TRUE(!error || (is_limit && !is_max)) << name << ": " << error.message();
    }
}

TEST(a_client_with_extreme_options, comes_to_an_end) {
    const auto all =
        variations(client_options())
            .of<std::size_t>("connections_per_origin_max", &client_options::connections_per_origin_max)
            .of<std::size_t>("connections_max", &client_options::connections_max)
            .of<duration>("keep_idle", &client_options::keep_idle)
            .of<duration>("pool_time", &client_options::pool_time)
            .of<duration>("connect_time", &client_options::connect_time)
            .of<duration>("first_byte_time", &client_options::first_byte_time)
            .of<duration>("idle_time", &client_options::idle_time)
            .of<duration>("total_time", &client_options::total_time)
            .of<unsigned>("redirects_max", &client_options::redirects_max)
            .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(each.options, each.is_max, each.name));
}

TEST(a_client_with_extreme_limits, comes_to_an_end) {
    const auto all =
        variations(response_limits())
            .of<std::size_t>("request_line_bytes_max", &message_limits::request_line_bytes_max)
            .of<std::size_t>("head_bytes_max", &message_limits::head_bytes_max)
            .of<std::size_t>("header_count_max", &message_limits::header_count_max)
            .of<std::uint64_t>("body_bytes_max", &message_limits::body_bytes_max)
            .of<std::size_t>("chunk_extension_bytes_max", &message_limits::chunk_extension_bytes_max)
            .of<std::size_t>("trailer_bytes_max", &message_limits::trailer_bytes_max)
            .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(client_options().limits(each.options), each.is_max, each.name));
}

TEST(a_decoder_with_extreme_options, comes_to_an_end) {
    std::string packed;
    content_encoder encoder(content_coding::gzip);
    encoder.append(as_bytes(std::string(100, 'x')), packed);
    encoder.finish(packed);
    const auto all =
        variations(content_decoder_options())
            .of<std::uint64_t>("output_bytes_max", &content_decoder_options::output_bytes_max)
            .of<std::uint32_t>("expansion_max", &content_decoder_options::expansion_max)
            .of<std::uint64_t>("expansion_free_bytes", &content_decoder_options::expansion_free_bytes)
            .all();
    for (const auto& each : all) {
        content_decoder decoder(content_coding::gzip, each.options);
        std::array<std::byte, 1000> room{};
        const decode_step step = decoder.decode(as_bytes(packed), room);
        if (each.is_max) {
            EXPECT_EQ(step.produced(), 100U) << each.name;
        }
    }
}

TEST(a_client_with_extreme_cookie_limits, keeps_cookies_or_does_not) {
    const auto all = variations(cookie_limits())
                         .of<std::size_t>("cookie_bytes_max", &cookie_limits::cookie_bytes_max)
                         .of<std::size_t>("cookies_per_domain_max", &cookie_limits::cookies_per_domain_max)
                         .of<std::size_t>("cookies_max", &cookie_limits::cookies_max)
                         .all();
    for (const auto& each : all) {
        cookie_jar jar(each.options);
        for (const char* const text : {"a=b", "c=d", "a=e"})
            static_cast<void>(jar.set(url("http://a.test/"), text, 1'000'000));
        if (each.is_max) {
            EXPECT_EQ(jar.header_for(url("http://a.test/"), 1'000'000), "a=e; c=d") << each.name;
        }
    }
}

TEST(a_request_with_an_extreme_time, comes_to_an_end) {
    for (const duration time : eddy::test::extremes<duration>())
        run_bounded([](duration limit) -> task<> {
            scripted_origin origin({{ok("one")}});
            client by(origin.options());
            client_request requested(method::get, "http://a/");
            const std::error_code error = co_await error_of(text_of(by, requested.total_time(limit)));
            EXPECT_TRUE(!error || (error == std::errc::timed_out && limit != duration::max()));
        }(time));
}

// With a largest wait nothing is retried that would take longer than the request may.
TEST(retries_with_extreme_waits, come_to_an_end) {
    using namespace std::chrono_literals;
    for (const duration wait : eddy::test::extremes<duration>())
        for (const duration wait_max : eddy::test::extremes<duration>())
            run_bounded([](duration first, duration longest) -> task<> {
                scripted_origin origin({{empty("503 "), empty("503 "), empty("503 "), empty("503 ")}});
                client by(origin.options().retries(3, first, longest).total_time(1h));
                const client_response response = co_await by.get("http://a/");
                EXPECT_EQ(response.status(), status::service_unavailable);
                EXPECT_EQ(origin.requested().size(),
                          first == duration::max() || longest < duration::zero() ||
                                  (first == duration(1) && longest == duration::zero())
                              ? 1U
                          : first == duration(1) && longest == duration(1) ? 2U
                                                                           : 4U);
            }(wait, wait_max));
}

}  // namespace
}  // namespace eddy::http::http_client_options_test
