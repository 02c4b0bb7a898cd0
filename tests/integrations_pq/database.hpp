#pragma once

#include "support/postgres_server.hpp"

#include <eddy/core/task.hpp>
#include <eddy/integrations/pq/connection.hpp>

#include <optional>
#include <string>
#include <utility>

namespace eddy::pq::test {

using eddy::test::postgres_server;

/// A connection to the server that the program's tests share.
inline task<connection> connect_locally() {
    const connection_options options(postgres_server::shared().local());
    co_return co_await connection::connect(options);
}

/// The error that a task ends with, which it must.
template <class T>
task<error> error_of(task<T> failing) {
    try {
        co_await std::move(failing);
    } catch (const error& caught) {
        co_return caught;
    }
    throw std::logic_error("no error has come");
}

/// How many sessions run something, the asking one left out.
inline task<int> active_sessions(connection& requested) {
    const auto answer = co_await requested.query(
        "select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() "
        "and backend_type = 'client backend'");
    co_return answer.one<int>();
}

}  // namespace eddy::pq::test
