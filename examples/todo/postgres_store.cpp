#include "postgres_store.hpp"

#include <eddy/integrations/pq/connection.hpp>
#include <eddy/integrations/pq/connection_options.hpp>
#include <eddy/integrations/pq/error.hpp>
#include <eddy/integrations/pq/pool.hpp>
#include <eddy/integrations/pq/row.hpp>

#include <chrono>
#include <string_view>
#include <utility>

/// How a row becomes an item.
template <>
inline constexpr auto eddy::pq::columns_of<todo::item> = eddy::pq::columns(
    eddy::pq::column("id", &todo::item::id), eddy::pq::column("title", &todo::item::title),
    eddy::pq::column("done", &todo::item::done), eddy::pq::column("version", &todo::item::version),
    eddy::pq::column("added_at", &todo::item::added_at),
    eddy::pq::column("changed_at", &todo::item::changed_at));

namespace todo {

namespace {

namespace pq = eddy::pq;
using namespace std::chrono_literals;

// Nodes that start at the same time make the table one after the other, under a lock of any number.
constexpr const char* postgres_schema =
    "SELECT pg_advisory_xact_lock(7483920155);"
    "CREATE TABLE IF NOT EXISTS items ("
    "  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  title text NOT NULL,"
    "  done boolean NOT NULL,"
    "  version bigint NOT NULL DEFAULT 1,"
    "  added_at timestamptz NOT NULL DEFAULT now(),"
    "  changed_at timestamptz NOT NULL DEFAULT now()"
    ")";

/// Whether the fault is with the server or the way to it, and not with the query: SQLSTATE classes 08, 53, 57
/// and 58, and errors without an SQLSTATE.
bool is_temporary(const pq::error& error) noexcept {
    const std::string_view kind = error.sqlstate().substr(0, 2);
    if (error.code() == pq::errc::server_error)
        return kind == "08" || kind == "53" || kind == "57" || kind == "58";
    return error.code() == pq::errc::connect_failed || error.code() == pq::errc::connect_timed_out ||
           error.code() == pq::errc::connection_lost || error.code() == pq::errc::pool_timed_out;
}

}  // namespace

postgres_store::postgres_store(const std::string& url)
    : database_(pq::connection_options(url).parameter("application_name", "todo").connect_timeout(2s),
                pq::pool_options().size_max(connections_max).acquire_timeout(2s)) {}

eddy::task<std::unique_ptr<postgres_store>> postgres_store::open(std::string url) {
    std::unique_ptr<postgres_store> made(new postgres_store(url));
    auto connection = co_await made->database_.acquire();
    co_await connection->execute(postgres_schema);
    co_return made;
}

template <class... Values>
eddy::task<pq::result> postgres_store::ask(std::string sql, Values... values) {
    try {
        auto connection = co_await database_.acquire();
        const pq::prepared statement = co_await connection->prepare(std::move(sql));
        co_return co_await connection->query(statement, values...);
    } catch (const pq::error& error) {
        if (is_temporary(error))
            throw store_unavailable(std::string("PostgreSQL: ") + error.what());
        throw;
    }
}

eddy::task<page> postgres_store::list(page_request wanted) {
    const auto one_more = static_cast<std::int64_t>(wanted.limit + 1);  // shows whether there are more
    const pq::result answer = co_await ask(
        "SELECT * FROM items WHERE ($1::bigint IS NULL OR id < $1) AND ($2::boolean IS NULL OR done = $2) "
        "ORDER BY id DESC LIMIT $3",
        wanted.before, wanted.done, one_more);
    page found;
    found.items = answer.as<item>();
    found.has_more = found.items.size() > wanted.limit;
    if (found.has_more)
        found.items.pop_back();
    co_return found;
}

eddy::task<std::optional<item>> postgres_store::find(item_id id) {
    const pq::result answer = co_await ask("SELECT * FROM items WHERE id = $1", id);
    co_return answer.one_or_none<item>();
}

eddy::task<item> postgres_store::add(draft added) {
    const pq::result answer = co_await ask("INSERT INTO items (title, done) VALUES ($1, $2) RETURNING *",
                                           std::move(added.title), added.done);
    co_return answer.one<item>();
}

eddy::task<std::expected<item, refusal>> postgres_store::change(item_id id, edit wanted,
                                                                std::optional<std::int64_t> expected) {
    const pq::result answer = co_await ask(
        "UPDATE items SET title = coalesce($2, title), done = coalesce($3, done), version = version + 1, "
        "changed_at = now() WHERE id = $1 AND ($4::bigint IS NULL OR version = $4) RETURNING *",
        id, std::move(wanted.title), wanted.done, expected);
    if (answer.empty()) {
        const refusal why = co_await why_not(id);
        co_return std::unexpected(why);
    }
    co_return answer.one<item>();
}

eddy::task<std::expected<item, refusal>> postgres_store::remove(item_id id,
                                                                std::optional<std::int64_t> expected) {
    const pq::result answer = co_await ask(
        "DELETE FROM items WHERE id = $1 AND ($2::bigint IS NULL OR version = $2) RETURNING *", id, expected);
    if (answer.empty()) {
        const refusal why = co_await why_not(id);
        co_return std::unexpected(why);
    }
    co_return answer.one<item>();
}

eddy::task<> postgres_store::check() {
    co_await ask("SELECT count(*) FROM items WHERE id = 0");
}

eddy::task<refusal> postgres_store::why_not(item_id id) {
    const auto found = co_await find(id);
    co_return found ? refusal::outdated : refusal::missing;
}

}  // namespace todo
