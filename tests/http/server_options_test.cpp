#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

// The timeouts and limits of a server, as clients meet them.
namespace eddy::http::test::server_options_test {
namespace {

using namespace std::chrono_literals;

constexpr auto soon = 50ms;

TEST(http_server_options, has_defaults_that_are_safe_in_public) {
    const server_options chosen;
    EXPECT_LE(chosen.head_timeout(), 30s);
    EXPECT_LE(chosen.idle_timeout(), 120s);
    EXPECT_LE(chosen.write_timeout(), 60s);
    EXPECT_LE(chosen.limits().head_bytes_max(), 65536U);
}

TEST(http_server_options, closes_a_connection_that_is_idle_for_too_long) {
    sample_server server(server_options().idle_timeout(soon));
    blocking_client never(server.port());
    blocking_client once(server.port());
    EXPECT_EQ(once.ask(get("/once")).value_or(response_seen()).body, "/once");
    EXPECT_TRUE(never.sees_end());
    EXPECT_TRUE(once.sees_end());
}

TEST(http_server_options, does_not_count_the_time_of_a_handler_as_idle) {
    sample_server server(server_options().idle_timeout(soon));
    blocking_client client(server.port());
    ASSERT_TRUE(client.send(get("/wait")));
    server.wait_for_waiting(1);
    blocking_client other(server.port());
    EXPECT_TRUE(other.sees_end());  // the timeout has passed
    server.open_doors();
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "waited");
}

TEST(http_server_options, gives_408_for_a_head_that_takes_too_long) {
    sample_server server(server_options().head_timeout(soon));
    blocking_client client(server.port());
    ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: te"));
    const auto response = client.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 408);
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST(http_server_options, gives_408_for_a_head_that_trickles) {
    sample_server server(server_options().head_timeout(soon));
    blocking_client client(server.port());
    ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHost: test\r\nX: "));
    std::jthread trickle([&](const std::stop_token& end) {
        while (!end.stop_requested() && client.send("x"))
            std::this_thread::yield();
    });
    const auto response = client.read_response();
    trickle.request_stop();
    trickle.join();
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->status == 408 || response->status == 431) << response->status;
}

TEST(http_server_options, counts_the_head_timeout_for_each_request_anew) {
    sample_server server(server_options().head_timeout(300ms));
    blocking_client client(server.port());
    const auto begun = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begun < 600ms) {
        ASSERT_TRUE(client.send("GET / HT"));
        ASSERT_EQ(client.ask("TP/1.1\r\nHost: test\r\n\r\n").value_or(response_seen()).status, 200);
    }
}

TEST(http_server_options, ends_a_connection_whose_body_does_not_come) {
    sample_server server(server_options().body_timeout(soon));
    for (const char* const framing : {"Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"}) {
        blocking_client client(server.port());
        EXPECT_EQ(client.ask(get("/", framing) + "5\r\nhel").value_or(response_seen()).status, 200);
        EXPECT_TRUE(client.sees_end());
    }
}

TEST(http_server_options, cuts_off_a_client_that_does_not_take_its_answer) {
    sample_server server(server_options().write_timeout(soon));
    blocking_client slow(server.port(), 4096);
    ASSERT_TRUE(slow.send(get("/sized?50000000")));
    ASSERT_TRUE(slow.receive());
    EXPECT_TRUE(server.comes_to(0));
    EXPECT_EQ(server.sample().timeouts, 1);
    EXPECT_FALSE(slow.read_response());
}

TEST(http_server_options, gives_a_client_time_for_each_piece_of_its_answer) {
    sample_server server(server_options().write_timeout(2s));
    blocking_client client(server.port(), 4096);
    const auto response = client.ask(get("/sized?30000000"));
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->body == sample_body(30'000'000));
}

TEST(http_server_options, limits_what_a_request_may_be) {
    sample_server server(server_options().limits(
        message_limits().head_bytes_max(200).request_line_bytes_max(50).body_bytes_max(10).header_count_max(
            3)));
    const auto status_of = [&](const std::string& request) {
        return blocking_client(server.port()).ask(request).value_or(response_seen()).status;
    };
    EXPECT_EQ(status_of(get("/")), 200);
    EXPECT_EQ(status_of(get("/" + std::string(50, 'u'))), 414);
    EXPECT_EQ(status_of(get("/", "X: " + std::string(200, 'x') + "\r\n")), 431);
    EXPECT_EQ(status_of(get("/", "A: a\r\nB: b\r\nC: c\r\n")), 431);
    EXPECT_EQ(status_of(get("/", "Content-Length: 11\r\n")), 413);
    EXPECT_EQ(status_of(get("/", "Content-Length: 10\r\n")), 200);
}

TEST(http_server_options, names_the_server_as_it_is_told) {
    sample_server named(server_options().name("something"));
    sample_server nameless(server_options().name(""));
    EXPECT_EQ(blocking_client(named.port()).ask(get("/")).value_or(response_seen()).field("Server"),
              "something");
    EXPECT_FALSE(
        blocking_client(nameless.port()).ask(get("/")).value_or(response_seen()).fields.contains("Server"));
}

}  // namespace
}  // namespace eddy::http::test::server_options_test
