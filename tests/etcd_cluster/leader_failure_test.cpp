#include "etcd_cluster/etcd_cluster.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

// Three nodes, of which one fails: the one that the client uses, and that leads the others.
namespace eddy::etcd::test::leader_failure_test {
namespace {

using eddy::test::run_bounded;
using namespace std::chrono_literals;

client_options quick() {
    return patient().attempt_time(500ms).watch_check_time(300ms);
}

/// Each number once, whatever happens on the way.
task<> count(const client& db, int first, int last) {
    for (int number = first; number <= last; ++number) {
        transaction step;
        step.when(compare::value("count").equal(std::to_string(number - 1)))
            .then(put_request("count", std::to_string(number)))
            .otherwise(range_request("count"));
        for (bool is_done = false; !is_done;) {
            try {
                const txn_response made = co_await db.commit(step);
                // If not, an attempt before that one was carried out.
                if (!made.succeeded) {
                    EXPECT_EQ(std::to_string(number),
                              std::get<range_response>(made.responses.at(0)).kvs.at(0).value);
                }
                is_done = true;
            } catch (const rpc::error& failed) {
                EXPECT_TRUE(failed.code() == rpc::status_code::unavailable ||
                            failed.code() == rpc::status_code::deadline_exceeded)
                    << failed.what();
            }
        }
    }
}

/// Sees each number once, in order.
task<> see_all(const client& db, std::int64_t start, int last) {
    auto changes = db.watch("count", watch_options().start_revision(start));
    for (int number = 1; number <= last;) {
        const auto seen = co_await changes.next();
        EXPECT_FALSE(seen->is_state);
        for (const event& each : seen->events)
            EXPECT_EQ(std::to_string(number++), each.kv.value);
    }
}

/// Counts before, during and after what happens to the leader.
task<> survive(std::function<void(etcd_cluster&, std::size_t)> fail,
               std::function<void(etcd_cluster&, std::size_t)> recover) {
    etcd_cluster cluster;
    const std::size_t leader = co_await cluster.leader();
    const client db(cluster.endpoints(leader), quick().request_time(2s));
    const client patient_db(cluster.endpoints(leader), quick());
    // Longer than the nodes of a busy machine take to choose a leader.
    const lease held = co_await patient_db.grant(60s);
    const claim mine = co_await patient_db.lock("mine", held);
    const put_response zero = co_await patient_db.put("count", "0");
    auto watching = spawn(see_all(patient_db, zero.revision + 1, 30));
    co_await count(db, 1, 10);
    fail(cluster, leader);
    co_await count(db, 11, 20);
    recover(cluster, leader);
    co_await count(db, 21, 30);
    co_await watching;
    EXPECT_FALSE(held.is_lost());
    const auto kept = co_await patient_db.get(mine.key());
    EXPECT_EQ(mine.revision(), kept.value_or(key_value()).create_revision);
}

TEST(etcd_cluster, the_leader_is_killed_and_started_again) {
    run_bounded(survive([](etcd_cluster& cluster, std::size_t leader) { cluster.node(leader).stop(); },
                        [](etcd_cluster& cluster, std::size_t leader) { cluster.node(leader).start(); }));
}

TEST(etcd_cluster, the_leader_is_stopped_and_continued) {
    run_bounded(survive([](etcd_cluster& cluster, std::size_t leader) { cluster.node(leader).suspend(); },
                        [](etcd_cluster& cluster, std::size_t leader) { cluster.node(leader).go_on(); }));
}

TEST(etcd_cluster, the_leader_is_cut_off_and_joined_again) {
    run_bounded(survive([](etcd_cluster& cluster, std::size_t leader) { cluster.cut_off(leader); },
                        [](etcd_cluster& cluster, std::size_t) { cluster.cut_off(etcd_cluster::size); }));
}

}  // namespace
}  // namespace eddy::etcd::test::leader_failure_test
