#include "integrations_pq/database.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <tuple>

namespace eddy::pq::copy_reader_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::connect_locally;
using test::error_of;

static_assert(byte_source<copy_reader>);

using copied = std::tuple<int, std::optional<std::string>>;

TEST(copy_reader, gives_rows) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto copy = co_await database.copy_out(
            "copy (select number, case when number % 2 = 0 then E'tab\\there' end "
            "from generate_series(1, 10000) number) to stdout");
        int expected = 0;
        for (;;) {
            const auto row = co_await copy.read_row<copied>();
            if (!row)
                break;
            ++expected;
            EXPECT_EQ(std::get<0>(*row), expected);
            EXPECT_EQ(std::get<1>(*row).has_value(), expected % 2 == 0);
            EXPECT_EQ(std::get<1>(*row).value_or("tab\there"), "tab\there");
        }
        EXPECT_EQ(expected, 10'000);
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(copy_reader, gives_bytes_in_pieces_of_any_size) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto copy = co_await database.copy_out("copy (values (1, 'one'), (2, 'two')) to stdout (format csv)");
        std::string all;
        std::array<std::byte, 3> out{};
        for (;;) {
            const std::size_t count = co_await copy.read(out);
            if (count == 0)
                break;
            all += as_text(std::span(out).first(count));
        }
        EXPECT_EQ(all, "1,one\n2,two\n");
        const std::size_t again = co_await copy.read(out);
        EXPECT_EQ(again, 0u);
    };
    run_bounded(main());
}

TEST(copy_reader, is_cancelled_when_it_is_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        {
            auto copy = co_await database.copy_out(
                "copy (select generate_series(1, 1000000000), repeat('x', 1000)) to stdout");
            std::array<std::byte, 100> out{};
            const std::size_t count = co_await copy.read(out);
            EXPECT_EQ(count, 100u);
        }
        const auto one = co_await with_timeout(database.query("select 1"), 2s);
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(copy_reader, loses_nothing_when_a_read_is_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto copy = co_await database.copy_out(
            "copy (select number, case when number % 50 = 0 then pg_sleep(0.01)::text end "
            "from (select generate_series(1, 500) number) numbers) to stdout");
        int expected = 0;
        for (bool has_more = true; has_more;) {
            const auto row =
                co_await as_result(with_timeout(copy.read_row<copied>(), std::chrono::milliseconds(4)));
            if (!row)
                continue;
            has_more = row->has_value();
            if (has_more) {
                EXPECT_EQ(std::get<0>(**row), ++expected);
            }
        }
        EXPECT_EQ(expected, 500);
    };
    run_bounded(main());
}

TEST(copy_reader, tells_an_error_behind_its_rows) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto copy = co_await database.copy_out(
            "copy (select 10 / (5 - number), null from generate_series(1, 9) number) to stdout");
        int count = 0;
        std::string code;
        try {
            for (bool has_more = true; has_more;) {
                const auto row = co_await copy.read_row<copied>();
                has_more = row.has_value();
                count += has_more ? 1 : 0;
            }
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

TEST(copy_reader, refuses_rows_of_another_type) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        auto copy = co_await database.copy_out("copy (values ('one', 'two')) to stdout");
        const error refused = co_await error_of(copy.read_row<copied>());
        EXPECT_EQ(refused.code(), errc::wrong_type);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::copy_reader_test
