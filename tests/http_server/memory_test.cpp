#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"

#include <eddy/detail/build.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <malloc.h>
#include <string>
#include <string_view>
#include <vector>

// What a server keeps of the memory that its connections needed.
namespace eddy::http::test::memory_test {
namespace {

constexpr int clients = 32;

/// Has that many clients wait for responses at the same time, and then go.
void serve_at_once(sample_server& server, std::string_view request) {
    server.call([&] {
        server.sample().waiting = 0;
        server.sample().doors.clear();
    });
    std::vector<blocking_client> asking;
    for (int number = 0; number < clients; ++number) {
        asking.emplace_back(server.port());
        ASSERT_TRUE(asking.back().send(request));
    }
    server.wait_for_waiting(clients);
    server.open_doors();
    for (blocking_client& each : asking)
        EXPECT_EQ(each.read_response().value_or(response_seen()).body, "waited");
    asking.clear();
    ASSERT_TRUE(server.comes_to(0));
}

TEST(http_server_memory, for_large_heads_is_given_back) {
    if (EDDY_SANITIZED != 0)
        GTEST_SKIP() << "[sanitizer] a sanitizer's heap does not tell how much is in use";
    constexpr std::size_t padding_bytes = 20'000;
    const std::string large =
        "GET /wait HTTP/1.1\r\nHost: a\r\nX-Padding: " + std::string(padding_bytes, 'x') + "\r\n\r\n";
    sample_server server;
    serve_at_once(server, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::size_t before = ::mallinfo2().uordblks;
    serve_at_once(server, large);
    EXPECT_LT(::mallinfo2().uordblks, before + clients * padding_bytes / 4);
}

}  // namespace
}  // namespace eddy::http::test::memory_test
