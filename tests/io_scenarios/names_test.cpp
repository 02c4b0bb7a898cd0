// Hosts by their names, and the race of their addresses.

#include "support/scenario_suite.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/net/connect.hpp>
#include <eddy/net/resolver.hpp>
#include <eddy/net/tcp_listener.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace eddy::test::names_test {
namespace {

task<> resolves_a_name() {
    const auto found = co_await resolve("localhost", "http");
    require(found.front().port() == 80, "another service");
}

task<> names_an_endpoint() {
    const auto names = co_await resolve_names(endpoint::loopback_ipv4(80));
    require(names.service == "http", "another service");
}

/// A listener whose backlog is full: the system answers nobody else.
task<> fill(tcp_listener& full, std::vector<tcp_stream>& waiting) {
    waiting.reserve(2);
    while (waiting.size() < 2)
        waiting.push_back(co_await tcp_stream::connect(full.local_endpoint()));
}

task<> races_addresses() {
    tcp_listener full = tcp_listener::bind(endpoint::loopback_ipv4(0), listen_options().backlog(1));
    std::vector<tcp_stream> waiting;
    co_await fill(full, waiting);
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    const std::vector<endpoint> candidates{full.local_endpoint(), full.local_endpoint(),
                                           listener.local_endpoint()};
    auto connecting = connect_to_first(candidates, std::chrono::milliseconds(1));
    tcp_stream connected = co_await std::move(connecting);
    require(connected.remote_endpoint() == listener.local_endpoint(), "connected elsewhere");
}

task<> connects_by_name() {
    tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
    tcp_stream connected = co_await connect("localhost", listener.local_endpoint().port());
    require(connected.is_open(), "not connected");
}

const scenario_suite listed({
    {"a_name_that_is_resolved", &resolves_a_name},
    {"an_endpoint_that_is_named", &names_an_endpoint},
    {"a_race_of_addresses", &races_addresses},
    {"a_connection_by_name", &connects_by_name},
});

}  // namespace
}  // namespace eddy::test::names_test
