#include "rpc/rpc_cluster.hpp"
#include "support/end_notice.hpp"
#include "support/run_bounded.hpp"

#include <eddy/core/yield.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/sync/event.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

// Names with several addresses.
namespace eddy::rpc::test::name_resolver_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;

channel_options in_turns() {
    return channel_options().balancing(balancing::round_robin).reconnect_wait(1ms, 2ms);
}

TEST(rpc_name_resolver, round_robin_lets_all_addresses_take_turns) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(3);
        const channel to = nodes.connect(in_turns());
        co_await nodes.until_called(to, "012");
        std::string seen;
        for (int turn = 0; turn < 9; ++turn)
            seen += co_await nodes.ask(to);
        for (const char node : {'0', '1', '2'})
            EXPECT_EQ(3, std::ranges::count(seen, node)) << seen;
        EXPECT_EQ(1U, nodes[0].connected());
    }());
}

TEST(rpc_name_resolver, round_robin_passes_over_an_address_until_it_is_back) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(3);
        const channel to = nodes.connect(in_turns());
        co_await nodes.until_called(to, "012");
        nodes[1].refusals = 1'000'000;
        nodes[1].cut();
        // Those that have seen the end of the connection.
        while (nodes[1].refusals == 1'000'000)
            co_await yield();
        for (int turn = 0; turn < 20; ++turn)
            EXPECT_NE("1", co_await nodes.ask(to));
        nodes[1].refusals = 0;
        co_await nodes.until_called(to, "1");
    }());
}

TEST(rpc_name_resolver, an_address_that_does_not_answer_holds_no_call_up) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(2);
        nodes.silence(0);
        const channel to = nodes.connect(in_turns());
        for (int turn = 0; turn < 5; ++turn)
            EXPECT_EQ("1", co_await nodes.ask(to));
    }());
}

TEST(rpc_name_resolver, an_address_that_leaves_ends_its_calls_first) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(2);
        nodes.addresses->set({nodes.at(0)});
        const channel to = nodes.connect(in_turns());
        handle<std::string> waiting = spawn(call<std::string>(to, rpc_cluster::wait, std::string()));
        co_await nodes.began.wait();
        nodes.addresses->set({nodes.at(1)});
        co_await nodes.until_called(to, "1");
        for (int turn = 0; turn < 5; ++turn)
            EXPECT_EQ("1", co_await nodes.ask(to));
        EXPECT_EQ(1, nodes[0].open_connections());
        nodes.go_on.set();
        EXPECT_EQ("0", co_await waiting);
        while (nodes[0].open_connections() != 0)
            co_await yield();
    }());
}

TEST(rpc_name_resolver, pick_first_stays_with_the_first_that_takes_a_connection) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(3);
        nodes[0].refusals = 1;
        const channel to = nodes.connect();
        for (int turn = 0; turn < 5; ++turn)
            EXPECT_EQ("1", co_await nodes.ask(to));
        nodes.addresses->set({nodes.at(2), nodes.at(1)});
        for (int turn = 0; turn < 20; ++turn)
            co_await yield();
        EXPECT_EQ("1", co_await nodes.ask(to));
        EXPECT_EQ(1U, nodes[1].connected());
        nodes.addresses->set({nodes.at(2)});
        co_await nodes.until_called(to, "2");
        EXPECT_EQ(0U, nodes[0].connected());
    }());
}

TEST(rpc_name_resolver, calls_go_on_where_the_first_address_has_ended) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(2);
        const channel to = nodes.connect();
        EXPECT_EQ("0", co_await nodes.ask(to));
        nodes[0].refusals = 1'000'000;
        nodes[0].cut();
        co_await nodes.until_called(to, "1");
    }());
}

TEST(rpc_name_resolver, without_addresses_a_call_fails_or_waits) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(1);
        nodes.addresses->set({});
        const channel to = nodes.connect(in_turns());
        EXPECT_EQ(status_code::unavailable, co_await code_of(nodes.ask(to)));
        handle<std::string> waiting = spawn(
            call<std::string>(to, rpc_cluster::name, std::string(), call_options().wait_for_ready(true)));
        for (int turn = 0; turn < 20; ++turn)
            co_await yield();
        EXPECT_FALSE(waiting.done());
        nodes.addresses->set({nodes.at(0)});
        EXPECT_EQ("0", co_await waiting);
        nodes.addresses->set({});
        while (nodes[0].open_connections() != 0)
            co_await yield();
        EXPECT_EQ(status_code::unavailable, co_await code_of(nodes.ask(to)));
    }());
}

TEST(rpc_name_resolver, a_resolver_that_fails_is_asked_again) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(1);
        nodes.addresses->failures = 3;
        const channel to = nodes.connect(channel_options().reconnect_wait(1ms, 2ms));
        const status end = co_await status_of(nodes.ask(to));
        EXPECT_EQ(status_code::unavailable, end.code());
        EXPECT_NE(std::string::npos, end.message().find("no such name")) << end.message();
        EXPECT_EQ("0", co_await call<std::string>(to, rpc_cluster::name, std::string(),
                                                  call_options().wait_for_ready(true)));
        EXPECT_EQ(4, nodes.addresses->watches);
        EXPECT_EQ("nodes", nodes.addresses->name);
    }());
}

TEST(rpc_name_resolver, a_resolver_that_has_ended_is_asked_again_when_a_connection_fails) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(2);
        nodes.addresses->ends = true;
        nodes.addresses->set({nodes.at(0)});
        const channel to = nodes.connect(channel_options().reconnect_wait(1ms, 2ms));
        EXPECT_EQ("0", co_await nodes.ask(to));
        EXPECT_EQ(1, nodes.addresses->watches);
        nodes.addresses->set({nodes.at(1)});
        nodes[0].refusals = 1'000'000;
        nodes[0].cut();
        co_await nodes.until_called(to, "1");
        EXPECT_GE(nodes.addresses->watches, 2);
    }());
}

TEST(rpc_name_resolver, a_name_is_authority_and_that_may_be_another) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(1);
        const auto authority = [&](channel_options options) -> task<std::string> {
            const channel to = nodes.connect(std::move(options), "test:///nodes");
            co_return co_await call<std::string>(to, "/test.Greeter/Authority", std::string());
        };
        EXPECT_EQ("nodes", co_await authority({}));
        EXPECT_EQ("other.test:1", co_await authority(channel_options().authority("other.test:1")));
    }());
}

TEST(rpc_name_resolver, addresses_stand_in_a_target) {
    run_bounded([]() -> task<> {
        rpc_cluster nodes(2);
        const channel to = nodes.connect(in_turns(), "ipv4:10.0.0.0:1,10.0.0.1:1");
        co_await nodes.until_called(to, "01");
        for (const std::string_view wrong :
             {"ipv4:", "ipv4:10.0.0.1", "ipv4:10.0.0.1:", "ipv4:10.0.0.1:1x", "ipv4:10.0.0.1:65536",
              "ipv4:a:1", "ipv4:1.1.1.1:1,,", "none:///a", "dns:", "ftp://a"})
            EXPECT_THROW(const channel none(wrong), std::system_error) << wrong;
        try {
            const channel none("ipv6:[::1]:80,[::1]:70000");
            ADD_FAILURE() << "a port above 65535 is accepted";
        } catch (const std::system_error& refused) {
            EXPECT_EQ(refused.code(), http::http_error::malformed_url);
            EXPECT_NE(
                std::string_view(refused.what()).find("[::1]:70000 (the port is no number up to 65535)"),
                std::string_view::npos)
                << refused.what();
        }
    }());
}

TEST(rpc_name_resolver, the_system_resolves_names) {
    run_bounded([]() -> task<> {
        rpc_origin origin;
        origin.greeter.add_unary<std::string, std::string>("Name", echo);
        origin.calls.add(origin.greeter);
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string port = std::to_string(listener.local_endpoint().port());
        http::server server(std::move(listener), origin.calls, http::server_options().protocol(http2()));
        const handle<> serving = spawn(server.run());
        for (const std::string target :
             {"localhost:", "dns:localhost:", "dns:///localhost:", "http://localhost:",
              "dns://127.0.0.1/localhost:", "ipv4:127.0.0.1:", "ipv4:///127.0.0.1:"}) {
            const channel to(target + port, in_turns());
            EXPECT_EQ("a", co_await call<std::string>(to, rpc_cluster::name, std::string("a"))) << target;
        }
    }());
}

}  // namespace
}  // namespace eddy::rpc::test::name_resolver_test
