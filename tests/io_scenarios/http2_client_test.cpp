// A client and a server of HTTP/2, each of which may be dropped or run out of memory.

#include "io_scenarios/http_exchange.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/client.hpp>
#include <eddy/http/http2.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <system_error>

namespace eddy::test::http2_client_test {
namespace {

using http::client;

client client_of_http2() {
    return client(http::client_options().protocol(http::http2(http::http2_options().prior_knowledge(true))));
}

std::string url_of(endpoint at, const char* path) {
    return "http://127.0.0.1:" + std::to_string(at.port()) + path;
}

/// What the end of memory at the other end brings about is a lack of memory here, too.
task<> expect_body(client& by, std::string to, std::size_t size) {
    try {
        http::client_response response = co_await by.get(to);
        const std::string body = co_await response.text();
        if (response.is_success() && body.size() == size)
            co_return;
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::timed_out)
            throw;
    }
    throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "another response");
}

task<> get_two(endpoint at) {
    client by = client_of_http2();
    co_await when_all(expect_body(by, url_of(at, "/one"), 4), expect_body(by, url_of(at, "/later"), 5));
    co_await expect_body(by, url_of(at, "/three"), 6);
}

task<> get_large(endpoint at) {
    client by = client_of_http2();
    co_await expect_body(by, url_of(at, "/large"), small_handler::large().size());
}

task<> send_large(endpoint at) {
    client by = client_of_http2();
    try {
        http::client_response response =
            co_await by.post(url_of(at, "/one"), std::string(100'000, 'b'), "text/plain");
        const std::string body = co_await response.text();
        if (body == "/one")
            co_return;
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::timed_out)
            throw;
    }
    throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "another response");
}

task<> drop_one(endpoint at) {
    client by = client_of_http2();
    {
        auto dropped = spawn(expect_body(by, url_of(at, "/later"), 5));
        co_await sleep_for(std::chrono::microseconds(100));
    }
    co_await expect_body(by, url_of(at, "/after"), 6);
}

template <task<> (*Client)(endpoint)>
task<> served() {
    return serve_small(Client, quick_server().protocol(http::http2()));
}

const scenario_suite listed({
    {"two_requests_on_a_connection", &served<&get_two>},
    {"a_large_response", &served<&get_large>},
    {"a_large_request", &served<&send_large>},
    {"a_request_that_is_dropped", &served<&drop_one>},
});

}  // namespace
}  // namespace eddy::test::http2_client_test
