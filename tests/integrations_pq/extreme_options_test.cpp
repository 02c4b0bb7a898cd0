// Whatever a connection or a pool is told, a query ends; what has no limit succeeds.

#include "support/extremes.hpp"
#include "support/postgres_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/integrations/pq/pool.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace eddy::pq::extreme_options_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::extremes;
using eddy::test::run_bounded;
using eddy::test::variations;
using test::postgres_server;

connection_options shared_server() {
    return connection_options(postgres_server::shared().local());
}

/// Two queries; the second may find the first one's connection.
task<> expect_an_end(connection_options server, pool_options limits, bool is_max, std::string name) {
    pool database(std::move(server), limits);
    for (int round = 0; round < 2; ++round) {
        const auto answered = co_await as_result(database.query("select 7"));
        if (answered) {
            EXPECT_EQ(answered->one<int>(), 7) << name;
        } else {
            EXPECT_EQ(answered.error(), std::errc::timed_out) << name << ": " << answered.error().message();
            EXPECT_FALSE(is_max) << name;
        }
    }
    co_await database.close();
}

TEST(a_pool_with_extreme_options, comes_to_an_end) {
    const auto all = variations(pool_options())
                         .of<std::size_t>("size_max", &pool_options::size_max)
                         .of<duration>("acquire_timeout", &pool_options::acquire_timeout)
                         .of<duration>("check_after_idle", &pool_options::check_after_idle)
                         .of<duration>("idle_max", &pool_options::idle_max)
                         .of<duration>("age_max", &pool_options::age_max)
                         .all();
    for (const auto& each : all)
        run_bounded(expect_an_end(shared_server(), each.options, each.is_max, each.name));
    // Which is used only where a connection is checked.
    for (const auto& each : variations(pool_options().check_after_idle(0s))
                                .of<duration>("check_timeout", &pool_options::check_timeout)
                                .all())
        run_bounded(expect_an_end(shared_server(), each.options, each.is_max, each.name));
}

TEST(a_connection_with_extreme_options, comes_to_an_end) {
    const auto all = variations(shared_server())
                         .of<duration>("connect_timeout", &connection_options::connect_timeout)
                         .of<duration>("recovery_timeout", &connection_options::recovery_timeout)
                         .all();
    // Without time to connect it tries again until acquiring has taken too long.
    const auto limits = pool_options().acquire_timeout(1s);
    for (const auto& each : all)
        run_bounded(expect_an_end(each.options, limits, each.is_max, each.name));
}

// A server that is not there is asked again after the delays, as long as acquiring may take.
TEST(a_pool_with_extreme_delays, gives_up) {
    for (const duration first : extremes<duration>())
        for (const duration longest : extremes<duration>())
            run_bounded([](duration delay, duration delay_max) -> task<> {
                pool database(connection_options().host("/nowhere/at/all"),
                              pool_options().reconnect_delay(delay, delay_max).acquire_timeout(3ms));
                const auto answered = co_await as_result(database.query("select 7"));
                EXPECT_FALSE(answered);
            }(first, longest));
}

}  // namespace
}  // namespace eddy::pq::extreme_options_test
