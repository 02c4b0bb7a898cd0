// Whatever a client is told, a transfer ends; what has no limit succeeds.

#include "integrations_curl/test_site.hpp"
#include "support/extremes.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/integrations/curl/client.hpp>
#include <eddy/integrations/curl/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::curl::extreme_options_test {
namespace {

using eddy::test::extremes;
using eddy::test::run_bounded;
using eddy::test::test_site;
using eddy::test::variations;

task<std::string> text_of(client& by, std::string url) {
    transfer answer = co_await by.send(request(std::move(url)));
    co_return co_await answer.read_all();
}

/// Two transfers, of which the second may use the first one's connection, and one that is redirected.
task<> expect_an_end(client_options options, bool is_max, std::string name) {
    test_site site;
    client by(std::move(options));
    for (const char* const path : {"/bytes/100000", "/bytes/100000", "/moved"}) {
        const auto text = co_await as_result(text_of(by, site.at(path)));
        if (text) {
            EXPECT_TRUE(path != std::string("/bytes/100000") || text->size() == 100'000) << name << path;
        } else {
            const bool is_limit = text.error() == std::errc::timed_out ||
                                  text.error() == transfer_error::too_large ||
                                  text.error() == transfer_error::too_many_redirects;
            EXPECT_TRUE(is_limit && !is_max) << name << path << ": " << text.error().message();
        }
    }
}

TEST(a_curl_client_with_extreme_options, comes_to_an_end) {
    const auto all =
        variations(client_options())
            .of<std::size_t>("connections_max", &client_options::connections_max)
            .of<std::size_t>("connections_per_host_max", &client_options::connections_per_host_max)
            .of<std::size_t>("idle_connections_max", &client_options::idle_connections_max)
            .of<std::size_t>("streams_per_connection_max", &client_options::streams_per_connection_max)
            .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(each.options, each.is_max, each.name));
}

TEST(a_curl_transfer_with_extreme_options, comes_to_an_end) {
    const auto all = variations(transfer_options())
                         .of<duration>("connect_time", &transfer_options::connect_time)
                         .of<duration>("total_time", &transfer_options::total_time)
                         .of<unsigned>("redirects_max", &transfer_options::redirects_max)
                         .of<std::size_t>("buffer_bytes_max", &transfer_options::buffer_bytes_max)
                         .of<std::size_t>("head_bytes_max", &transfer_options::head_bytes_max)
                         .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(client_options().transfers(each.options), each.is_max, each.name));
}

TEST(a_curl_transfer_with_an_extreme_lowest_speed, comes_to_an_end) {
    for (const std::uint32_t speed : extremes<std::uint32_t>())
        for (const std::chrono::seconds time : extremes<std::chrono::seconds>())
            run_bounded(
                expect_an_end(client_options().transfers(transfer_options().lowest_speed(speed, time)),
                              time == std::chrono::seconds::max(), std::to_string(speed)));
}

}  // namespace
}  // namespace eddy::curl::extreme_options_test
