#pragma once

#include <eddy/detail/build.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// Codes that programs decide by, of the many that error::sqlstate() can be (PostgreSQL's manual, appendix
/// A).
namespace eddy::pq::sqlstate {

/// A key exists already.
inline constexpr std::string_view unique_violation = "23505";
/// What is referred to does not exist, or what exists is referred to.
inline constexpr std::string_view foreign_key_violation = "23503";
/// A column that needs a value has none.
inline constexpr std::string_view not_null_violation = "23502";
/// A CHECK has failed.
inline constexpr std::string_view check_violation = "23514";
/// Another transaction came in between: repeat this one.
inline constexpr std::string_view serialization_failure = "40001";
/// Two transactions waited for each other: repeat this one.
inline constexpr std::string_view deadlock_detected = "40P01";
/// A statement before it has failed: roll back.
inline constexpr std::string_view in_failed_transaction = "25P02";
/// The statement was cancelled.
inline constexpr std::string_view query_canceled = "57014";
/// The server ends the connection.
inline constexpr std::string_view admin_shutdown = "57P01";
/// The server is starting or ending.
inline constexpr std::string_view cannot_connect_now = "57P03";
/// The server has as many as it may have.
inline constexpr std::string_view too_many_connections = "53300";
/// The password is wrong.
inline constexpr std::string_view invalid_password = "28P01";
/// There is no such table.
inline constexpr std::string_view undefined_table = "42P01";
/// The statement cannot be parsed.
inline constexpr std::string_view syntax_error = "42601";

}  // namespace eddy::pq::sqlstate

namespace eddy::pq {

/// What can go wrong with a database. Compares equal to std::errc::timed_out where a time was over.
enum class errc {
    server_error = 1,       ///< the server refused a command: the error has a SQLSTATE and fields
    connect_failed = 2,     ///< no server took the connection
    connect_timed_out = 3,  ///< no connection came about in time
    connection_lost = 4,    ///< the connection ended, or can be used no more; a new one is needed
    pool_timed_out = 5,     ///< no connection of the pool came free in time
    pool_closed = 6,        ///< the pool was closed
    wrong_type = 7,         ///< a value is not of the requested type
    unexpected_null = 8,    ///< NULL for a type that is no std::optional
    wrong_columns = 9,      ///< the columns do not match the requested type
    wrong_row_count = 10,   ///< another number of rows than requested
    invalid_argument = 11,  ///< options or parameters that cannot be sent; nothing was
    wrong_command = 12,     ///< the command does not fit the call: for a COPY, say
};

/// The category of these errors.
[[nodiscard]] const std::error_category& pq_category() noexcept;

/// The error as a std::error_code.
[[nodiscard]] inline std::error_code make_error_code(errc error) noexcept {
    return {static_cast<int>(error), pq_category()};
}

/// What the server says of an error (PostgreSQL's manual, "Error and Notice Message Fields"). What it does
/// not say is empty.
struct server_fields {
    std::string severity;  ///< "ERROR", "FATAL" or "PANIC", in no other language
    /// The code; see sqlstate.
    std::string sqlstate;
    /// The message in one line.
    std::string message;
    /// More about it.
    std::string detail;
    /// What to do about it.
    std::string hint;
    std::string position;  ///< where in the command, counted in characters from 1
    /// Where it happened in functions of the server.
    std::string context;
    /// The schema that it concerns.
    std::string schema;
    /// The table.
    std::string table;
    /// The column.
    std::string column;
    /// The type.
    std::string data_type;
    /// The constraint.
    std::string constraint;
};

/// What is thrown where a database, the way to it or a conversion fails. code() says what kind it is, so
/// as_result() works with it; the words of the server are in what() and in fields().
///
/// Ownership: a value; copies share the fields.
class error : public std::system_error {
public:
    error(errc kind, const std::string& message) : std::system_error(make_error_code(kind), message) {}
    /// `kind` is connect_failed where the server refused the connection.
    error(errc kind, server_fields fields)
        : std::system_error(make_error_code(kind), fields.message),
          fields_(std::make_shared<const server_fields>(std::move(fields))) {}

    /// Five characters (see sqlstate.hpp), or none where the server had no word in it.
    [[nodiscard]] std::string_view sqlstate() const noexcept { return fields().sqlstate; }
    /// All of them empty where the server had no word in it.
    [[nodiscard]] const server_fields& fields() const noexcept;

private:
    std::shared_ptr<const server_fields> fields_;  // none is an empty pointer
};

}  // namespace eddy::pq

template <>
struct std::is_error_code_enum<eddy::pq::errc> : std::true_type {};
