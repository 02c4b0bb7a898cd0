#include "pq/queries.hpp"

#include <eddy/eddy.hpp>
#include <eddy/integrations/pq/connection.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace bench {
namespace {

namespace pq = eddy::pq;

eddy::task<std::int64_t> ping_until(pq::connection& on, std::optional<pq::prepared> statement,
                                    const alarm_clock& alarm) {
    std::int64_t count = 0;
    for (int number = 0; !alarm.has_rung(); number = (number + 1) % 1000, ++count) {
        pq::command cmd = statement ? pq::command(*statement, number) : pq::command(ping_sql, number);
        const pq::result got = co_await on.run(std::move(cmd));
        if (got[0].get<int>(0) != number)
            throw failure("a wrong answer");
    }
    co_return count;
}

eddy::task<sample> run_ping(const ping_work& work) {
    const pq::connection_options options(work.conninfo);
    std::vector<pq::connection> all;
    for (int made = 0; made < work.connections; ++made)
        all.push_back(co_await pq::connection::connect(options));
    std::optional<pq::prepared> statement;
    if (work.is_prepared)
        statement = co_await all.front().prepare(ping_sql);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::vector<eddy::handle<std::int64_t>> running;
    for (pq::connection& each : all)
        running.push_back(eddy::spawn(ping_until(each, statement, alarm)));
    std::int64_t count = 0;
    for (auto& each : running)
        count += co_await each;
    co_return watch.stop(count);
}

eddy::task<sample> run_rows(const rows_work& work) {
    const pq::connection_options options;
    auto on = co_await pq::connection::connect(options);
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::int64_t count = 0;
    while (!alarm.has_rung()) {
        auto rows = on.stream<std::tuple<int, std::string>>(rows_sql, work.count);
        int expected = 0;
        while (const auto row = co_await rows.next()) {
            if (std::get<0>(*row) != ++expected || std::get<1>(*row).empty())
                throw failure("a wrong row");
        }
        if (expected != work.count)
            throw failure("rows are missing");
        count += expected;
    }
    co_return watch.stop(count);
}

eddy::runtime_options on(eddy::backend_kind kind) {
    return eddy::runtime_options().workers(1).backend(kind);
}

}  // namespace

sample eddy_pings(eddy::backend_kind backend, const ping_work& work) {
    return eddy::run(run_ping(work), on(backend));
}

sample eddy_rows(eddy::backend_kind backend, const rows_work& work) {
    return eddy::run(run_rows(work), on(backend));
}

}  // namespace bench
