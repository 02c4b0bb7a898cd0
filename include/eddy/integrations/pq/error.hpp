#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::pq {

/// What can go wrong with a database. Compares equal to std::errc::timed_out where a time was over.
enum class errc {
    server_error = 1,       ///< the server refused a command: the error has a SQLSTATE and fields
    connect_failed = 2,     ///< no server took the connection
    connect_timed_out = 3,  ///< no connection came about in time
    connection_lost = 4,    ///< the connection ended, or can be used no more; a new one is needed
    pool_timed_out = 5,     ///< no connection of the pool came free in time
    pool_closed = 6,        ///< the pool gives no more connections
    wrong_type = 7,         ///< a value is not of the type that was asked for
    unexpected_null = 8,    ///< NULL where no std::optional was asked for
    wrong_columns = 9,      ///< the columns are not those that were asked for
    wrong_row_count = 10,   ///< another number of rows than was asked for
    invalid_argument = 11,  ///< options or parameters that cannot be sent; nothing was
    wrong_command = 12,     ///< a COPY was asked for by a command that is none, say
};

/// The category of these errors.
[[nodiscard]] const std::error_category& pq_category() noexcept;

[[nodiscard]] inline std::error_code make_error_code(errc error) noexcept {
    return {static_cast<int>(error), pq_category()};
}

/// What the server says of an error (PostgreSQL's manual, "Error and Notice Message Fields"). What it does
/// not say is empty.
struct server_fields {
    std::string severity;  ///< "ERROR", "FATAL" or "PANIC", in no other language
    std::string sqlstate;
    std::string message;
    std::string detail;
    std::string hint;
    std::string position;  ///< where in the command, counted in characters from 1
    std::string context;
    std::string schema;
    std::string table;
    std::string column;
    std::string data_type;
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
