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
#include <utility>

namespace eddy::pq::copy_writer_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::connect_locally;
using test::error_of;

static_assert(byte_sink<copy_writer>);

task<connection> connect_with_table() {
    auto database = co_await connect_locally();
    co_await database.execute("create temporary table copied (number int, name text)");
    co_return database;
}

task<int> count_of(connection& database) {
    const auto answer = co_await database.query("select count(*) from copied");
    co_return answer.one<int>();
}

TEST(copy_writer, takes_rows) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto copy = co_await database.copy_in("copy copied from stdin");
        const std::optional<std::string> none;
        for (int number = 0; number < 10'000; ++number)
            co_await copy.write_row(number, "a\tname\n\\");
        co_await copy.write_row(10'000, none);
        const auto count = co_await copy.finish();
        EXPECT_EQ(count, 10'001u);
        const auto named = co_await database.query("select count(*), sum(number) from copied where name = $1",
                                                   "a\tname\n\\");
        EXPECT_EQ(named[0].get<int>(0), 10'000);
        EXPECT_EQ(named[0].get<int>(1), 49'995'000);
    };
    run_bounded(main());
}

TEST(copy_writer, takes_bytes_wherever_they_are_cut) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto copy = co_await database.copy_in("copy copied from stdin (format csv)");
        const std::string text = "1,one\n2,\"two, and more\"\n";
        for (const char& character : text)
            co_await copy.write(as_bytes(std::string_view(&character, 1)));
        std::array<const_buffer, 2> buffers = {const_buffer(std::string_view("3,thr")),
                                               const_buffer(std::string_view("ee\n"))};
        const std::size_t size = co_await copy.write_all(std::span<const_buffer>(buffers));
        EXPECT_EQ(size, 8u);
        const auto count = co_await copy.finish();
        EXPECT_EQ(count, 3u);
        const auto name = co_await database.query("select name from copied where number = 2");
        EXPECT_EQ(name.one<std::string>(), "two, and more");
    };
    run_bounded(main());
}

TEST(copy_writer, waits_for_the_server) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        co_await database.execute(
            "create function pg_temp.stall() returns trigger language plpgsql as "
            "$$ begin perform pg_sleep(300); return new; end $$; "
            "create trigger stalls before insert on copied "
            "for each row execute function pg_temp.stall()");
        std::size_t written = 0;
        const auto write = [&]() -> task<> {
            auto copy = co_await database.copy_in("copy copied from stdin");
            const std::string row = "1\t" + std::string(100'000, 'x') + "\n";
            for (; written < 1000; ++written)
                co_await copy.write(as_bytes(row));
        };
        const auto late = co_await as_result(with_timeout(write(), 300ms));
        EXPECT_EQ(late.error(), std::errc::timed_out);
        EXPECT_LT(written, 500u) << "what has been written lies somewhere";
        const int count = co_await with_timeout(count_of(database), 4s);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(copy_writer, leaves_nothing_when_it_is_dropped) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        {
            auto copy = co_await database.copy_in("copy copied from stdin");
            for (int number = 0; number < 10'000; ++number)
                co_await copy.write_row(number, "name");
        }
        const int count = co_await with_timeout(count_of(database), 5s);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(copy_writer, tells_what_the_server_refuses) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        auto copy = co_await database.copy_in("copy copied from stdin");
        co_await copy.write_row("no number", "name");
        const error refused = co_await error_of(copy.finish());
        EXPECT_EQ(refused.sqlstate(), "22P02");
        EXPECT_NE(refused.fields().context.find("column number"), std::string::npos);
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

TEST(copy_writer, is_for_copies_only) {
    const auto main = []() -> task<> {
        auto database = co_await connect_with_table();
        const error select = co_await error_of(database.copy_in("select 1"));
        EXPECT_EQ(select.code(), errc::wrong_command);
        const error out = co_await error_of(database.copy_in("copy copied to stdout"));
        EXPECT_EQ(out.code(), errc::wrong_command);
        const error syntax = co_await error_of(database.copy_in("copy nothing of this"));
        EXPECT_EQ(syntax.sqlstate(), "42601");
        const error query = co_await error_of(database.query("copy copied from stdin"));
        EXPECT_EQ(query.code(), errc::wrong_command);
        const int count = co_await count_of(database);
        EXPECT_EQ(count, 0);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::copy_writer_test
