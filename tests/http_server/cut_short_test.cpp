#include "http/blocking_client.hpp"
#include "http/conversation.hpp"
#include "http/sample_handler.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/sleep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

// Answers that do not come to their end, and whether the client can tell.
namespace eddy::http::test::cut_short_test {
namespace {

using namespace std::chrono_literals;

// Takes a byte of a response now and then, each of them in time: there are a million.
task<std::size_t> take_in_drops(duplex_stream& client, int drops_max) {
    std::size_t taken = 0;
    std::array<std::byte, 1> room{};
    for (int drop = 0; drop < drops_max; ++drop) {
        const auto count = co_await as_result(client.read(room));
        if (!count || *count == 0)
            break;
        ++taken;
        co_await sleep_for(5ms);
    }
    client.close();
    co_return taken;
}

TEST(an_answer_that_is_taken_in_drops, is_cut_off_by_the_least_rate) {
    constexpr int drops_max = 3000;
    const auto scene = []() -> task<std::size_t> {
        function_handler handler([](exchange& ex) -> task<void> {
            const std::string body(1'000'000, 'd');
            co_await ex.respond(status::ok, {}, body);
        });
        auto [client, served] = duplex(10);
        auto serving =
            spawn(serve_connection(any_stream(std::move(served)), handler,
                                   server_options().write_timeout(300ms).write_rate_min(1'000'000'000)));
        const std::string request = get("/");
        co_await client.write_all(as_bytes(request));
        const std::size_t taken = co_await take_in_drops(client, drops_max);
        co_await serving;
        co_return taken;
    };
    EXPECT_LT(eddy::test::run_bounded(scene()), static_cast<std::size_t>(drops_max));
}

/// Begins a response whose end is that of the connection, and fails.
task<void> fail_in_the_middle(exchange& ex) {
    co_await ex.begin_response(status::ok, {});
    co_await ex.write(as_bytes("begun"));
    co_await ex.flush();
    throw std::runtime_error("in the middle");
}

class failing_server : public served {
public:
    failing_server()
        : served([] { return std::make_unique<function_handler>(&fail_in_the_middle); },
                 server_options().failure_reporter([](exchange&, const std::exception_ptr&) {})) {}
};

// An end in good order would be that of the body (RFC 9112 section 6.3).
TEST(an_answer_whose_end_is_that_of_the_connection, is_cut_short_by_a_reset) {
    failing_server server;
    blocking_client client(server.port());
    ASSERT_TRUE(client.send("GET / HTTP/1.0\r\n\r\n"));
    static_cast<void>(client.read_to_end());
    EXPECT_EQ(client.error(), ECONNRESET);
}

// Answers one request of HTTP/1.1 with a body that ends with the connection, and resets it.
task<> reset_in_the_middle(tcp_listener& listener) {
    tcp_stream accepted = co_await listener.accept();
    static_cast<void>(co_await accepted.read_leased());
    co_await accepted.write_all(as_bytes("HTTP/1.1 200 OK\r\n\r\nbegun"));
    accepted.abort();
}

TEST(a_client, takes_no_cut_answer_for_a_whole_one) {
    const auto scene = []() -> task<> {
        tcp_listener listener = tcp_listener::bind(endpoint::loopback_ipv4(0));
        const std::string url = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port()) + "/";
        auto resetting = spawn(reset_in_the_middle(listener));
        client by(client_options().retries(0, 1ms));
        const auto get_whole = [](client& asking, std::string from) -> task<std::string> {
            client_response response = co_await asking.get(std::move(from));
            co_return co_await response.text();
        };
        const auto text = co_await as_result(get_whole(by, url));
        EXPECT_FALSE(text.has_value());
        co_await resetting;
    };
    eddy::test::run_bounded(scene());
}

}  // namespace
}  // namespace eddy::http::test::cut_short_test
