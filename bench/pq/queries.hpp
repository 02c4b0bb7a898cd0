#pragma once

#include "measure/sample.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <string>

namespace bench {

// On each of so many connections one query after the other, with one parameter; the answer is one number,
// which is looked at. The item is a query.
struct ping_work {
    double seconds = 0;
    std::string conninfo = {};
    int connections = 1;
    bool is_prepared = false;
};

// A query of so many rows, each of which is read as a number and a text, again and again. The item is a row.
struct rows_work {
    double seconds = 0;
    int count = 100'000;
};

inline constexpr const char* ping_sql = "select $1::int";
inline constexpr const char* rows_sql = "select g, 'row ' || g from generate_series(1, $1) g";

// libpq's own functions, a thread for each connection, the caller's if there is one.
sample libpq_pings(const ping_work& work);
sample libpq_rows(const rows_work& work);

// eddy::pq, all connections on one worker.
sample eddy_pings(eddy::backend_kind backend, const ping_work& work);
sample eddy_rows(eddy::backend_kind backend, const rows_work& work);

}  // namespace bench
