// The end of a server while connections are idle and busy, and a server at its limit of connections.

#include "io_scenarios/http_exchange.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace eddy::test::http_shutdown_test {
namespace {

task<> ask_for(endpoint at, std::string_view request, std::string_view expected) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask(request);
    require(body == expected, "another body");
    co_await client.see_end();
}

task<> stay_idle(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body = co_await client.ask("GET /one HTTP/1.1\r\nHost: t\r\n\r\n");
    require(body == "/one", "another body");
    co_await client.see_end();
}

task<> drain_when_busy(http::server& served, const small_handler& handler, std::size_t requests) {
    while (handler.requests() < requests)
        co_await sleep_for(std::chrono::microseconds(100));
    served.drain();
    const std::size_t cut_off = co_await served.join(std::chrono::seconds(30));
    require(cut_off == 0, "a connection did not end");
}

task<> drains_while_connections_are_busy() {
    small_handler handler;
    http::server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, quick_server());
    const endpoint at = served.listener().local_endpoint();
    co_await when_all(served.run(), drain_when_busy(served, handler, 2), stay_idle(at),
                      ask_for(at, "GET /later HTTP/1.1\r\nHost: t\r\n\r\n", "later"));
}

// What the clients have come to.
struct half_requests {
    std::size_t sent = 0;   // and read by the server
    std::size_t ended = 0;  // connections
};

// The response to a whole request says that the half one, which came with it, is there.
task<> send_half(endpoint at, half_requests& halves) {
    auto client = co_await http_client::connect(at);
    co_await client.send("GET /one HTTP/1.1\r\nHost: t\r\n\r\nGET /he");
    static_cast<void>(co_await client.read_response(200));
    ++halves.sent;
    static_cast<void>(co_await as_result(client.stream().read_leased()));
    ++halves.ended;
}

task<> cut_off_when_busy(http::server& served, std::size_t clients, const half_requests& halves) {
    while (halves.sent < clients && halves.ended == 0)
        co_await sleep_for(std::chrono::microseconds(100));
    served.drain();
    const std::size_t cut_off = co_await served.join(std::chrono::milliseconds(1));
    if (cut_off != clients)
        throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "a connection has ended");
}

task<> cuts_off_connections_that_do_not_end() {
    small_handler handler;
    http::server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, quick_server());
    const endpoint at = served.listener().local_endpoint();
    half_requests halves;
    co_await when_all(served.run(), cut_off_when_busy(served, 2, halves), send_half(at, halves),
                      send_half(at, halves));
}

task<> ends_with_connections_open() {
    small_handler handler;
    http::server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, quick_server());
    auto client = co_await http_client::connect(served.listener().local_endpoint());
    co_await client.send("GET /later HTTP/1.1\r\nHost: t\r\n\r\nGET /later HTTP/1.1\r\nHost: t\r\n\r\n");
    // A server that cannot begin ends the wait for its response.
    const auto read = [](http_client& from) -> task<> {
        static_cast<void>(co_await from.read_response(200));
    };
    co_await race(read(client), served.run());
}

task<> visit(endpoint at) {
    auto client = co_await http_client::connect(at);
    const std::string body =
        co_await client.ask("GET /later HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
    require(body == "later", "another body");
    co_await client.see_end();
}

task<> crowd(endpoint at) {
    co_await when_all(visit(at), visit(at), visit(at), visit(at), visit(at), visit(at));
}

task<> serves_many_at_its_limit() {
    return serve_small(&crowd, quick_server().connections_max(2));
}

task<> serves_many_at_once() {
    return serve_small(&crowd);
}

const scenario_suite listed({
    {"a_drain_of_busy_connections", &drains_while_connections_are_busy},
    {"a_drain_that_cuts_off", &cuts_off_connections_that_do_not_end},
    {"a_server_dropped_with_open_connections", &ends_with_connections_open},
    {"connections_at_the_limit", &serves_many_at_its_limit, suite_options().stride(3)},
    {"many_connections", &serves_many_at_once, suite_options().stride(3)},
});

}  // namespace
}  // namespace eddy::test::http_shutdown_test
