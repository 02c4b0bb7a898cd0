// Whatever cannot be allocated, no answer comes to another command than its own, and the connection goes on
// or says that it has ended.

#include "integrations_pq/database.hpp"
#include "support/on_each_worker.hpp"
#include "support/time_bound.hpp"

#include <eddy/integrations/pq/batch.hpp>
#include <eddy/runtime/runtime_options.hpp>
#include <eddy/testing/fail_allocation_everywhere.hpp>
#include <eddy/testing/replace_new.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace eddy::pq::allocation_test {
namespace {

using namespace std::chrono_literals;
using eddy::testing::scenario_options;
using test::connect_locally;

task<> ask(connection& database, int number) {
    const auto rows = co_await database.query("select $1::int, $2::text", number, std::to_string(number));
    const auto typed = rows.as<std::tuple<int, std::string>>();
    if (typed.size() != 1 || typed.front() != std::tuple(number, std::to_string(number)))
        throw std::logic_error("the answer to another command");
}

task<> ask_several(connection& database, int number) {
    batch several;
    several.add("select $1::int", number);
    several.add("select $1::int", number + 1);
    const auto answers = co_await database.run(std::move(several));
    for (int at = 0; at < 2; ++at)
        if (answers[static_cast<std::size_t>(at)].value().as<int>().front() != number + at)
            throw std::logic_error("the answer to another command");
}

task<> converse_once() {
    connection database = co_await connect_locally();
    for (int round = 0; round < 3; ++round) {
        try {
            co_await ask(database, 10 * round);
        } catch (const std::bad_alloc&) {
            // of this command alone
        }
        try {
            co_await ask_several(database, 10 * round + 5);
        } catch (const std::bad_alloc&) {
            // the same
        }
    }
}

// A wait for the socket that has no memory is told by the connection that it ends.
task<> converse() {
    try {
        co_await converse_once();
    } catch (const error& lost) {
        if (std::string_view(lost.what()).find("Cannot allocate memory") == std::string_view::npos)
            throw;
    }
}

TEST(a_database_connection_without_memory, gives_each_answer_to_whom_it_belongs) {
    const eddy::test::time_bound bound;
    static_cast<void>(eddy::test::postgres_server::shared());
    const auto found = testing::fail_allocation_everywhere(
        [] { return eddy::test::on_each_worker(&converse); },
        scenario_options().name("converse").runtime(runtime_options().workers(2)).run_time_max(10s));
    EXPECT_TRUE(found) << found.message();
    EXPECT_GT(found.points(), 40U);
}

}  // namespace
}  // namespace eddy::pq::allocation_test
