#include "sqlite.hpp"

#include <sqlite3.h>

namespace todo {

namespace {

// How long a connection waits for another program to unlock the file.
constexpr int busy_timeout_ms = 2000;

[[noreturn]] void fail(int code, sqlite3* in) {
    throw sqlite_error(code,
                       std::string("SQLite: ") + (in != nullptr ? sqlite3_errmsg(in) : sqlite3_errstr(code)));
}

}  // namespace

bool sqlite_error::is_temporary() const noexcept {
    const int primary = code_ & 0xFF;  // the rest are details
    return primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_FULL ||
           primary == SQLITE_IOERR;
}

void sqlite_database::closing::operator()(sqlite3* closed) const noexcept {
    sqlite3_close_v2(closed);
}

sqlite_database::sqlite_database(const std::string& path) {
    sqlite3* opened = nullptr;
    // Without SQLite's own locks: one thread at a time uses a connection.
    const int code = sqlite3_open_v2(
        path.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    handle_.reset(opened);
    if (code != SQLITE_OK)
        throw sqlite_error(code, "SQLite: '" + path + "': " + sqlite3_errstr(code));
    sqlite3_busy_timeout(opened, busy_timeout_ms);
}

void sqlite_database::run(const char* statements) {
    const int code = sqlite3_exec(get(), statements, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        fail(code, get());
}

void sqlite_statement::finishing::operator()(sqlite3_stmt* finished) const noexcept {
    sqlite3_finalize(finished);
}

sqlite_statement::sqlite_statement(const sqlite_database& in, std::string_view text) {
    sqlite3_stmt* prepared = nullptr;
    const int code = sqlite3_prepare_v3(in.get(), text.data(), static_cast<int>(text.size()),
                                        SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
    handle_.reset(prepared);
    if (code != SQLITE_OK)
        fail(code, in.get());
}

void sqlite_statement::bind(int parameter, std::optional<std::int64_t> value) {
    if (value)
        expect_ok(sqlite3_bind_int64(handle_.get(), parameter, *value));
    else
        expect_ok(sqlite3_bind_null(handle_.get(), parameter));
}

void sqlite_statement::bind(int parameter, std::string_view text) {
    expect_ok(sqlite3_bind_text(handle_.get(), parameter, text.data(), static_cast<int>(text.size()),
                                SQLITE_STATIC));
}

void sqlite_statement::bind(int parameter, const std::optional<std::string>& text) {
    if (text)
        bind(parameter, std::string_view(*text));
    else
        expect_ok(sqlite3_bind_null(handle_.get(), parameter));
}

bool sqlite_statement::step() {
    const int code = sqlite3_step(handle_.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        fail(code, sqlite3_db_handle(handle_.get()));
    return false;
}

std::int64_t sqlite_statement::integer(int column) const noexcept {
    return sqlite3_column_int64(handle_.get(), column);
}

std::string sqlite_statement::text(int column) const {
    const auto* const begin = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
    return {begin, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void sqlite_statement::reset() noexcept {
    sqlite3_reset(handle_.get());  // repeats the error of the last step, which was thrown then
    sqlite3_clear_bindings(handle_.get());
}

void sqlite_statement::expect_ok(int code) const {
    if (code != SQLITE_OK)
        fail(code, sqlite3_db_handle(handle_.get()));
}

}  // namespace todo
