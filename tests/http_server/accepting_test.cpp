#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"
#include "support/run_bounded.hpp"
#include "tls/contexts.hpp"

#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>

// Which connections a server takes, how it speaks TLS on them, and how it lets them go.
namespace eddy::http::test::accepting_test {
namespace {

using namespace std::chrono_literals;

TEST(http_server_places, beyond_the_maximum_are_answered_503_if_that_is_wanted) {
    sample_server server(server_options().connections_max(1).beyond_connections_max(overload::respond));
    blocking_client first(server.port());
    ASSERT_TRUE(first.ask(get("/first")));
    blocking_client second(server.port());
    const auto response = second.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 503);
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(second.sees_end());
    EXPECT_EQ(first.ask(get("/still")).value_or(response_seen()).body, "/still");
    first.close();
    ASSERT_TRUE(server.comes_to(0));
    EXPECT_EQ(blocking_client(server.port()).ask(get("/third")).value_or(response_seen()).body, "/third");
    EXPECT_EQ(server.call([&] { return server.the_server().statistics().connections_refused; }), 1U);
}

TEST(http_server_places, beyond_the_maximum_are_reset_if_that_is_wanted) {
    sample_server server(server_options().connections_max(1).beyond_connections_max(overload::close));
    blocking_client first(server.port());
    ASSERT_TRUE(first.ask(get("/first")));
    blocking_client second(server.port());
    EXPECT_FALSE(second.receive());
    EXPECT_EQ(second.error(), ECONNRESET);
}

TEST(http_server_places, are_limited_for_each_address) {
    sample_server server(server_options().connections_per_address_max(2));
    blocking_client first(server.port());
    blocking_client second(server.port());
    ASSERT_TRUE(first.ask(get("/first")));
    ASSERT_TRUE(second.ask(get("/second")));
    EXPECT_EQ(blocking_client(server.port()).read_response().value_or(response_seen()).status, 503);
    first.close();
    ASSERT_TRUE(server.comes_to(1));
    EXPECT_EQ(blocking_client(server.port()).ask(get("/again")).value_or(response_seen()).status, 200);
}

TEST(http_server_statistics, count_what_was_done) {
    sample_server server;
    blocking_client client(server.port());
    ASSERT_TRUE(client.ask(get("/one")));
    ASSERT_TRUE(client.ask(get("/throw")));
    ASSERT_TRUE(blocking_client(server.port()).ask("nonsense\r\n\r\n"));
    client.close();
    ASSERT_TRUE(server.comes_to(0));
    const server_statistics counts = server.call([&] { return server.the_server().statistics(); });
    EXPECT_EQ(counts.connections_accepted, 2U);
    EXPECT_EQ(counts.requests, 2U);
    EXPECT_EQ(counts.refusals, 1U);
    EXPECT_EQ(counts.handler_failures, 1U);
    EXPECT_EQ(counts.answers[2], 1U);
    EXPECT_EQ(counts.answers[4], 1U);
    EXPECT_EQ(counts.answers[5], 1U);
    EXPECT_GT(counts.bytes_received, 60U);
    EXPECT_GT(counts.bytes_sent, 200U);
}

/// Answers with what it knows of the connection, and takes it over at /upgrade.
class telling_handler final : public request_handler {
public:
    bool was_told_to_stop = false;

    [[nodiscard]] ready_or_task<> handle(exchange& ex) override {
        if (ex.path() == "/upgrade")
            co_return co_await wait_for_stop(ex);
        if (ex.path() == "/vanish")
            co_return co_await end_with(ex, std::make_exception_ptr(std::system_error(
                                                std::make_error_code(std::errc::connection_reset))));
        if (ex.path() == "/fail")
            co_return co_await end_with(ex, std::make_exception_ptr(std::logic_error("a mistake")));
        const connection_info& info = ex.connection();
        const std::string text = info.peer()->to_string().substr(0, 9) + "," +
                                 std::to_string(info.local()->port() != 0) + "," +
                                 (info.tls() != nullptr ? info.tls()->server_name : "plain");
        co_await ex.respond(status::ok, {}, text);
    }

private:
    task<void> end_with(exchange& ex, std::exception_ptr error) {
        const any_stream stream = co_await ex.upgrade({});
        std::rethrow_exception(error);
    }

    task<void> wait_for_stop(exchange& ex) {
        any_stream stream = co_await ex.upgrade({});
        bool is_requested = false;
        const std::stop_callback reported(ex.stop_token(), [&is_requested] { is_requested = true; });
        while (!is_requested)
            co_await sleep_for(1ms);
        was_told_to_stop = true;
        co_await stream.write_all(as_bytes("bye"));
        co_await stream.shutdown();
    }
};

template <class Stream>
task<std::string> ask(Stream& stream, std::string_view request, std::string_view ending) {
    co_await stream.write_all(as_bytes(request));
    std::string heard;
    while (!heard.ends_with(ending)) {
        const buffer_lease piece = co_await stream.read_leased();
        if (piece.empty())
            break;
        heard.append(as_text(piece.bytes()));
    }
    co_return heard;
}

TEST(http_connection_info, has_the_ends_of_the_connection) {
    const auto scene = []() -> task<void> {
        telling_handler handler;
        server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler);
        auto running = spawn(served.run());
        auto client = co_await tcp_stream::connect(served.listener().local_endpoint());
        const std::string heard = co_await ask(client, get("/"), "plain");
        EXPECT_TRUE(heard.ends_with("\r\n\r\n127.0.0.1,1,plain")) << heard;
    };
    eddy::test::run_bounded(scene());
}

TEST(http_server_draining, tells_upgraded_connections) {
    const auto scene = []() -> task<void> {
        telling_handler handler;
        server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler);
        auto running = spawn(served.run());
        auto client = co_await tcp_stream::connect(served.listener().local_endpoint());
        static_cast<void>(
            co_await ask(client, get("/upgrade", "Connection: upgrade\r\nUpgrade: x\r\n"), "\r\n\r\n"));
        EXPECT_FALSE(handler.was_told_to_stop);
        served.drain();
        const std::size_t left = co_await served.join(10s);
        EXPECT_EQ(left, 0U);
        EXPECT_TRUE(handler.was_told_to_stop);
        const std::string rest = co_await ask(client, {}, "bye");
        EXPECT_EQ(rest, "bye");
    };
    eddy::test::run_bounded(scene());
}

TEST(http_server_statistics, count_an_upgraded_peer_that_is_gone_as_no_failure_of_its_handler) {
    const auto scene = []() -> task<void> {
        telling_handler handler;
        server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler);
        auto running = spawn(served.run());
        const std::array<std::string_view, 2> paths = {"/vanish", "/fail"};
        for (const std::string_view path : paths) {
            auto client = co_await tcp_stream::connect(served.listener().local_endpoint());
            static_cast<void>(
                co_await ask(client, get(path, "Connection: upgrade\r\nUpgrade: x\r\n"), "never"));
            EXPECT_EQ(served.statistics().handler_failures, path == "/fail" ? 1U : 0U) << path;
        }
        EXPECT_EQ(served.statistics().upgrades, 2U);
    };
    eddy::test::run_bounded(scene());
}

TEST(http_server_with_tls, answers_behind_a_handshake) {
    const auto scene = []() -> task<void> {
        telling_handler handler;
        server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler,
                      server_options().tls(tls_context(eddy::test::server_options())));
        auto running = spawn(served.run());
        auto plain = co_await tcp_stream::connect(served.listener().local_endpoint());
        auto client = co_await tls_connect(std::move(plain), tls_context(eddy::test::client_options()),
                                           tls_target("localhost"));
        for (int request = 0; request < 3; ++request) {
            const std::string heard = co_await ask(client, get("/"), "localhost");
            EXPECT_TRUE(heard.ends_with("\r\n\r\n127.0.0.1,1,localhost")) << heard;
        }
    };
    eddy::test::run_bounded(scene());
}

TEST(http_server_with_tls, answers_400_to_a_request_without_it_and_serves_on) {
    const auto scene = []() -> task<void> {
        telling_handler handler;
        server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler,
                      server_options().tls(tls_context(eddy::test::server_options())));
        auto running = spawn(served.run());
        auto plain = co_await tcp_stream::connect(served.listener().local_endpoint());
        const std::string heard = co_await ask(plain, get("/"), "without TLS\n");
        EXPECT_TRUE(heard.starts_with("HTTP/1.1 400 ")) << heard;
        auto nonsense = co_await tcp_stream::connect(served.listener().local_endpoint());
        const std::string nothing = co_await ask(nonsense, "\x16\x03nonsense that is no hello", "never");
        EXPECT_FALSE(nothing.starts_with("HTTP"));
        auto again = co_await tcp_stream::connect(served.listener().local_endpoint());
        auto client = co_await tls_connect(std::move(again), tls_context(eddy::test::client_options()),
                                           tls_target("localhost"));
        const std::string good = co_await ask(client, get("/"), "localhost");
        EXPECT_TRUE(good.starts_with("HTTP/1.1 200 ")) << good;
    };
    eddy::test::run_bounded(scene());
}

}  // namespace
}  // namespace eddy::http::test::accepting_test
