#include "etcd/memory_etcd.hpp"
#include "etcd/patient_client.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/server.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <gtest/gtest.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

// What the client does when etcd behaves in ways that etcd itself cannot be made to at will.
namespace eddy::etcd::test::client_state_test {
namespace {

using eddy::test::run_bounded;
using eddy::test::turns;
using eddy::test::turns_until;
using namespace std::chrono_literals;

/// A memory_etcd that is reached in memory.
class memory_node {
public:
    memory_etcd store;
    /// So many attempts to connect fail first.
    int refusals = 0;
    int connections = 0;
    /// Connections to this host are served no more.
    std::string silent_host;

    [[nodiscard]] client connect(client_options options = patient(),
                                 const std::vector<std::string>& endpoints = {"http://memory.test"}) {
        return client(endpoints, std::move(options.channel(channel())));
    }
    [[nodiscard]] rpc::channel_options channel() {
        return rpc::channel_options().transport(
            [this](http::client_target to) { return open(*this, std::move(to)); });
    }
    void cut() { serving_.clear(); }

private:
    static task<any_stream> open(memory_node& self, http::client_target to) {
        if (self.refusals > 0) {
            --self.refusals;
            throw std::system_error(std::make_error_code(std::errc::connection_refused));
        }
        ++self.connections;
        auto [here, there] = duplex(65'536);
        if (to.host() == self.silent_host) {
            self.silent_.emplace_back(std::move(there));
            co_return any_stream(std::move(here));
        }
        self.serving_.push_back(spawn(http::serve_connection(any_stream(std::move(there)), self.store.calls,
                                                             http::server_options().protocol(rpc::http2()))));
        co_return any_stream(std::move(here));
    }

    std::vector<handle<>> serving_;
    std::vector<any_stream> silent_;
};

rpc::status unavailable(const char* why) {
    return rpc::status(rpc::status_code::unavailable, why);
}

TEST(etcd_client_state, a_put_that_may_have_been_carried_out_is_not_made_again) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        node.store.failure = unavailable("etcdserver: request timed out");
        EXPECT_EQ(rpc::status_code::unavailable, co_await code_of(db.put("a", "1")));
        EXPECT_EQ(node.store.puts, 1);
        const auto found = co_await db.get("a");
        EXPECT_EQ(found.value_or(key_value()).value, "1");
    }());
}

TEST(etcd_client_state, a_put_that_was_certainly_not_carried_out_is_made_again) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        node.store.refusal = unavailable("etcdserver: no leader");
        co_await db.put("a", "1");
        EXPECT_EQ(node.store.puts, 2);
        node.cut();
        co_await turns(10);  // until the client has noticed
        node.refusals = 3;
        co_await db.put("a", "2");
        EXPECT_EQ(node.store.puts, 3);
        EXPECT_EQ(node.connections, 2);
    }());
}

TEST(etcd_client_state, an_event_that_is_sent_again_is_seen_once) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        const put_response first = co_await db.put("a", "1");
        node.store.responses_max = 1;
        node.store.repeats_events = true;
        auto changes = db.watch("a", watch_options().start_revision(first.revision));
        EXPECT_EQ("a=1", co_await next_text(changes));
        co_await db.put("a", "2");
        EXPECT_EQ("a=2", co_await next_text(changes));
        co_await db.put("a", "3");
        EXPECT_EQ("a=3", co_await next_text(changes));
    }());
}

TEST(etcd_client_state, a_watch_from_now_on_misses_nothing_after_it_has_begun) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect(patient().watch_check_time(1ms));
        co_await db.put("a", "0");
        auto changes = db.watch("a");
        auto waiting = spawn(next_text(changes));
        // It does that once it knows that it has begun.
        co_await turns_until([&node] { return node.store.checks > 0; });
        node.cut();
        const client writer = node.connect();
        co_await writer.put("a", "1");
        EXPECT_EQ("a=1", co_await waiting);
    }());
}

TEST(etcd_client_state, a_watch_leaves_a_node_that_is_silent) {
    run_bounded([]() -> task<> {
        memory_node silent;
        silent.store.is_silent = true;
        const client db = silent.connect(patient().watch_check_time(10ms).attempt_time(10ms));
        auto changes = db.watch("a");
        auto waiting = spawn(next_text(changes));
        co_await turns_until([&silent] { return silent.store.watches_begun > 1; });
        silent.store.is_silent = false;
        const client writer = silent.connect();
        co_await writer.put("a", "1");
        EXPECT_EQ("a=1", co_await waiting);
    }());
}

TEST(etcd_client_state, a_watch_that_missed_compacted_changes_shows_the_state) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        const put_response first = co_await db.put("a", "1");
        auto changes = db.watch(key_range::prefix(""), watch_options().start_revision(first.revision));
        EXPECT_EQ("a=1", co_await next_text(changes));
        node.cut();
        co_await db.remove("a");
        const put_response last = co_await db.put("b", "2");
        node.store.compact(last.revision);
        EXPECT_EQ("state b=2", co_await next_text(changes));
        co_await db.put("c", "3");
        EXPECT_EQ("c=3", co_await next_text(changes));
    }());
}

TEST(etcd_client_state, a_lease_that_is_dropped_is_revoked_in_the_background) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        {
            const lease held = co_await db.grant(10s);
            co_await db.put(put_request("a", "1").lease(held.id()));
            EXPECT_EQ(node.store.lease_count(), 1U);
        }
        co_await turns_until([&node] { return node.store.lease_count() == 0; });
        EXPECT_EQ(node.store.key_count(), 0U);
    }());
}

TEST(etcd_client_state, a_lease_is_renewed_at_another_node_while_one_is_silent) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db =
            node.connect(patient().attempt_time(100ms), {"http://first.test", "http://second.test"});
        const lease held = co_await db.grant(3s);
        node.silent_host = "first.test";
        node.cut();
        co_await turns_until([&] { return node.store.renewals > 0 || held.is_lost(); });
        co_await turns(10);  // until the client has seen the response
        EXPECT_FALSE(held.is_lost());
    }());
}

TEST(etcd_client_state, a_lease_is_lost_when_no_node_is_reached_for_its_time) {
    run_bounded([]() -> task<> {
        memory_node node;
        const client db = node.connect();
        const lease held = co_await db.grant(1s);
        node.cut();
        node.refusals = 1'000'000;
        co_await held.lost();
        EXPECT_TRUE(held.is_lost());
    }());
}

}  // namespace
}  // namespace eddy::etcd::test::client_state_test
