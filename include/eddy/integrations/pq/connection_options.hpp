#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/integrations/pq/error.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace eddy::pq {

/// Takes what the server says beside its answers; connections share it.
using notice_handler = std::shared_ptr<const std::function<void(const server_fields&)>>;

/// Where a database is and how it is connected to. Setters chain.
///
///     connection_options("postgresql://app:secret@db.example/shop?sslmode=verify-full")
///     connection_options().host("/run/postgresql").database("shop")
///
/// What is not said is as libpq has it (PostgreSQL's manual, "Database Connection Control Functions"):
/// variables of the environment (PGHOST, PGUSER ...), the password file, then defaults. Two things differ:
/// client_encoding is UTF8, and gssencmode is disable, since Kerberos would make the worker wait.
class connection_options {
public:
    connection_options() = default;
    /// A URI or a string of `keyword=value`. It is looked at when a connection is made.
    explicit connection_options(std::string connection_string)
        : connection_string_(std::move(connection_string)) {}

    /// A name, an address, or the directory of a Unix socket; or several, separated by commas, which are tried
    /// in order.
    connection_options& host(std::string value) { return parameter("host", std::move(value)); }
    /// The port of the server.
    connection_options& port(std::uint16_t value) { return parameter("port", std::to_string(value)); }
    /// The name of the user.
    connection_options& user(std::string value) { return parameter("user", std::move(value)); }
    /// The password.
    connection_options& password(std::string value) { return parameter("password", std::move(value)); }
    /// The name of the database.
    connection_options& database(std::string value) { return parameter("dbname", std::move(value)); }
    /// Any other keyword of libpq's. Goes before what the connection string says.
    connection_options& parameter(std::string keyword, std::string value) {
        parameters_.emplace_back(std::move(keyword), std::move(value));
        return *this;
    }

    /// How long connecting may take in all, the look-up of names included. 10 s.
    connection_options& connect_timeout(duration limit) noexcept {
        connect_timeout_ = limit;
        return *this;
    }
    /// How long recovering a connection may take whose command was dropped; after that it is closed. 5 s.
    connection_options& recovery_timeout(duration limit) noexcept {
        recovery_timeout_ = limit;
        return *this;
    }

    /// Is called with the server's notices and warnings, on the connection's worker, in the middle of
    /// whatever is awaited there; without it they are ignored. It must not throw or use the connection.
    connection_options& on_notice(std::function<void(const server_fields&)> handler) {
        on_notice_ = std::make_shared<const std::function<void(const server_fields&)>>(std::move(handler));
        return *this;
    }

    /// What the options were made of; empty if nothing.
    [[nodiscard]] const std::string& connection_string() const noexcept { return connection_string_; }
    /// Keywords and values of libpq.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& parameters() const noexcept {
        return parameters_;
    }
    [[nodiscard]] duration connect_timeout() const noexcept { return connect_timeout_; }
    [[nodiscard]] duration recovery_timeout() const noexcept { return recovery_timeout_; }
    /// Null if there is none.
    [[nodiscard]] const notice_handler& on_notice() const noexcept { return on_notice_; }

private:
    std::string connection_string_;
    std::vector<std::pair<std::string, std::string>> parameters_;
    notice_handler on_notice_;
    duration connect_timeout_ = std::chrono::seconds(10);
    duration recovery_timeout_ = std::chrono::seconds(5);
};

}  // namespace eddy::pq
