#include "integrations_pq/database.hpp"
#include "support/certificates.hpp"
#include "support/descriptors.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace eddy::pq::connection_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::active_sessions;
using test::connect_locally;
using test::error_of;
using test::postgres_server;

TEST(connection, answers_a_query_with_typed_rows) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto rows = co_await database.query("select $1::int + 1, $2::text", 41, "what");
        const auto typed = rows.as<std::tuple<int, std::string>>();
        EXPECT_EQ(typed.size(), 1u);
        EXPECT_EQ(typed.front(), std::tuple(42, std::string("what")));
        EXPECT_EQ(rows.column_name(1), "text");
    };
    run_bounded(main());
}

TEST(connection, tells_what_the_server_refuses_and_goes_on) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        std::optional<error> refused;
        try {
            co_await database.query("select * from nothing_of_that_name");
        } catch (const error& caught) {
            refused = caught;
        }
        EXPECT_TRUE(refused.has_value());
        EXPECT_EQ(refused->sqlstate(), sqlstate::undefined_table);
        EXPECT_EQ(refused->code(), errc::server_error);
        EXPECT_EQ(refused->fields().severity, "ERROR");
        EXPECT_EQ(refused->fields().position, "15");
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(connection, is_usable_after_a_query_was_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto watcher = co_await connect_locally();
        const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 50ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const auto dropped_at = std::chrono::steady_clock::now();
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
        EXPECT_LT(std::chrono::steady_clock::now() - dropped_at, 20s) << "it has slept for 300 s";
        const auto left = co_await watcher.query(
            "select count(*) from pg_stat_activity where pid = $1 and state = 'active'",
            database.process_id());
        EXPECT_EQ(left.one<int>(), 0);
    };
    run_bounded(main());
}

TEST(connection, cancels_what_it_did_when_it_is_destroyed) {
    const auto main = []() -> task<> {
        auto watcher = co_await connect_locally();
        {
            auto database = co_await connect_locally();
            const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 50ms));
            EXPECT_EQ(late.error(), std::errc::timed_out);
        }
        const auto dropped_at = std::chrono::steady_clock::now();
        int active = co_await active_sessions(watcher);
        while (active > 0 && std::chrono::steady_clock::now() - dropped_at < 20s)
            active = co_await active_sessions(watcher);
        EXPECT_EQ(active, 0);
    };
    run_bounded(main());
}

TEST(connection, waits_for_its_recovery_when_it_is_closed) {
    const auto main = []() -> task<> {
        auto watcher = co_await connect_locally();
        auto database = co_await connect_locally();
        const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 50ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        co_await database.close();
        EXPECT_FALSE(database.is_open());
        const int active = co_await active_sessions(watcher);
        EXPECT_EQ(active, 0);
        const error refused = co_await error_of(database.query("select 1"));
        EXPECT_EQ(refused.code(), errc::connection_lost);
    };
    run_bounded(main());
}

TEST(connection, may_be_dropped_at_any_time_of_a_query) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        for (int round = 0; round < 100; ++round) {
            co_await as_result(with_timeout(database.query("select generate_series(1, 100)"),
                                            std::chrono::microseconds(10 * round)));
            const auto answer = co_await database.query("select $1::int", round);
            EXPECT_EQ(answer.one<int>(), round);
        }
    };
    run_bounded(main());
}

TEST(connection, is_lost_when_the_server_ends_it) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto other = co_await connect_locally();
        auto query = spawn(database.query("select pg_sleep(300)"));
        co_await yield();
        co_await other.query("select pg_terminate_backend($1)", database.process_id());
        const error lost = co_await error_of(
            [](handle<result> ended) -> task<result> { co_return co_await ended; }(std::move(query)));
        EXPECT_EQ(lost.code(), errc::connection_lost);
        EXPECT_EQ(lost.sqlstate(), sqlstate::admin_shutdown);
        EXPECT_FALSE(database.is_open());
        const error later = co_await error_of(database.query("select 1"));
        EXPECT_EQ(later.code(), errc::connection_lost);
    };
    run_bounded(main());
}

TEST(connection, prepares_the_same_command_once) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        const auto first = co_await database.prepare("select $1::int + 1");
        const auto second = co_await database.prepare("select $1::int + 1");
        EXPECT_EQ(first.name(), second.name());
        const auto two = co_await database.query(first, 1);
        EXPECT_EQ(two.one<int>(), 2);
        const error refused = co_await error_of(database.prepare("select from where"));
        EXPECT_EQ(refused.sqlstate(), sqlstate::syntax_error);
    };
    run_bounded(main());
}

TEST(connection, is_made_by_name_address_and_socket) {
    const auto main = []() -> task<> {
        const auto& server = postgres_server::shared();
        for (const std::string& host : {std::string("localhost"), std::string("127.0.0.1"),
                                        server.directory(), std::string("/nowhere,localhost")}) {
            connection_options options;
            options.host(host).port(server.port()).user("postgres").database("postgres");
            auto database = co_await connection::connect(options);
            const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 20ms));
            EXPECT_EQ(late.error(), std::errc::timed_out) << host;
            const auto one = co_await database.query("select 1");
            EXPECT_EQ(one.one<int>(), 1) << host;
        }
    };
    run_bounded(main());
}

TEST(connection, goes_from_host_to_host) {
    const auto main = []() -> task<> {
        const auto& server = postgres_server::shared();
        auto closed = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::uint16_t nobody = closed.local_endpoint().port();
        closed.close();
        const std::string port = std::to_string(server.port());
        const std::string nowhere = std::to_string(nobody);
        connection_options options;
        options.parameter("host", "127.0.0.1,127.0.0.1,127.0.0.1")
            .parameter("port", nowhere + "," + nowhere + "," + port)
            .user("postgres")
            .database("postgres");
        for (int round = 0; round < 10; ++round) {
            auto database = co_await connection::connect(options);
            const auto one = co_await database.query("select 1");
            EXPECT_EQ(one.one<int>(), 1);
        }
    };
    run_bounded(main());
}

TEST(connection, asks_for_a_password) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        co_await database.execute("create user scram password 'open sesame'");
        connection_options options(postgres_server::shared().remote());
        options.user("scram").password("open sesame");
        auto with_password = co_await connection::connect(options);
        const auto user = co_await with_password.query("select current_user::text");
        EXPECT_EQ(user.one<std::string>(), "scram");
        options.password("wrong");
        const error refused = co_await error_of(connection::connect(options));
        EXPECT_EQ(refused.code(), errc::connect_failed);
        EXPECT_NE(std::string(refused.what()).find("password authentication failed"), std::string::npos);
    };
    run_bounded(main());
}

TEST(connection, gives_up_in_time) {
    const auto main = []() -> task<> {
        auto silent = tcp_listener::bind(endpoint::loopback_ipv4(0));
        connection_options options;
        options.host("127.0.0.1").port(silent.local_endpoint().port()).connect_timeout(50ms);
        const error late = co_await error_of(connection::connect(options));
        EXPECT_EQ(late.code(), errc::connect_timed_out);
        options.host("no-such-host.invalid").connect_timeout(10s);
        const error unknown = co_await error_of(connection::connect(options));
        EXPECT_EQ(unknown.code(), errc::connect_failed);
        const connection_options malformed("host='");
        const error refused = co_await error_of(connection::connect(malformed));
        EXPECT_EQ(refused.code(), errc::invalid_argument);
    };
    run_bounded(main());
}

TEST(connection, leaves_nothing_open_when_it_is_dropped_while_it_is_made) {
    const auto main = []() -> task<> {
        auto warm = co_await connect_locally();
        const std::size_t before = eddy::test::open_descriptors();
        const connection_options options(postgres_server::shared().remote());
        for (int round = 0; round < 50; ++round)
            co_await as_result(
                with_timeout(connection::connect(options), std::chrono::microseconds(100 * round)));
        EXPECT_EQ(eddy::test::open_descriptors(), before);
    };
    run_bounded(main());
}

TEST(connection, works_over_tls) {
    postgres_server server;
    const auto main = [&]() -> task<> {
        auto plain = co_await connection::connect(connection_options(server.remote()));
        co_await plain.query("alter system set ssl = on");
    };
    run_bounded(main());
    const eddy::test::certificate_authority authority;
    eddy::test::certificate_wish wish("localhost");
    wish.address("127.0.0.1");
    const auto made = authority.issue(wish);
    server.write_data("server.crt", made.certificate_pem());
    server.write_data("server.key", made.key_pem());
    server.stop();
    server.start();
    const auto over_tls = [&]() -> task<> {
        connection_options options(server.remote());
        options.parameter("sslmode", "require");
        auto database = co_await connection::connect(options);
        const auto state =
            co_await database.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
        EXPECT_TRUE(state.one<bool>());
        auto rows = database.stream<std::string>("select repeat('x', generate_series(1, 300) * 100)");
        std::size_t expected = 0;
        while (const auto row = co_await rows.next()) {
            expected += 100;
            EXPECT_EQ(row->size(), expected);
        }
        EXPECT_EQ(expected, 30'000u);
        const auto large = co_await database.query("select repeat($1, 1000000)", "y");
        EXPECT_EQ(large.one<std::string>().size(), 1'000'000u);
        const auto late = co_await as_result(with_timeout(database.query("select pg_sleep(300)"), 20ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const auto one = co_await with_timeout(database.query("select 1"), 5s);
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(over_tls());
}

}  // namespace
}  // namespace eddy::pq::connection_test
