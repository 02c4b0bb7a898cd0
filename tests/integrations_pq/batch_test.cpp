#include "integrations_pq/database.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace eddy::pq::batch_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::connect_locally;

TEST(batch, has_an_outcome_for_each_command) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        const auto statement = co_await database.prepare("select $1::int * 2");
        batch commands;
        for (int number = 0; number < 100; ++number)
            commands.add(statement, number);
        commands.add("select 1 / 0");
        commands.add("select $1::text", "behind it");
        const auto outcomes = co_await database.run(std::move(commands));
        EXPECT_EQ(outcomes.size(), 102u);
        for (int number = 0; number < 100; ++number)
            EXPECT_EQ(outcomes[static_cast<std::size_t>(number)]->one<int>(), 2 * number);
        EXPECT_EQ(outcomes[100].error().sqlstate(), "22012");
        EXPECT_EQ(outcomes[101]->one<std::string>(), "behind it");
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(batch, that_is_atomic_happens_whole_or_not_at_all) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        co_await database.execute("create temporary table noted (number int unique)");
        batch wrong;
        wrong.atomic(true);
        wrong.add("insert into noted values (1)").add("insert into noted values (1)").add("select 1");
        const auto outcomes = co_await database.run(std::move(wrong));
        EXPECT_TRUE(outcomes[0].has_value());
        EXPECT_EQ(outcomes[1].error().sqlstate(), "23505");
        EXPECT_EQ(outcomes[2].error().sqlstate(), "");
        const auto none = co_await database.query("select count(*) from noted");
        EXPECT_EQ(none.one<int>(), 0);
        batch right;
        right.atomic(true);
        right.add("insert into noted values (1)").add("insert into noted values (2)");
        co_await database.run(std::move(right));
        const auto both = co_await database.query("select count(*) from noted");
        EXPECT_EQ(both.one<int>(), 2);
    };
    run_bounded(main());
}

TEST(batch, may_be_larger_than_all_buffers) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        const std::string large(100'000, 'x');
        batch commands;
        for (int number = 0; number < 200; ++number)
            commands.add("select $1::text", large);
        const auto outcomes = co_await with_timeout(database.run(std::move(commands)), 20s);
        for (const auto& each : outcomes)
            EXPECT_EQ(each->one<std::string>().size(), large.size());
    };
    run_bounded(main());
}

TEST(batch, may_be_empty) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        for (const bool is_atomic : {false, true}) {
            batch nothing;
            nothing.atomic(is_atomic);
            const auto outcomes = co_await database.run(std::move(nothing));
            EXPECT_TRUE(outcomes.empty());
        }
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(batch, may_be_dropped_at_any_time) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        for (int round = 0; round < 20; ++round) {
            batch commands;
            commands.atomic(round % 2 == 0);
            commands.add("select 1").add("select pg_sleep(300)").add("select 3").add("select pg_sleep(300)");
            const auto late = co_await as_result(
                with_timeout(database.run(std::move(commands)), std::chrono::microseconds(100 * round)));
            EXPECT_EQ(late.error(), std::errc::timed_out);
            const auto one = co_await with_timeout(database.query("select 1"), 5s);
            EXPECT_EQ(one.one<int>(), 1);
        }
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::batch_test
