// A client, or its server, that is dropped at any moment, or runs out of memory.

#include "etcd/memory_etcd.hpp"
#include "io_scenarios/http_exchange.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/etcd.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server.hpp>
#include <eddy/rpc/status.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

// Protobuf loses a message whose place in its list cannot be allocated.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:google::protobuf::RepeatedPtrField";
}

namespace eddy::test::etcd_test {
namespace {

using namespace std::chrono_literals;
using etcd::test::memory_etcd;

etcd::client client_at(endpoint at) {
    return etcd::client({"http://" + at.to_string()},
                        etcd::client_options().request_time(60s).attempt_time(30s));
}

/// What the end of memory at the other end brings about is a lack of memory here, too.
task<> expect_success(task<> work) {
    try {
        co_return co_await std::move(work);
    } catch (const rpc::error& failed) {
        require(failed.code() != rpc::status_code::deadline_exceeded, "a request that takes too long");
    }
    throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "another status");
}

task<> change_keys(const etcd::client& db) {
    co_await db.put("a", "1");
    co_await db.commit(etcd::transaction()
                           .when(etcd::compare::version("b").equal(0))
                           .then(etcd::put_request("b", "2"))
                           .otherwise(etcd::range_request("b")));
    const auto found = co_await db.range(etcd::key_range::prefix(""));
    require(found.kvs.size() == 2, "another number of keys");
    co_await db.remove("a");
}

task<> watch_keys(const etcd::client& db) {
    co_await db.put("a", "1");
    auto changes = db.watch("a", etcd::watch_options().with_state());
    const auto state = co_await changes.next();
    require(state && state->is_state && state->events.size() == 1, "another state");
    co_await db.put("a", "2");
    const auto seen = co_await changes.next();
    require(seen && seen->events.size() == 1 && seen->events[0].kv.value == "2", "another change");
}

task<> hold_locks(const etcd::client& db) {
    etcd::lease first = co_await db.grant(60s);
    const etcd::lease second = co_await db.grant(60s);
    etcd::claim mine = co_await db.lock("a", first);
    auto waiting = spawn(db.campaign("a", "b", second));
    co_await yield();
    co_await mine.release();
    etcd::claim other = co_await waiting;
    co_await other.proclaim("c");
    co_await other.release();
    co_await first.revoke();
}

template <task<> (*Work)(const etcd::client&)>
task<> work_at(endpoint at) {
    const etcd::client db = client_at(at);
    co_await expect_success(Work(db));
}

template <task<> (*Work)(const etcd::client&)>
task<> served() {
    memory_etcd store;
    const auto quietly = [](http::exchange&, const std::exception_ptr&) {};
    co_await serve_client(store.calls, &work_at<Work>,
                          quick_server().protocol(http::http2()).failure_reporter(quietly));
}

const scenario_suite listed({
    // Each run speaks HTTP/2 from the beginning, which has scenarios of its own.
    {"keys_of_etcd", &served<&change_keys>, suite_options().stride(5)},
    {"a_watch_of_etcd", &served<&watch_keys>, suite_options().stride(5)},
    {"locks_of_etcd", &served<&hold_locks>, suite_options().stride(7)},
});

}  // namespace
}  // namespace eddy::test::etcd_test
