#include "sqlite_items.hpp"

#include <chrono>
#include <utility>

namespace todo {

namespace {

// In WAL mode readers and the writer do not wait for each other. AUTOINCREMENT: no id is used again.
constexpr const char* sqlite_schema =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = NORMAL;"
    "CREATE TABLE IF NOT EXISTS items ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  title TEXT NOT NULL,"
    "  done INTEGER NOT NULL,"
    "  version INTEGER NOT NULL DEFAULT 1,"
    "  added_at INTEGER NOT NULL,"  // microseconds since 1970
    "  changed_at INTEGER NOT NULL"
    ")";

sqlite_database open(const std::string& path) {
    sqlite_database opened(path);
    opened.run(sqlite_schema);
    return opened;
}

std::int64_t now_us() {
    return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now())
        .time_since_epoch()
        .count();
}

// The order of the columns in all statements below.
item read_item(const sqlite_statement& row) {
    item made;
    made.id = row.integer(0);
    made.title = row.text(1);
    made.done = row.integer(2) != 0;
    made.version = row.integer(3);
    made.added_at = instant(std::chrono::microseconds(row.integer(4)));
    made.changed_at = instant(std::chrono::microseconds(row.integer(5)));
    return made;
}

}  // namespace

sqlite_items::sqlite_items(const std::string& path)
    : database_(open(path)),
      list_(database_,
            "SELECT id, title, done, version, added_at, changed_at FROM items "
            "WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR done = ?2) ORDER BY id DESC LIMIT ?3"),
      find_(database_, "SELECT id, title, done, version, added_at, changed_at FROM items WHERE id = ?1"),
      add_(database_,
           "INSERT INTO items (title, done, added_at, changed_at) VALUES (?1, ?2, ?3, ?3) "
           "RETURNING id, title, done, version, added_at, changed_at"),
      change_(database_,
              "UPDATE items SET title = coalesce(?2, title), done = coalesce(?3, done), "
              "version = version + 1, changed_at = ?4 WHERE id = ?1 AND (?5 IS NULL OR version = ?5) "
              "RETURNING id, title, done, version, added_at, changed_at"),
      remove_(database_,
              "DELETE FROM items WHERE id = ?1 AND (?2 IS NULL OR version = ?2) "
              "RETURNING id, title, done, version, added_at, changed_at"),
      check_(database_, "SELECT count(*) FROM items WHERE id = 0") {}

page sqlite_items::list(const page_request& wanted) {
    const sqlite_statement::use used(list_);
    list_.bind(1, wanted.before);
    list_.bind(2, wanted.done);
    list_.bind(3, static_cast<std::int64_t>(wanted.limit + 1));  // one more shows whether there are more
    page found;
    while (list_.step()) {
        found.has_more = found.items.size() == wanted.limit;
        if (!found.has_more)
            found.items.push_back(read_item(list_));
    }
    return found;
}

std::optional<item> sqlite_items::find(item_id id) {
    const sqlite_statement::use used(find_);
    find_.bind(1, id);
    if (!find_.step())
        return std::nullopt;
    return read_item(find_);
}

item sqlite_items::add(const draft& added) {
    const sqlite_statement::use used(add_);
    add_.bind(1, std::string_view(added.title));
    add_.bind(2, added.done);
    add_.bind(3, now_us());
    static_cast<void>(add_.step());
    item made = read_item(add_);
    static_cast<void>(add_.step());  // the end of the statement commits it
    return made;
}

std::expected<item, refusal> sqlite_items::change(item_id id, const edit& wanted,
                                                  std::optional<std::int64_t> expected) {
    const sqlite_statement::use used(change_);
    change_.bind(1, id);
    change_.bind(2, wanted.title);
    change_.bind(3, wanted.done);
    change_.bind(4, now_us());
    change_.bind(5, expected);
    if (!change_.step())
        return std::unexpected(why_not(id));
    item changed = read_item(change_);
    static_cast<void>(change_.step());
    return changed;
}

std::expected<item, refusal> sqlite_items::remove(item_id id, std::optional<std::int64_t> expected) {
    const sqlite_statement::use used(remove_);
    remove_.bind(1, id);
    remove_.bind(2, expected);
    if (!remove_.step())
        return std::unexpected(why_not(id));
    item removed = read_item(remove_);
    static_cast<void>(remove_.step());
    return removed;
}

void sqlite_items::check() {
    const sqlite_statement::use used(check_);
    static_cast<void>(check_.step());
}

refusal sqlite_items::why_not(item_id id) {
    return find(id) ? refusal::outdated : refusal::missing;
}

}  // namespace todo
