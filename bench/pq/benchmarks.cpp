// What a query costs its client: eddy::pq on one worker beside libpq as it blocks. The server is that of libpq's
// environment (PGHOST, PGPORT, PGUSER ...), on this machine; the harness starts one.
#include "measure/subjects.hpp"
#include "pq/queries.hpp"

namespace bench {
namespace {

std::vector<subject> queries(const ping_work& work) {
    return subjects_of(work, {{"libpq", libpq_pings}}, eddy_pings);
}

benchmark ping(const char* name, const char* about, const ping_work& work) {
    return {.name = name, .about = about, .item = "query", .subjects = queries(work)};
}

benchmark connections() {
    benchmark made{.name = "connections",
                   .about = "queries on 1, 8 and 64 connections at once; libpq has a thread for each",
                   .item = "query",
                   .subjects = {}};
    for (const int count : {1, 8, 64})
        for (subject& one : queries({.connections = count})) {
            one.name += "_" + std::to_string(count);
            made.subjects.push_back(std::move(one));
        }
    return made;
}

}  // namespace

benchmarks measured_benchmarks() {
    return {compared::wall_clock,
            {ping("ping/local", "select $1::int over a Unix socket", {}),
             ping("ping/tcp", "select $1::int over TCP", {.conninfo = "host=127.0.0.1"}),
             ping("ping/prepared", "the same, prepared, over a Unix socket", {.is_prepared = true}),
             connections(),
             {.name = "rows",
              .about = "100,000 rows of two columns in single-row mode",
              .item = "row",
              .subjects = subjects_of(rows_work(), {{"libpq", libpq_rows}}, eddy_rows)}}};
}

}  // namespace bench
