#include "etcd/patient_client.hpp"
#include "support/certificates.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/client.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_trust.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

// With one etcd.
namespace eddy::etcd::test::client_test {
namespace {

using eddy::test::etcd_node;
using eddy::test::run_bounded;
using namespace std::chrono_literals;

TEST(etcd_client, puts_gets_and_removes) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        EXPECT_FALSE(co_await db.get("basic"));
        const put_response first = co_await db.put("basic", "one");
        const std::string bytes("\0\xff", 2);
        put_request second("basic", bytes);
        second.prev_kv();
        const put_response changed = co_await db.put(std::move(second));
        EXPECT_EQ(changed.revision, first.revision + 1);
        EXPECT_EQ(changed.prev_kv.value_or(key_value()).value, "one");
        const auto found = co_await db.get("basic");
        EXPECT_EQ(found.value_or(key_value()).value, bytes);
        EXPECT_EQ(found.value_or(key_value()).create_revision, first.revision);
        EXPECT_EQ(found.value_or(key_value()).mod_revision, changed.revision);
        EXPECT_EQ(found.value_or(key_value()).version, 2);
        delete_request removal("basic");
        removal.prev_kv();
        const delete_response removed = co_await db.remove(std::move(removal));
        EXPECT_EQ(removed.deleted, 1);
        EXPECT_EQ(removed.prev_kvs.at(0).value, bytes);
        EXPECT_FALSE(co_await db.get("basic"));
        EXPECT_EQ(rpc::status_code::invalid_argument, co_await code_of(db.put("", "no key")));
    }());
}

task<std::string> keys_of(const client& db, range_request what) {
    const range_response found = co_await db.range(std::move(what));
    std::string all;
    for (const key_value& each : found.kvs)
        all += each.key.substr(each.key.find('/') + 1) + each.value + ' ';
    co_return all + std::to_string(found.count) + (found.more ? " and more" : "");
}

TEST(etcd_client, reads_ranges) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        for (const char* const key : {"range/b", "range/a", "range/d", "range/c"})
            co_await db.put(key, key == std::string("range/c") ? "9" : "1");
        const key_range all = key_range::prefix("range/");
        EXPECT_EQ("a1 b1 c9 d1 4", co_await keys_of(db, all));
        EXPECT_EQ(
            "d1 c9 4 and more",
            co_await keys_of(db, range_request(all).sort(sort_target::key, sort_order::descend).limit(2)));
        EXPECT_EQ("b1 a1 d1 c9 4",
                  co_await keys_of(db, range_request(all).sort(sort_target::create_revision)));
        EXPECT_EQ(
            "c9 4 and more",
            co_await keys_of(db, range_request(all).sort(sort_target::value, sort_order::descend).limit(1)));
        EXPECT_EQ("a b c d 4", co_await keys_of(db, range_request(all).keys_only()));
        EXPECT_EQ("4", co_await keys_of(db, range_request(all).count_only()));
        EXPECT_EQ("b1 c9 2", co_await keys_of(db, key_range::between("range/b", "range/d")));
        EXPECT_EQ("c9 d1 2", co_await keys_of(db, key_range::between("range/c", "range0")));
        EXPECT_EQ("c9 1", co_await keys_of(db, range_request("range/c").serializable()));
        const auto removed = co_await db.remove(delete_request(all));
        EXPECT_EQ(removed.deleted, 4);
        EXPECT_EQ("a1 b1 c9 d1 4", co_await keys_of(db, range_request(all).revision(removed.revision - 1)));
    }());
}

TEST(etcd_client, a_prefix_ends_behind_all_that_begin_with_it) {
    EXPECT_EQ(key_range::prefix("a").range_end(), "b");
    EXPECT_EQ(key_range::prefix("a\xff\xff").range_end(), "b");
    EXPECT_EQ(key_range::prefix("\xff").range_end(), std::string(1, '\0'));
    EXPECT_EQ(key_range::prefix("").key(), std::string(1, '\0'));
    EXPECT_EQ(key_range::prefix("").range_end(), std::string(1, '\0'));
}

TEST(etcd_client, pages_are_of_one_revision) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        transaction all;
        for (int number = 10; number < 35; ++number)
            all.then(put_request("pages/" + std::to_string(number), "x"));
        co_await db.commit(std::move(all));
        auto pages = db.pages(key_range::prefix("pages/"), 10);
        int number = 10;
        while (const auto each = co_await pages.next()) {
            EXPECT_EQ(each->key, "pages/" + std::to_string(number));
            if (number == 10)
                co_await db.remove(delete_request(key_range::prefix("pages/")));
            ++number;
        }
        EXPECT_EQ(number, 35);
    }());
}

TEST(etcd_client, commits_one_half_of_a_transaction) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        transaction creation;
        creation.when(compare::version("txn/a").equal(0))
            .then(put_request("txn/a", "first"))
            .then(put_request("txn/b", "second"))
            .otherwise(range_request(key_range::prefix("txn/")))
            .otherwise(delete_request("txn/b"));
        const txn_response made = co_await db.commit(creation);
        EXPECT_TRUE(made.succeeded);
        EXPECT_EQ(std::get<put_response>(made.responses.at(1)).revision, made.revision);
        const txn_response again = co_await db.commit(creation);
        EXPECT_FALSE(again.succeeded);
        EXPECT_EQ(std::get<range_response>(again.responses.at(0)).kvs.size(), 2U);
        EXPECT_EQ(std::get<delete_response>(again.responses.at(1)).deleted, 1);

        const auto holds = [&db](compare condition) -> task<bool> {
            const txn_response compared = co_await db.commit(transaction().when(std::move(condition)));
            co_return compared.succeeded;
        };
        EXPECT_TRUE(co_await holds(compare::value("txn/a").equal("first")));
        EXPECT_TRUE(co_await holds(compare::value("txn/a").greater("a")));
        EXPECT_FALSE(co_await holds(compare::value("txn/a").less("a")));
        EXPECT_TRUE(co_await holds(compare::mod_revision("txn/a").equal(made.revision)));
        EXPECT_TRUE(co_await holds(compare::create_revision("txn/a").not_equal(made.revision + 1)));
        EXPECT_TRUE(co_await holds(compare::lease("txn/a").equal(0)));
        EXPECT_TRUE(co_await holds(compare::version("txn/b").less(1)));
    }());
}

TEST(etcd_client, forgets_what_was_compacted) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        const put_response first = co_await db.put("compacted", "1");
        const put_response second = co_await db.put("compacted", "2");
        co_await db.compact(second.revision);
        EXPECT_EQ(rpc::status_code::out_of_range,
                  co_await code_of(db.range(range_request("compacted").revision(first.revision))));
    }());
}

TEST(etcd_client, sees_changes_from_a_revision_on) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        const put_response first = co_await db.put("watch/a", "1");
        co_await db.put("watch/b", "2");
        auto changes =
            db.watch(key_range::prefix("watch/"), watch_options().start_revision(first.revision).prev_kv());
        const auto seen = co_await changes.next();
        EXPECT_EQ("watch/a=1 watch/b=2", text_of(*seen));
        EXPECT_EQ(first.revision + 1, seen->revision);
        co_await db.put("watched/not", "x");
        co_await db.commit(transaction().then(put_request("watch/c", "3")).then(delete_request("watch/a")));
        const auto together = co_await changes.next();
        EXPECT_EQ("watch/c=3 -watch/a", text_of(*together));
        EXPECT_EQ("1", together->events.at(1).prev_kv.value_or(key_value()).value);
    }());
}

TEST(etcd_client, sees_the_state_and_then_the_changes) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        auto empty = db.watch(key_range::prefix("state/"), watch_options().with_state());
        EXPECT_EQ("state", co_await next_text(empty));
        co_await db.put("state/a", "1");
        EXPECT_EQ("state/a=1", co_await next_text(empty));
        auto full = db.watch("state/a", watch_options().with_state());
        EXPECT_EQ("state state/a=1", co_await next_text(full));
        co_await db.remove("state/a");
        EXPECT_EQ("-state/a", co_await next_text(full));
        EXPECT_EQ("-state/a", co_await next_text(empty));
    }());
}

TEST(etcd_client, shows_the_state_where_changes_were_compacted) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        const put_response first = co_await db.put("gap/a", "1");
        co_await db.put("gap/a", "2");
        const put_response last = co_await db.put("gap/b", "3");
        co_await db.compact(last.revision);
        auto changes = db.watch(key_range::prefix("gap/"), watch_options().start_revision(first.revision));
        EXPECT_EQ("state gap/a=2 gap/b=3", co_await next_text(changes));
        co_await db.put("gap/c", "4");
        EXPECT_EQ("gap/c=4", co_await next_text(changes));
    }());
}

TEST(etcd_client, a_lease_is_kept_alive_until_it_is_dropped) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        auto changes = db.watch("leased", watch_options().with_state());
        EXPECT_EQ("state", co_await next_text(changes));
        {
            const lease held = co_await db.grant(3s);
            EXPECT_GE(held.ttl(), 3s);
            co_await db.put(put_request("leased", "x").lease(held.id()));
            EXPECT_EQ("leased=x", co_await next_text(changes));
            // Longer than etcd would keep it.
            const auto removed = co_await as_result(with_timeout(changes.next(), held.ttl() + 1500ms));
            EXPECT_FALSE(removed);
            EXPECT_FALSE(held.is_lost());
            changes = db.watch("leased", watch_options().with_state());
            EXPECT_EQ("state leased=x", co_await next_text(changes));
        }
        EXPECT_EQ("-leased", co_await next_text(changes));
    }());
}

TEST(etcd_client, a_lease_that_is_revoked_elsewhere_is_lost) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        lease held = co_await db.grant(3s);
        co_await db.put(put_request("revoked", "x").lease(held.id()));
        http::client plain;
        http::client_request request(http::method::post, shared_node().endpoint() + "/v3/lease/revoke");
        request.content("{\"ID\": " + std::to_string(held.id()) + "}");
        const auto response = co_await plain.send(std::move(request));
        EXPECT_EQ(http::status::ok, response.status());
        co_await held.lost();
        EXPECT_TRUE(held.is_lost());
        EXPECT_FALSE(co_await db.get("revoked"));
        co_await held.revoke();
    }());
}

TEST(etcd_client, locks_are_held_in_turn) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        int inside = 0;
        std::int64_t last_revision = 0;
        const auto contend = [&]() -> task<> {
            const lease held = co_await db.grant(10s);
            claim mine = co_await db.lock("mutex", held);
            EXPECT_EQ(0, inside++);
            EXPECT_GT(mine.revision(), last_revision);
            last_revision = mine.revision();
            const txn_response guarded =
                co_await db.commit(transaction().when(mine.held()).then(put_request("guarded", mine.key())));
            EXPECT_TRUE(guarded.succeeded);
            --inside;
            co_await mine.release();
            const txn_response late = co_await db.commit(transaction().when(mine.held()));
            EXPECT_FALSE(late.succeeded);
        };
        std::vector<task<>> all;
        for (int count = 0; count < 5; ++count)
            all.push_back(contend());
        co_await when_all(std::move(all));
        EXPECT_GT(last_revision, 0);
    }());
}

TEST(etcd_client, a_place_in_the_queue_that_is_dropped_is_given_up) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        const lease first = co_await db.grant(10s);
        const lease second = co_await db.grant(10s);
        const lease third = co_await db.grant(10s);
        std::optional<claim> mine = co_await db.lock("queue", first);
        auto queue = db.watch(key_range::prefix("queue/"), watch_options().with_state());
        co_await queue.next();
        auto dropped = spawn(db.lock("queue", second));
        co_await queue.next();
        auto waiting = spawn(db.lock("queue", third));
        co_await queue.next();
        dropped.cancel();
        const auto gone = co_await queue.next();
        EXPECT_EQ(event::kind::remove, gone->events.at(0).type);
        EXPECT_FALSE(waiting.done());
        mine.reset();
        const claim last = co_await waiting;
        EXPECT_GT(last.revision(), 0);
    }());
}

TEST(etcd_client, a_claim_ends_with_its_lease) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        lease first = co_await db.grant(10s);
        const lease second = co_await db.grant(10s);
        const claim mine = co_await db.campaign("crown", "a", first);
        auto waiting = spawn(db.campaign("crown", "b", second));
        auto loss = spawn(mine.lost());
        co_await first.revoke();
        co_await loss;
        claim next = co_await waiting;
        EXPECT_EQ(rpc::status_code::failed_precondition, co_await code_of(db.lock("other", first)));
        // One whose key is removed is lost as well.
        loss = spawn(next.lost());
        co_await db.remove(next.key());
        co_await loss;
        EXPECT_EQ(rpc::status_code::failed_precondition, co_await code_of(next.proclaim("c")));
    }());
}

TEST(etcd_client, leaders_are_observed) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        EXPECT_FALSE(co_await db.leader("election"));
        auto leaders = db.observe("election");
        const lease first = co_await db.grant(10s);
        const lease second = co_await db.grant(10s);
        claim mine = co_await db.campaign("election", "a", first);
        auto seen = co_await leaders.next();
        EXPECT_EQ("a", seen->value);
        EXPECT_EQ(mine.key(), seen->key);
        auto waiting = spawn(db.campaign("election", "b", second));
        co_await mine.proclaim("a again");
        seen = co_await leaders.next();
        EXPECT_EQ("a again", seen->value);
        const auto leader = co_await db.leader("election");
        EXPECT_EQ("a again", leader.value_or(key_value()).value);
        co_await mine.release();
        seen = co_await leaders.next();
        EXPECT_EQ("b", seen->value);
        static_cast<void>(co_await waiting);
    }());
}

task<> tell(const etcd_node& node, std::string path, std::string body) {
    http::client plain;
    http::client_request request(http::method::post, node.endpoint() + "/v3/auth/" + path);
    request.content(std::move(body));
    const auto response = co_await plain.send(std::move(request));
    EXPECT_EQ(http::status::ok, response.status()) << path;
}

TEST(etcd_client, says_its_user_and_password) {
    run_bounded([]() -> task<> {
        etcd_node node;
        node.start();
        const auto as = [&node](std::string user, std::string password) {
            return client_of(node, patient().user(std::move(user), std::move(password)));
        };
        const client early = as("root", "secret");
        co_await early.put("a", "before there are users");
        co_await tell(node, "user/add", R"({"name": "root", "password": "secret"})");
        co_await tell(node, "role/add", R"({"name": "root"})");
        co_await tell(node, "user/grant", R"({"user": "root", "role": "root"})");
        co_await tell(node, "user/add", R"({"name": "guest", "password": "open"})");
        co_await tell(node, "enable", "{}");
        EXPECT_EQ(rpc::status_code::invalid_argument, co_await code_of(client_of(node).get("a")));
        EXPECT_EQ(rpc::status_code::invalid_argument, co_await code_of(as("root", "guess").get("a")));
        EXPECT_EQ(rpc::status_code::permission_denied, co_await code_of(as("guest", "open").put("a", "x")));
        auto refused = as("guest", "open").watch("a");
        bool is_refused = false;
        try {
            co_await refused.next();
        } catch (const rpc::error& failure) {
            is_refused = failure.code() == rpc::status_code::permission_denied;
        }
        EXPECT_TRUE(is_refused);
        // A client from before, whose tokens etcd has forgotten.
        const put_response made = co_await early.put("a", "1");
        auto changes = early.watch("a", watch_options().start_revision(made.revision));
        EXPECT_EQ("a=1", co_await next_text(changes));
        node.stop();
        node.start();
        const client later = as("root", "secret");
        co_await later.put("a", "2");
        EXPECT_EQ("a=2", co_await next_text(changes));
        co_await early.put("a", "3");
    }());
}

TEST(etcd_client, speaks_tls) {
    run_bounded([]() -> task<> {
        const eddy::test::certificate_authority authority;
        const auto made = authority.issue(eddy::test::certificate_wish("etcd.test").address("127.0.0.1"));
        etcd_node node;
        node.directory().write("certificate", made.certificate_pem());
        node.directory().write("key", made.key_pem());
        node.use_tls("certificate", "key");
        node.start();
        const tls_context trusting(tls_client_options().trust(tls_trust().pem(authority.pem())));
        const client db = client_of(node, patient().channel(rpc::channel_options().tls(trusting)));
        co_await db.put("a", "1");
        const auto found = co_await db.get("a");
        EXPECT_EQ("1", found.value_or(key_value()).value);
    }());
}

TEST(etcd_client, goes_on_when_etcd_was_killed_and_started_again) {
    run_bounded([]() -> task<> {
        etcd_node node;
        node.start();
        const client db = client_of(node);
        const lease held = co_await db.grant(30s);
        const put_response first = co_await db.put(put_request("a", "1").lease(held.id()));
        auto changes = db.watch("a", watch_options().start_revision(first.revision));
        EXPECT_EQ("a=1", co_await next_text(changes));
        co_await db.put("a", "2");  // not seen before the end
        node.stop();
        auto waiting = spawn(next_text(changes));
        auto reading = spawn(db.get("a"));
        co_await yield();
        node.start();
        EXPECT_EQ("2", (co_await reading).value_or(key_value()).value);
        EXPECT_EQ("a=2", co_await waiting);
        co_await db.put("a", "3");
        EXPECT_EQ("a=3", co_await next_text(changes));
        EXPECT_FALSE(held.is_lost());
    }());
}

TEST(etcd_client, what_changes_is_made_by_the_node_that_is_there) {
    run_bounded([]() -> task<> {
        etcd_node away;
        const client db({away.endpoint(), shared_node().endpoint()}, patient());
        co_await db.put("elsewhere", "1");
        const auto found = co_await db.get("elsewhere");
        EXPECT_EQ("1", found.value_or(key_value()).value);
    }());
}

TEST(etcd_client, a_node_that_is_silent_is_left_before_anything_is_changed) {
    run_bounded([]() -> task<> {
        etcd_node silent;
        silent.start();
        static_cast<void>(co_await client_of(silent).get("a"));
        silent.suspend();
        const client db({silent.endpoint(), shared_node().endpoint()}, patient().attempt_time(300ms));
        co_await db.put("silence", "1");
        const auto found = co_await client_of(shared_node()).get("silence");
        EXPECT_EQ("1", found.value_or(key_value()).value);
        silent.go_on();
    }());
}

TEST(etcd_client, a_request_fails_when_its_time_is_over) {
    run_bounded([]() -> task<> {
        const etcd_node away;
        const client db = client_of(away, patient().request_time(200ms));
        EXPECT_EQ(rpc::status_code::unavailable, co_await code_of(db.get("a")));
        EXPECT_EQ(rpc::status_code::unavailable, co_await code_of(db.put("a", "1")));
        EXPECT_EQ(rpc::status_code::unavailable, co_await code_of(db.grant(1s)));
        EXPECT_THROW(client({}), std::invalid_argument);
        EXPECT_THROW(client({"http://"}), std::system_error);
    }());
}

}  // namespace
}  // namespace eddy::etcd::test::client_test
