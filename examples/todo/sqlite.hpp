#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace todo {

/// What SQLite has said, with its result code.
class sqlite_error final : public std::runtime_error {
public:
    sqlite_error(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
    /// Whether another attempt may succeed: another program had the file locked for too long, or the device
    /// is full.
    [[nodiscard]] bool is_temporary() const noexcept;

private:
    int code_;
};

/// A connection to a database in a file, which is made if it is not there. Its calls block, so they belong on
/// the offload pool, or before anything is served; one thread at a time uses it.
class sqlite_database {
public:
    /// Throws sqlite_error.
    explicit sqlite_database(const std::string& path);

    /// Runs statements without results.
    void run(const char* statements);
    [[nodiscard]] sqlite3* get() const noexcept { return handle_.get(); }

private:
    struct closing {
        void operator()(sqlite3* closed) const noexcept;
    };
    std::unique_ptr<sqlite3, closing> handle_;
};

/// A prepared statement, used many times:
///
///     const sqlite_statement::use used(statement);
///     statement.bind(1, id);
///     while (statement.step())
///         read(statement.integer(0));
///
/// Parameters are numbered from 1, columns from 0. Refers to its database.
class sqlite_statement {
public:
    sqlite_statement(const sqlite_database& in, std::string_view text);

    /// Parameters and results belong to one use; afterwards nothing of it holds a lock.
    class use {
    public:
        explicit use(sqlite_statement& used) noexcept : used_(used) {}
        use(const use&) = delete;
        use& operator=(const use&) = delete;
        ~use() { used_.reset(); }

    private:
        sqlite_statement& used_;
    };

    void bind(int parameter, std::optional<std::int64_t> value);
    /// Requires: the text stays until the end of the use.
    void bind(int parameter, std::string_view text);
    void bind(int parameter, const std::optional<std::string>& text);

    /// Advances to the next row; false if there is none.
    [[nodiscard]] bool step();
    [[nodiscard]] std::int64_t integer(int column) const noexcept;
    [[nodiscard]] std::string text(int column) const;

private:
    void reset() noexcept;
    void expect_ok(int code) const;

    struct finishing {
        void operator()(sqlite3_stmt* finished) const noexcept;
    };
    std::unique_ptr<sqlite3_stmt, finishing> handle_;
};

}  // namespace todo
