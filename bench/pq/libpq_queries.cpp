#include "pq/queries.hpp"

#include <atomic>
#include <charconv>
#include <cstdint>
#include <libpq-fe.h>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace bench {
namespace {

struct finisher {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
using connection = std::unique_ptr<PGconn, finisher>;

struct clearer {
    void operator()(PGresult* answer) const noexcept { PQclear(answer); }
};
using answer = std::unique_ptr<PGresult, clearer>;

connection connect(const std::string& conninfo) {
    connection made(PQconnectdb(conninfo.c_str()));
    if (PQstatus(made.get()) != CONNECTION_OK)
        throw failure(PQerrorMessage(made.get()));
    return made;
}

int number_in(std::string_view text) {
    int value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

int ask(PGconn* on, const ping_work& work, int number) {
    const std::string text = std::to_string(number);
    const char* const values[] = {text.c_str()};
    const answer got(work.is_prepared ? PQexecPrepared(on, "ping", 1, values, nullptr, nullptr, 0)
                                      : PQexecParams(on, ping_sql, 1, nullptr, values, nullptr, nullptr, 0));
    if (PQresultStatus(got.get()) != PGRES_TUPLES_OK)
        throw failure(PQerrorMessage(on));
    return number_in(PQgetvalue(got.get(), 0, 0));
}

std::int64_t ping_until(PGconn* on, const ping_work& work, const alarm_clock& alarm) {
    std::int64_t count = 0;
    for (int number = 0; !alarm.has_rung(); number = (number + 1) % 1000, ++count) {
        if (ask(on, work, number) != number)
            throw failure("a wrong answer");
    }
    return count;
}

}  // namespace

sample libpq_pings(const ping_work& work) {
    std::vector<connection> all;
    for (int made = 0; made < work.connections; ++made) {
        all.push_back(connect(work.conninfo));
        if (work.is_prepared)
            answer(PQprepare(all.back().get(), "ping", ping_sql, 0, nullptr));
    }
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    if (all.size() == 1)
        return watch.stop(ping_until(all.front().get(), work, alarm));
    std::atomic<std::int64_t> count = 0;
    {
        std::vector<std::jthread> threads;
        for (const connection& each : all)
            threads.emplace_back([&] { count += ping_until(each.get(), work, alarm); });
    }
    return watch.stop(count);
}

sample libpq_rows(const rows_work& work) {
    const connection on = connect({});
    const std::string text = std::to_string(work.count);
    const char* const values[] = {text.c_str()};
    const stopwatch watch;
    const alarm_clock alarm(work.seconds);
    std::int64_t count = 0;
    while (!alarm.has_rung()) {
        PQsendQueryParams(on.get(), rows_sql, 1, nullptr, values, nullptr, nullptr, 0);
        PQsetSingleRowMode(on.get());
        int expected = 0;
        while (const answer got{PQgetResult(on.get())}) {
            if (PQresultStatus(got.get()) != PGRES_SINGLE_TUPLE)
                continue;
            const std::string label(PQgetvalue(got.get(), 0, 1));
            if (number_in(PQgetvalue(got.get(), 0, 0)) != ++expected || label.empty())
                throw failure("a wrong row");
        }
        if (expected != work.count)
            throw failure("rows are missing");
        count += expected;
    }
    return watch.stop(count);
}

}  // namespace bench
