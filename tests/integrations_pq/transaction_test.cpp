#include "integrations_pq/database.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/integrations/pq/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <utility>

namespace eddy::pq::transaction_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::connect_locally;
using test::error_of;

task<int> count_of(connection& database) {
    const auto answer = co_await database.query("select count(*) from noted");
    co_return answer.one<int>();
}

task<connection> connect_with_table() {
    auto database = co_await connect_locally();
    co_await database.execute("create temporary table noted (number int unique)");
    co_return database;
}

TEST(transaction, keeps_what_was_committed) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto change = co_await database.begin();
        co_await change.query("insert into noted values ($1)", 1);
        co_await change.commit();
        EXPECT_FALSE(change.is_open());
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 1);
    };
    run_bounded(main());
}

TEST(transaction, rolls_back_when_told_and_when_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        {
            auto change = co_await database.begin();
            co_await change.query("insert into noted values (1)");
            co_await change.rollback();
        }
        {
            auto change = co_await database.begin();
            co_await change.query("insert into noted values (2)");
        }
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(transaction, rolls_back_when_a_query_of_it_is_dropped_with_it) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        const auto work = [&]() -> task<> {
            auto change = co_await database.begin();
            co_await change.query("insert into noted values (1)");
            co_await change.query("select pg_sleep(300)");
        };
        const auto late = co_await as_result(with_timeout(work(), 50ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const int count = co_await with_timeout(count_of(database), 5s);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(transaction, has_failed_once_a_query_of_it_was_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto change = co_await database.begin();
        const auto late = co_await as_result(with_timeout(change.query("select pg_sleep(300)"), 50ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        const error refused = co_await error_of(change.query("select 1"));
        EXPECT_EQ(refused.sqlstate(), sqlstate::in_failed_transaction);
        co_await change.rollback();
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(transaction, tells_that_a_failed_one_was_not_committed) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto change = co_await database.begin();
        co_await change.query("insert into noted values (1)");
        const error twice = co_await error_of(change.query("insert into noted values (1)"));
        EXPECT_EQ(twice.sqlstate(), sqlstate::unique_violation);
        EXPECT_EQ(twice.fields().constraint, "noted_number_key");
        EXPECT_EQ(twice.fields().table, "noted");
        const error refused = co_await error_of(change.commit());
        EXPECT_EQ(refused.sqlstate(), sqlstate::in_failed_transaction);
        EXPECT_FALSE(change.is_open());
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(transaction, has_the_isolation_that_was_asked_for) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        transaction_options strict;
        strict.level(isolation::serializable).read_only(true);
        auto change = co_await database.begin(strict);
        const auto level = co_await change.query("show transaction_isolation");
        EXPECT_EQ(level.one<std::string>(), "serializable");
        const error refused = co_await error_of(change.query("create table never (number int)"));
        EXPECT_EQ(refused.sqlstate(), "25006");
    };
    run_bounded(main());
}

TEST(transaction, may_be_dropped_while_it_begins) {
    const auto main = []() -> task<> {
        int notices = 0;  // of a transaction that is begun within another
        connection_options options(test::postgres_server::shared().local());
        options.on_notice([&](const server_fields&) { ++notices; });
        auto database = co_await connection::connect(options);
        const auto begin = [&]() -> task<> { auto change = co_await database.begin(); };
        for (int round = 0; round < 20; ++round)
            co_await as_result(with_timeout(begin(), std::chrono::microseconds(20 * round)));
        auto change = co_await database.begin();
        EXPECT_EQ(notices, 0);
        co_await change.query("begin");
        EXPECT_EQ(notices, 1);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::transaction_test
