#include "support/postgres_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/pq/pool.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

namespace eddy::pq::pool_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::postgres_server;

connection_options shared_server() {
    return connection_options(postgres_server::shared().local());
}

TEST(pool, uses_a_connection_again) {
    const auto main = []() -> task<> {
        pool database(shared_server());
        const auto first = co_await database.query("select pg_backend_pid()");
        EXPECT_EQ(database.idle_count(), 1u);
        EXPECT_EQ(database.busy_count(), 0u);
        const auto second = co_await database.query("select pg_backend_pid()");
        EXPECT_EQ(first.one<int>(), second.one<int>());
    };
    run_bounded(main());
}

TEST(pool, has_no_more_connections_than_its_limit) {
    const auto main = []() -> task<> {
        pool_options two;
        two.size_max(2).acquire_timeout(1s);
        pool database(shared_server(), two);
        std::optional<pooled_connection> first(co_await database.acquire());
        auto second = co_await database.acquire();
        const auto refused = co_await as_result(database.acquire());
        EXPECT_EQ(refused.error(), errc::pool_timed_out);
        EXPECT_EQ(refused.error(), std::errc::timed_out);
        EXPECT_EQ(database.busy_count(), 2u);
        const int process = (*first)->process_id();
        first.reset();
        auto third = co_await database.acquire();
        EXPECT_EQ(third->process_id(), process);
    };
    run_bounded(main());
}

TEST(pool, serves_who_waits_in_turn) {
    const auto main = []() -> task<> {
        pool_options one;
        one.size_max(1).acquire_timeout(30s);
        pool database(shared_server(), one);
        std::vector<int> order;
        const auto use = [&](int number) -> task<> {
            const auto answer = co_await database.query("select $1::int", number);
            order.push_back(answer.one<int>());
        };
        std::vector<handle<>> running;
        for (const int number : {1, 2, 3}) {
            running.push_back(spawn(use(number)));
            co_await yield();  // it begins
            co_await yield();  // so does its wait, which has a deadline
        }
        for (auto& each : running)
            co_await each;
        EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    };
    run_bounded(main());
}

TEST(pool, rolls_back_what_was_left_open) {
    const auto main = []() -> task<> {
        pool_options one;
        one.size_max(1).acquire_timeout(30s);
        pool database(shared_server(), one);
        {
            auto lease = co_await database.acquire();
            co_await lease->execute(
                "create table if not exists left_open (number int); begin; "
                "insert into left_open values (1)");
        }
        const auto rows =
            co_await database.query("select count(*) from pg_stat_activity where state like 'idle in%'");
        EXPECT_EQ(rows.one<int>(), 0);
    };
    run_bounded(main());
}

TEST(pool, brings_a_connection_back_whose_query_was_dropped) {
    const auto main = []() -> task<> {
        pool_options one;
        one.size_max(1).acquire_timeout(30s);
        pool database(shared_server(), one);
        const auto before = co_await database.query("select pg_backend_pid()");
        const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 20ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        EXPECT_EQ(database.busy_count(), 1u);
        const auto after = co_await database.query("select pg_backend_pid()");
        EXPECT_EQ(before.one<int>(), after.one<int>());
    };
    run_bounded(main());
}

TEST(pool, replaces_connections_that_have_ended) {
    const auto main = []() -> task<> {
        pool database(shared_server());
        auto other = co_await connection::connect(shared_server());
        const auto before = co_await database.query("select pg_backend_pid()");
        const int process = before.one<int>();
        co_await other.query("select pg_terminate_backend($1, 10000)", process);
        const auto after = co_await database.query("select pg_backend_pid()");
        EXPECT_NE(after.one<int>(), process);
    };
    run_bounded(main());
}

TEST(pool, checks_what_was_idle_for_long) {
    const auto main = []() -> task<> {
        pool_options careful;
        careful.check_after_idle(0s);
        pool database(shared_server(), careful);
        const auto before = co_await database.query("select pg_backend_pid()");
        const auto after = co_await database.query("select pg_backend_pid()");
        EXPECT_EQ(before.one<int>(), after.one<int>());
    };
    run_bounded(main());
}

TEST(pool, closes_what_is_old) {
    const auto main = []() -> task<> {
        pool_options brief;
        brief.age_max(0s);
        pool database(shared_server(), brief);
        const auto before = co_await database.query("select pg_backend_pid()");
        const auto after = co_await database.query("select pg_backend_pid()");
        EXPECT_NE(before.one<int>(), after.one<int>());
    };
    run_bounded(main());
}

TEST(pool, closes_when_all_have_come_back) {
    const auto main = []() -> task<> {
        pool database(shared_server());
        std::optional<pooled_connection> lease(co_await database.acquire());
        const auto close = [&]() -> task<> { co_await database.close(); };
        auto closing = spawn(close());
        co_await yield();
        EXPECT_FALSE(closing.done());
        const auto refused = co_await as_result(database.acquire());
        EXPECT_EQ(refused.error(), errc::pool_closed);
        lease.reset();
        co_await closing;
        EXPECT_EQ(database.idle_count(), 0u);
    };
    run_bounded(main());
}

TEST(pool, says_why_no_connection_can_be_made) {
    const auto main = []() -> task<> {
        pool_options brief;
        brief.acquire_timeout(1s).reconnect_delay(10ms, 20ms);
        connection_options nowhere(postgres_server::shared().local());
        nowhere.database("no_such_database");
        pool database(nowhere, brief);
        std::optional<error> refused;
        try {
            co_await database.query("select 1");
        } catch (const error& caught) {
            refused = caught;
        }
        EXPECT_TRUE(refused.has_value());
        EXPECT_EQ(refused->code(), errc::connect_failed);
        EXPECT_NE(std::string(refused->what()).find("no_such_database"), std::string::npos)
            << refused->what();
    };
    run_bounded(main());
}

TEST(pool, recovers_when_the_server_has_been_killed) {
    postgres_server server;
    const auto use = [&]() -> task<> {
        pool_options patient;
        patient.acquire_timeout(30s).reconnect_delay(10ms, 50ms);
        pool database(connection_options(server.local()), patient);
        auto query = spawn(database.query("select pg_sleep(300)"));
        for (int sleeping = 0; sleeping == 0;) {
            const auto seen = co_await database.query(
                "select count(*)::int from pg_stat_activity where wait_event = 'PgSleep'");
            sleeping = seen.one<int>();
        }
        const auto at = std::chrono::steady_clock::now();
        server.stop();
        const auto lost = co_await as_result(std::move(query));
        EXPECT_EQ(lost.error(), errc::connection_lost);
        EXPECT_LT(std::chrono::steady_clock::now() - at, 20s);
        server.start();
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(use());
}

}  // namespace
}  // namespace eddy::pq::pool_test
