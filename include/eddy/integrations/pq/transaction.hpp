#pragma once

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/command.hpp>
#include <eddy/integrations/pq/detail/row_stream.hpp>
#include <eddy/integrations/pq/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace eddy::pq {

/// How a transaction sees what others do (PostgreSQL's manual, "Transaction Isolation").
enum class isolation : std::uint8_t {
    /// As the server is configured.
    server_default,
    /// Each statement sees what was committed before it.
    read_committed,
    /// All statements see what was committed before the first.
    repeatable_read,
    /// As if transactions ran one after the other; some are refused.
    serializable,
};

/// How a transaction is begun. Setters chain.
class transaction_options {
public:
    transaction_options() noexcept = default;

    /// How much it is shielded from other transactions.
    transaction_options& level(isolation value) noexcept {
        level_ = value;
        return *this;
    }
    /// Whether it may not change anything.
    transaction_options& read_only(bool is_on) noexcept {
        read_only_ = is_on;
        return *this;
    }

    [[nodiscard]] isolation level() const noexcept { return level_; }
    [[nodiscard]] bool read_only() const noexcept { return read_only_; }

private:
    isolation level_ = isolation::server_default;
    bool read_only_ = false;
};

/// A transaction: the effects of its commands become visible with commit(), or not at all.
///
/// - Ownership: moves, does not copy. It holds the connection's session.
/// - Cancellation: destroyed before its end, it is rolled back in the background of the worker, and a command
///   of it that was dropped is cancelled before; the connection's next use waits for that. A commit() that is
///   dropped has happened or not.
/// - Errors: as the connection's. After an error of the server every command but rollback() fails with
///   SQLSTATE 25P02, and commit() rolls back and throws server_error with that SQLSTATE.
/// - Thread safety: none; as the connection.
class transaction {
public:
    transaction(transaction&& other) noexcept = default;
    transaction& operator=(transaction&& other) noexcept {
        transaction taken(std::move(other));
        std::swap(session_, taken.session_);
        return *this;
    }
    ~transaction();

    /// Runs a statement in the transaction.
    template <class... Values>
    [[nodiscard]] task<result> query(std::string sql, const Values&... values) {
        return run(command(std::move(sql), values...));
    }
    template <class... Values>
    [[nodiscard]] task<result> query(const prepared& statement, const Values&... values) {
        return run(command(statement, values...));
    }
    /// Runs a command in the transaction.
    [[nodiscard]] task<result> run(command cmd);
    /// Runs a statement in the transaction whose rows come one by one.
    template <row_type T, class... Values>
    [[nodiscard]] async_generator<T> stream(std::string sql, const Values&... values) {
        return detail::stream_rows<T>(session_, command(std::move(sql), values...));
    }

    /// Requires, of both: it has not ended.
    [[nodiscard]] task<> commit();
    /// Undoes the transaction, which ends.
    [[nodiscard]] task<> rollback();

    /// Whether neither commit() nor rollback() has been called.
    [[nodiscard]] bool is_open() const noexcept { return session_ != nullptr; }

private:
    friend class connection;
    explicit transaction(std::shared_ptr<detail::session> begun) noexcept : session_(std::move(begun)) {}

    std::shared_ptr<detail::session> session_;
};

}  // namespace eddy::pq
