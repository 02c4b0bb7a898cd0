#include "support/postgres_server.hpp"
#include "support/run_bounded.hpp"

#include <eddy/integrations/pq/connection.hpp>
#include <eddy/integrations/pq/json.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct item {
    int id = 0;
    std::string name;
    std::optional<double> price;
};

template <>
inline constexpr auto eddy::pq::columns_of<item> =
    eddy::pq::columns(eddy::pq::column("id", &item::id), eddy::pq::column("name", &item::name),
                      eddy::pq::column("price", &item::price));

namespace eddy::pq::result_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::postgres_server;

task<connection> connect_locally() {
    const connection_options options(postgres_server::shared().local());
    co_return co_await connection::connect(options);
}

/// The error of reading a row, if there is one.
template <class Read>
std::error_code refusal(Read read) {
    try {
        read();
    } catch (const error& refused) {
        return refused.code();
    }
    return {};
}

TEST(result, becomes_structs_by_the_names_of_columns) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        const auto answer = co_await database.query(
            "select name, 1 as other, price, id from (values (1, 'one', 1.5), (2, 'two', null)) item(id, "
            "name, price) "
            "order by id");
        const auto items = answer.as<item>();
        EXPECT_EQ(items.size(), 2u);
        EXPECT_EQ(items[0].id, 1);
        EXPECT_EQ(items[1].name, "two");
        EXPECT_EQ(items[0].price, 1.5);
        EXPECT_EQ(items[1].price, std::nullopt);
        const auto missing = co_await database.query("select 1 as id");
        EXPECT_EQ(refusal([&] { (void)missing.as<item>(); }), errc::wrong_columns);
    };
    run_bounded(main());
}

template <class T>
task<> expect_there_and_back(connection& database, std::string type, T value) {
    const auto answer = co_await database.query("select $1::" + type, value);
    const T back = answer.template one<T>();
    EXPECT_EQ(back, value) << type;
}

TEST(result, has_what_was_sent_of_every_type) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        co_await expect_there_and_back(database, "bool", true);
        co_await expect_there_and_back(database, "smallint", std::numeric_limits<std::int16_t>::min());
        co_await expect_there_and_back(database, "int", -1);
        co_await expect_there_and_back(database, "bigint", std::numeric_limits<std::int64_t>::max());
        co_await expect_there_and_back(database, "real", 0.1f);
        co_await expect_there_and_back(database, "double precision", 1e-300);
        co_await expect_there_and_back(database, "double precision",
                                       -std::numeric_limits<double>::infinity());
        co_await expect_there_and_back(database, "text", std::string("\"'\\ \xc3\xa4 \n"));
        co_await expect_there_and_back(database, "uuid", std::string("6fa459ea-ee8a-3ca4-894e-db77e160355e"));
        co_await expect_there_and_back(database, "numeric", numeric("12345678901234567890.123456789"));
        const timestamp moment = std::chrono::sys_days(std::chrono::year(2026) / 11 / 22) + 18h + 123456us;
        co_await expect_there_and_back(database, "timestamptz", moment);
        co_await expect_there_and_back(database, "timestamptz", timestamp::max());
        const std::chrono::sys_days leap(std::chrono::year(2024) / 2 / 29);
        co_await expect_there_and_back(database, "date", leap);
        bytea bytes(256);
        for (std::size_t index = 0; index < bytes.size(); ++index)
            bytes[index] = static_cast<std::byte>(index);
        co_await expect_there_and_back(database, "bytea", bytes);
        co_await expect_there_and_back(database, "bytea", bytea());
        const std::vector<bytea> several(2, bytes);
        co_await expect_there_and_back(database, "bytea[]", several);
        const std::vector<std::optional<std::string>> texts = {"a", std::nullopt, "{\"\\,"};
        co_await expect_there_and_back(database, "text[]", texts);
        const std::vector<std::vector<int>> grid = {{1, 2}, {3, 4}};
        co_await expect_there_and_back(database, "int[]", grid);
        const std::optional<int> none;
        co_await expect_there_and_back(database, "int", none);
        const auto document = nlohmann::json::parse(R"({"a": [1, null, "b"]})");
        co_await expect_there_and_back(database, "jsonb", document);
        co_await expect_there_and_back(database, "json", document);
    };
    run_bounded(main());
}

TEST(result, reads_times_whatever_the_servers_style_is) {
    const auto main = []() -> task<> {
        connection_options options(postgres_server::shared().local());
        options.parameter("options",
                          "-c datestyle=German -c timezone=America/St_Johns -c bytea_output=escape");
        auto database = co_await connection::connect(options);
        const timestamp moment = std::chrono::sys_days(std::chrono::year(2026) / 7 / 1) + 12h;
        co_await expect_there_and_back(database, "timestamptz", moment);
        const bytea bytes = {std::byte{0}, std::byte{'\\'}, std::byte{200}};
        co_await expect_there_and_back(database, "bytea", bytes);
    };
    run_bounded(main());
}

TEST(result, tells_what_does_not_fit) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        const auto answer = co_await database.query("select 300000 as big, null as nothing");
        EXPECT_EQ(refusal([&] { (void)answer[0].get<std::int16_t>(0); }), errc::wrong_type);
        EXPECT_EQ(refusal([&] { (void)answer[0].get<int>("nothing"); }), errc::unexpected_null);
        EXPECT_EQ(answer[0].get<std::optional<int>>("nothing"), std::nullopt);
        EXPECT_EQ(refusal([&] { (void)answer[0].get<int>("bigger"); }), errc::wrong_columns);
        EXPECT_EQ(refusal([&] { (void)answer.as<int>(); }), errc::wrong_columns);
        EXPECT_EQ(refusal([&] { (void)answer.as<std::tuple<int>>(); }), errc::wrong_columns);
        const auto none = co_await database.query("select 1 where false");
        EXPECT_EQ(refusal([&] { (void)none.one<int>(); }), errc::wrong_row_count);
        EXPECT_EQ(none.one_or_none<int>(), std::nullopt);
        EXPECT_TRUE(none.as<int>().empty());
        try {
            (void)answer[0].get<bool>("big");
            ADD_FAILURE();
        } catch (const error& refused) {
            EXPECT_NE(
                std::string(refused.what()).find("column 1 (big) holds '300000', which is not a boolean"),
                std::string::npos)
                << refused.what();
        }
    };
    run_bounded(main());
}

TEST(result, refuses_text_with_a_null_byte) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        EXPECT_EQ(refusal([&] { (void)database.query("select $1", std::string("a\0b", 3)); }),
                  errc::invalid_argument);
        const auto one = co_await database.query("select 1");
        EXPECT_EQ(one.one<int>(), 1);
    };
    run_bounded(main());
}

TEST(result, counts_rows_and_goes_through_them) {
    const auto main = []() -> task<> {
        auto database = co_await connect_locally();
        co_await database.execute("create temporary table counted (number int)");
        const auto inserted = co_await database.query("insert into counted select generate_series(1, 10)");
        EXPECT_EQ(inserted.affected_rows(), 10u);
        const auto answer = co_await database.query("select number from counted order by number");
        int sum = 0;
        for (const row each : answer)
            sum += each.get<int>(0);
        EXPECT_EQ(sum, 55);
        EXPECT_EQ(answer.column_type(0), 23u);
        EXPECT_EQ(answer.column_count(), 1u);
    };
    run_bounded(main());
}

}  // namespace
}  // namespace eddy::pq::result_test
