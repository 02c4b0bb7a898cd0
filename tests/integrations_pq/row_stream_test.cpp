#include "integrations_pq/database.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/integrations/pq/error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace eddy::pq::row_stream_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::active_sessions;
using test::connect_locally;

using numbered = std::tuple<int, std::string>;

/// Of this process, in bytes.
std::size_t resident_size() {
    std::ifstream statistics("/proc/self/statm");
    std::size_t whole = 0;
    std::size_t resident = 0;
    statistics >> whole >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(row_stream, gives_rows_in_constant_memory) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto rows = database.stream<numbered>("select generate_series(1, $1), repeat('x', 1000)", 100'000);
        int expected = 0;
        std::size_t early = 0;
        while (const auto row = co_await rows.next()) {
            ++expected;
            EXPECT_EQ(std::get<0>(*row), expected);
            EXPECT_EQ(std::get<1>(*row).size(), 1000u);
            if (expected == 1000)
                early = resident_size();
        }
        EXPECT_EQ(expected, 100'000);
        // A sanitizer keeps what was freed.
        if (EDDY_SANITIZED == 0) {
            EXPECT_LT(resident_size(), early + 16 * 1024 * 1024) << "100 MB have passed";
        }
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(row_stream, leaves_what_is_not_asked_for_with_the_server) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto watcher = co_await connect_locally();
        auto rows = database.stream<numbered>("select generate_series(1, 1000000), repeat('x', 1000)");
        const auto first = co_await rows.next();
        EXPECT_EQ(std::get<0>(*first), 1);
        const auto state = co_await watcher.query("select state from pg_stat_activity where pid = $1",
                                                  database.process_id());
        EXPECT_EQ(state.one<std::string>(), "active");
    };
    run_bounded(main());
}

TEST(row_stream, is_cancelled_when_it_is_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto watcher = co_await connect_locally();
        {
            auto rows = database.stream<numbered>("select generate_series(1, 1000000000), repeat('x', 1000)");
            for (int read = 0; read < 10; ++read) {
                const auto row = co_await rows.next();
                EXPECT_TRUE(row.has_value());
            }
        }
        const auto one = co_await with_timeout(database.query("select 1"), 2s);
        EXPECT_EQ(one.one<int>(), 1);
        const int active = co_await active_sessions(watcher);
        EXPECT_EQ(active, 0);
    };
    run_bounded(main());
}

TEST(row_stream, tells_an_error_behind_its_rows) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto rows = database.stream<int>("select 10 / (5 - number) from generate_series(1, 9) number");
        int count = 0;
        std::string code;
        try {
            while (const auto row = co_await rows.next())
                ++count;
        } catch (const error& refused) {
            code = refused.sqlstate();
        }
        EXPECT_EQ(count, 4);
        EXPECT_EQ(code, "22012");
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(row_stream, ends_with_a_row_of_another_type) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto rows = database.stream<int>(
            "select case when number < 3 then number end from generate_series(1, 9) number");
        int count = 0;
        std::error_code code;
        try {
            while (const auto row = co_await rows.next())
                ++count;
        } catch (const error& refused) {
            code = refused.code();
        }
        EXPECT_EQ(count, 2);
        EXPECT_EQ(code, errc::unexpected_null);
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(row_stream, of_a_command_without_rows_is_at_its_end) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto rows = database.stream<int>("create temporary table without_rows (number int)");
        const auto none = co_await rows.next();
        EXPECT_FALSE(none.has_value());
        const auto again = co_await rows.next();
        EXPECT_FALSE(again.has_value());
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::row_stream_test
