// Whatever a client is told, a command ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/redis_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/integrations/redis/client.hpp>
#include <eddy/integrations/redis/scan.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::redis::extreme_options_test {
namespace {

using namespace std::chrono_literals;
using test::extremes;
using test::run_bounded;
using test::variations;

/// Two commands; the second comes after a pause, in which limits may pass.
task<> expect_an_end(options wanted, bool is_max, std::string name) {
    client used(std::move(wanted));
    for (int round = 0; round < 2; ++round) {
        try {
            const reply came = co_await used.command("ECHO", "hello");
            EXPECT_EQ(came.as<std::string>(), "hello") << name;
        } catch (const std::system_error& error) {
            const bool is_limit =
                error.code() == std::errc::timed_out || error.code() == client_error::silent ||
                error.code() == client_error::connection_lost || error.code() == client_error::limit_exceeded;
            EXPECT_TRUE(is_limit && !is_max) << name << ": " << error.what();
        }
    }
}

TEST(a_redis_client_with_extreme_options, comes_to_an_end) {
    test::redis_server server;
    const auto all = variations(server.options())
                         .of<duration>("connect_timeout", &options::connect_timeout)
                         .of<duration>("health_timeout", &options::health_timeout)
                         .of<duration>("health_interval", &options::health_interval)
                         .of<std::size_t>("send_buffer_bytes", &options::send_buffer_bytes)
                         .of<duration>("patience", &options::patience)
                         .of<std::size_t>("dedicated_connections_max", &options::dedicated_connections_max)
                         .all();
    for (const auto& each : all) {
        const bool is_patient_for_ever = each.is_max;
        run_bounded(expect_an_end(each.options, is_patient_for_ever, each.name));
    }
    for (const auto& each : variations(reply_limits())
                                .of<std::size_t>("bytes_max", &reply_limits::bytes_max)
                                .of<std::size_t>("elements_max", &reply_limits::elements_max)
                                .of<std::size_t>("nesting_max", &reply_limits::nesting_max)
                                .all())
        run_bounded(expect_an_end(server.options().limits(each.options), each.is_max, each.name));
}

// A server that is not there is asked again after the pauses, as long as the patience lasts.
TEST(a_redis_client_with_extreme_pauses, gives_up) {
    for (const duration first : extremes<duration>())
        for (const duration largest : extremes<duration>())
            run_bounded([](duration pause, duration pause_max) -> task<> {
                client used(options().local_path("/nowhere/at/all").pauses(pause, pause_max).patience(3ms));
                bool has_failed = false;
                try {
                    co_await used.command("PING");
                } catch (const std::system_error&) {
                    has_failed = true;
                }
                EXPECT_TRUE(has_failed);
            }(first, largest));
}

TEST(a_scan_with_an_extreme_count, comes_to_an_end) {
    run_bounded([]() -> task<> {
        test::redis_server server;
        client used(server.options());
        co_await used.command("SET", "key", "value");
        for (const std::size_t count : extremes<std::size_t>()) {
            std::size_t found = 0;
            auto keys = scan(used, scan_options().count(count));
            while (auto key = co_await keys.next())
                ++found;
            EXPECT_EQ(found, 1U) << count;
        }
    }());
}

}  // namespace
}  // namespace eddy::redis::extreme_options_test
