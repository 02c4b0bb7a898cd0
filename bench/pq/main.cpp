// Measures what a query costs its client: eddy::pq on one worker against libpq as it blocks. The server is
// that of libpq's environment (PGHOST, PGPORT, PGUSER ...), on this machine; run.sh starts one.
//   bench/pq/run.sh build/bench/bin/eddy-bench-pq --contest ping/local --repeat 9
#include "contest/run_suite.hpp"
#include "pq/blocking_player.hpp"
#include "pq/eddy_player.hpp"

#include <string>
#include <utility>

namespace bench {
namespace {

using eddy::backend_kind;

template <class Work>
contender blocking(const char* name, sample (*play)(const Work&), Work work) {
    return {name, [=](double seconds) mutable {
                work.seconds = seconds;
                return play(work);
            }};
}

template <class Work>
contender eddy_on(std::string name, backend_kind kind, sample (*play)(backend_kind, const Work&), Work work) {
    return {std::move(name), [=](double seconds) mutable {
                work.seconds = seconds;
                return play(kind, work);
            }};
}

contest ping(const std::string& name, const std::string& about, const ping_work& work) {
    return {.name = name,
            .about = about,
            .item = "query",
            .contenders = {blocking("libpq", &blocking_player::ping, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::ping, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::ping, work)}};
}

ping_work over(std::string conninfo) {
    ping_work work;
    work.conninfo = std::move(conninfo);
    return work;
}

ping_work prepared() {
    ping_work work;
    work.is_prepared = true;
    return work;
}

contest connections() {
    contest made{.name = "connections",
                 .about = "queries on 1, 8 and 64 connections at once; libpq has a thread for each",
                 .item = "query",
                 .contenders = {}};
    for (const int count : {1, 8, 64}) {
        ping_work work;
        work.connections = count;
        const std::string number = "_" + std::to_string(count);
        made.contenders.push_back(blocking(("libpq" + number).c_str(), &blocking_player::ping, work));
        made.contenders.push_back(
            eddy_on("eddy_io_uring" + number, backend_kind::io_uring, &eddy_player::ping, work));
        made.contenders.push_back(
            eddy_on("eddy_epoll" + number, backend_kind::epoll, &eddy_player::ping, work));
    }
    return made;
}

contest rows() {
    const rows_work work;
    return {.name = "rows",
            .about = "100,000 rows of two columns in single-row mode",
            .item = "row",
            .contenders = {blocking("libpq", &blocking_player::rows, work),
                           eddy_on("eddy_io_uring", backend_kind::io_uring, &eddy_player::rows, work),
                           eddy_on("eddy_epoll", backend_kind::epoll, &eddy_player::rows, work)}};
}

suite pq_suite() {
    return {.program = "eddy-bench-pq",
            .about = "Measures what queries cost, against libpq as it blocks.",
            .bases = {"libpq", "eddy_io_uring_1", "eddy_epoll_1"},
            .contests = {ping("ping/local", "select $1::int over a Unix socket", over({})),
                         ping("ping/tcp", "select $1::int over TCP", over("host=127.0.0.1")),
                         ping("ping/prepared", "the same, prepared, over a Unix socket", prepared()),
                         connections(), rows()}};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    return bench::run_suite(bench::pq_suite(), argc, argv);
}
