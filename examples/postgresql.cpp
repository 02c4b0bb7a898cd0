// Queries, typed rows, a transaction and a stream of rows, over a pool of connections to PostgreSQL.
//
//     build/release/examples/postgresql "host=/run/postgresql dbname=postgres"
//
// Without an argument libpq's environment says where the database is (PGHOST, PGUSER ...).

#include <eddy/eddy.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/pool.hpp>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

using namespace std::chrono_literals;
namespace pq = eddy::pq;

// [snippet: mapping]
struct item {
    int id = 0;
    std::string name;
    std::optional<pq::numeric> price;
};

template <>
inline constexpr auto eddy::pq::columns_of<item> = pq::columns(
    pq::column("id", &item::id), pq::column("name", &item::name), pq::column("price", &item::price));
// [/snippet]

// [snippet: query]
eddy::task<> list_items(pq::pool& database) {
    const auto answer = co_await database.query("select * from item where id < $1 order by id", 100);
    for (const item& each : answer.as<item>())
        std::printf("%d: %s, %s\n", each.id, each.name.c_str(),
                    each.price ? each.price->to_string().c_str() : "not for sale");
}
// [/snippet]

// [snippet: transaction]
eddy::task<> rename_item(pq::pool& database, int id, std::string name) {
    auto connection = co_await database.acquire();
    auto change = co_await connection->begin();
    co_await change.query("update item set name = $2 where id = $1", id, name);
    co_await change.query("insert into renaming (item, name) values ($1, $2)", id, name);
    co_await change.commit();  // without it nothing has happened
}
// [/snippet]

// [snippet: stream]
eddy::task<long> count_bytes(pq::pool& database) {
    auto connection = co_await database.acquire();
    auto rows = connection->stream<std::tuple<int, std::string>>(
        "select number, repeat('x', number) from (select generate_series(1, 1000) number) numbers");
    long bytes = 0;
    while (const auto row = co_await rows.next())
        bytes += static_cast<long>(std::get<1>(*row).size());
    co_return bytes;
}
// [/snippet]

// [snippet: dropping]
eddy::task<> wait_no_longer(pq::pool& database) {
    try {
        co_await eddy::with_timeout(database.query("select pg_sleep(3600)"), 100ms);
    } catch (const std::system_error& late) {
        if (late.code() != std::errc::timed_out)
            throw;
        std::puts("it took too long, and was cancelled at the server");
    }
}
// [/snippet]

// [snippet: errors]
eddy::task<> add_twice(pq::pool& database) {
    try {
        co_await database.query("insert into item (id, name) values (1, 'twice')");
    } catch (const pq::error& refused) {
        if (refused.sqlstate() != pq::sqlstate::unique_violation)
            throw;
        std::printf("%s is there already\n", refused.fields().table.c_str());
    }
}
// [/snippet]

// [snippet: batch]
eddy::task<> fill(pq::pool& database) {
    auto connection = co_await database.acquire();
    pq::batch commands;
    commands.add("insert into item values ($1, $2, $3)", 1, "apple", pq::numeric("0.50"));
    commands.add("insert into item values ($1, $2, $3)", 2, "unsold", std::nullopt);
    const auto outcomes = co_await connection->run(std::move(commands));
    for (const auto& each : outcomes) {
        if (!each)
            std::printf("refused: %s\n", each.error().what());
    }
}
// [/snippet]

eddy::task<> program(std::string where) {
    const pq::connection_options options(where);
    pq::pool database(options);
    {
        auto connection = co_await database.acquire();
        co_await connection->execute(
            "drop table if exists renaming; drop table if exists item; "
            "create table item (id int primary key, name text, price numeric); "
            "create table renaming (item int, name text)");
    }
    co_await fill(database);
    co_await rename_item(database, 1, "pear");
    co_await list_items(database);
    co_await add_twice(database);
    co_await wait_no_longer(database);
    std::printf("%ld bytes in a thousand rows\n", co_await count_bytes(database));
    co_await database.close();
}

int main(int argc, char** argv) {
    eddy::run(program(argc > 1 ? argv[1] : ""));
}
