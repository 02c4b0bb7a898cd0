#include "etcd/patient_client.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/etcd/name_resolver.hpp>
#include <eddy/etcd/registration.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/server.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/rpc.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// Names of channels that etcd has.
namespace eddy::etcd::test::name_resolver_test {
namespace {

using eddy::test::run_bounded;
using namespace std::chrono_literals;

endpoint at(std::uint16_t port) {
    return endpoint::loopback_ipv4(port);
}

/// The next list, as text.
task<std::string> next_of(async_generator<std::vector<endpoint>>& lists) {
    const auto all = co_await lists.next();
    EXPECT_TRUE(all);
    std::string text;
    for (const endpoint& each : all.value_or(std::vector<endpoint>()))
        text += (text.empty() ? "" : " ") + each.to_string();
    co_return text;
}

TEST(etcd_name_resolver, follows_servers_as_they_come_and_go) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        name_resolver names(db);
        auto lists = names.watch("follow");
        EXPECT_EQ(co_await next_of(lists), "");
        registration first = co_await register_endpoint(db, "follow", at(1));
        EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1");
        {
            const registration second = co_await register_endpoint(db, "follow", at(2));
            EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1 127.0.0.1:2");
        }
        EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1");
        co_await first.withdraw();
        EXPECT_EQ(co_await next_of(lists), "");
        auto others = names.watch("fol");
        EXPECT_EQ(co_await next_of(others), "");
    }());
}

TEST(etcd_name_resolver, reads_and_writes_what_etcds_client_for_go_does) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        co_await db.put("go/10.0.0.1:50", R"({"Op":0,"Addr":"10.0.0.1:50","Metadata":null})");
        co_await db.put("go/[::1]:50", R"({"Addr":"[::1]:50","Metadata":{"zone":"a"}})");
        for (const char* const other : {"{}", "no JSON", R"({"Addr":"host.test:50"})",
                                        R"({"Addr":"10.0.0.1:x"})", R"({"Addr":"10.0.0.1:70000"})"})
            co_await db.put(std::string("go/") + other, other);
        name_resolver names(db);
        auto lists = names.watch("go");
        EXPECT_EQ(co_await next_of(lists), "10.0.0.1:50 [::1]:50");
        const registration made = co_await register_endpoint(db, "ours", at(80));
        const auto written = co_await db.get("ours/127.0.0.1:80");
        EXPECT_EQ(written.value_or(key_value()).value, R"({"Op":0,"Addr":"127.0.0.1:80"})");
    }());
}

TEST(etcd_name_resolver, a_server_that_was_killed_leaves_when_its_lease_is_over) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        name_resolver names(db);
        auto lists = names.watch("killed");
        EXPECT_EQ(co_await next_of(lists), "");
        {
            // Nothing of it is left that could still revoke the lease.
            std::optional<client> other = client_of(shared_node());
            const registration killed = co_await register_endpoint(*other, "killed", at(1), 1s);
            EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1");
            other.reset();
        }
        EXPECT_EQ(co_await next_of(lists), "");
    }());
}

TEST(etcd_name_resolver, a_server_whose_lease_was_lost_comes_back) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        name_resolver names(db);
        const registration kept = co_await register_endpoint(db, "back", at(1), 1s);
        auto lists = names.watch("back");
        EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1");
        const auto entry = co_await db.get("back/127.0.0.1:1");
        http::client plain;
        http::client_request request(http::method::post, shared_node().endpoint() + "/v3/lease/revoke");
        request.content("{\"ID\": " + std::to_string(entry.value_or(key_value()).lease) + "}");
        static_cast<void>(co_await plain.send(std::move(request)));
        EXPECT_EQ(co_await next_of(lists), "");
        EXPECT_EQ(co_await next_of(lists), "127.0.0.1:1");
    }());
}

/// A server of calls that returns its own name, registered as long as it exists.
class named_server {
public:
    explicit named_server(std::string called) : service_("test.Named") {
        service_.add_unary<std::string, std::string>(
            "Name", [called](rpc::server_call&, std::string) -> task<std::string> { co_return called; });
        calls_.add(service_);
        auto listener = tcp_listener::bind(at(0));
        where_ = listener.local_endpoint();
        serving_ =
            spawn(http::serve(std::move(listener), calls_, http::server_options().protocol(rpc::http2())));
    }
    [[nodiscard]] endpoint where() const noexcept { return where_; }

private:
    rpc::service service_;
    rpc::services calls_;
    endpoint where_;
    handle<> serving_;
};

task<std::string> name_of(const rpc::channel& through) {
    return rpc::call<std::string>(through, "/test.Named/Name", std::string(),
                                  rpc::call_options().wait_for_ready(true));
}
/// Calls until ten in a row were answered by servers with these names, of one letter each, and by each of them. An
/// address that has left may get calls until the channel has heard of it; as addresses take turns, ten in a row show
/// that it has.
task<> until_named(const rpc::channel& through, std::string letters) {
    std::set<std::string> expected;
    for (const char letter : letters)
        expected.emplace(1, letter);
    std::set<std::string> seen;
    for (int in_a_row = 0; in_a_row < 10 || seen != expected; ++in_a_row) {
        const std::string name = co_await name_of(through);
        seen.insert(name);
        if (!expected.contains(name)) {
            seen.clear();
            in_a_row = -1;
        }
    }
}

constexpr const char* calls_again = R"({"methodConfig": [{"name": [{}], "retryPolicy": {
    "maxAttempts": 3, "initialBackoff": "0.01s", "maxBackoff": "0.01s", "backoffMultiplier": 1,
    "retryableStatusCodes": ["UNAVAILABLE"]}}]})";

TEST(etcd_name_resolver, channels_follow) {
    run_bounded([]() -> task<> {
        const client db = client_of(shared_node());
        const rpc::channel named("etcd:///named", rpc::channel_options()
                                                      .resolver("etcd", std::make_shared<name_resolver>(db))
                                                      .balancing(rpc::balancing::round_robin)
                                                      .service_config(calls_again));
        // It waits for the first.
        auto early = spawn(name_of(named));
        co_await yield();
        auto a = std::make_unique<named_server>("a");
        registration entry = co_await register_endpoint(db, "named", a->where(), 1s);
        EXPECT_EQ("a", co_await early);
        const named_server b("b");
        const registration other = co_await register_endpoint(db, "named", b.where(), 1s);
        co_await until_named(named, "ab");
        co_await entry.withdraw();
        co_await until_named(named, "b");
        entry = co_await register_endpoint(db, "named", a->where(), 1s);
        co_await until_named(named, "ab");
        // What has ended fails no call that may be made again, though its address is still there.
        a.reset();
        co_await until_named(named, "b");
    }());
}

}  // namespace
}  // namespace eddy::etcd::test::name_resolver_test
