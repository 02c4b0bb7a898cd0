#pragma once

#include <string>

namespace bench {

// On each of so many connections one query after the other, with one parameter; the answer is one number,
// which is looked at. The item is a query.
struct ping_work {
    double seconds = 0;
    std::string conninfo;
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

}  // namespace bench
