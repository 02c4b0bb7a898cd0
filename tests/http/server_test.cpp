#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"
#include "support/descriptors.hpp"
#include "support/free_port.hpp"

#include <eddy/detail/build.hpp>
#include <eddy/runtime/detail/cache_trimmer.hpp>
#include <eddy/runtime/worker.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <future>
#include <malloc.h>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// How a server ends, and what it survives.
namespace eddy::http::test::server_test {
namespace {

using namespace std::chrono_literals;

class http_server : public testing::Test {
protected:
    static constexpr auto patience = 20s;

    std::size_t cut_off_by(std::future<std::size_t>& joined) {
        if (joined.wait_for(patience) != std::future_status::ready) {
            ADD_FAILURE() << "the server does not end";
            server.drop();
            return ~std::size_t{0};
        }
        return joined.get();
    }

    // The system assigns this port to nobody else after the server has closed it.
    sample_server server{{}, {}, eddy::test::free_port()};
};

TEST_F(http_server, closes_idle_connections_at_once_when_it_drains) {
    std::vector<blocking_client> clients;
    for (int count = 0; count < 20; ++count) {
        clients.emplace_back(server.port());
        if (count % 2 == 0) {
            ASSERT_TRUE(clients.back().ask(get("/")));
        }
    }
    ASSERT_TRUE(server.comes_to(clients.size()));
    auto joined = server.drain_and_join(60s);
    for (blocking_client& client : clients)
        EXPECT_TRUE(client.sees_end()) << client.error();
    EXPECT_EQ(cut_off_by(joined), 0U);
}

TEST_F(http_server, accepts_nobody_once_it_drains) {
    auto joined = server.drain_and_join(60s);
    EXPECT_EQ(cut_off_by(joined), 0U);
    // The close takes effect with the end of the worker's turn, which comes before the second answer.
    static_cast<void>(server.connections());
    static_cast<void>(server.connections());
    EXPECT_THROW(blocking_client(server.port()), std::system_error);
}

TEST_F(http_server, finishes_the_answer_in_progress_when_it_drains) {
    blocking_client client(server.port());
    ASSERT_TRUE(client.send(get("/wait")));
    server.wait_for_waiting(1);
    auto joined = server.drain_and_join(60s);
    server.open_doors();
    const auto response = client.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "waited");
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
    EXPECT_EQ(cut_off_by(joined), 0U);
}

TEST_F(http_server, sends_a_long_answer_to_its_end_when_it_drains_meanwhile) {
    blocking_client slow(server.port(), 4096);
    ASSERT_TRUE(slow.send(get("/sized?20000000")));
    ASSERT_TRUE(slow.receive());
    auto joined = server.drain_and_join(60s);
    const auto response = slow.read_response();
    ASSERT_TRUE(response) << slow.error();
    EXPECT_TRUE(response->body == sample_body(20'000'000));
    EXPECT_TRUE(slow.sees_end());
    EXPECT_EQ(cut_off_by(joined), 0U);
}

TEST_F(http_server, cuts_off_those_that_are_left_at_the_limit) {
    std::vector<blocking_client> clients;
    for (int count = 0; count < 3; ++count) {
        clients.emplace_back(server.port());
        ASSERT_TRUE(clients.back().send(get("/wait")));
    }
    server.wait_for_waiting(3);
    auto joined = server.drain_and_join(10ms);
    EXPECT_EQ(cut_off_by(joined), 3U);
    for (blocking_client& client : clients)
        EXPECT_EQ(client.read_to_end(), "");
}

TEST_F(http_server, may_be_drained_twice) {
    blocking_client client(server.port());
    ASSERT_TRUE(client.send(get("/wait")));
    server.wait_for_waiting(1);
    auto joined = server.drain_and_join(60s);
    server.call([this] { server.the_server().drain(); });
    EXPECT_EQ(server.connections(), 1U) << "draining again cuts nobody off";
    server.open_doors();
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "waited");
    EXPECT_EQ(cut_off_by(joined), 0U);
}

TEST(http_server_with_a_limit, holds_back_connections_beyond_its_limit) {
    sample_server server(server_options().connections_max(2));
    blocking_client first(server.port());
    blocking_client second(server.port());
    ASSERT_TRUE(first.ask(get("/first")));
    ASSERT_TRUE(second.ask(get("/second")));
    blocking_client third(server.port());
    ASSERT_TRUE(third.send(get("/third")));
    ASSERT_TRUE(first.ask(get("/still-first")));
    EXPECT_EQ(server.connections(), 2U);
    EXPECT_EQ(server.sample().requests, 3);
    first.close();
    EXPECT_EQ(third.read_response().value_or(response_seen()).body, "/third");
}

TEST(http_server_with_a_limit, drains_although_all_its_places_are_taken) {
    sample_server server(server_options().connections_max(1));
    blocking_client client(server.port());
    ASSERT_TRUE(client.send(get("/wait")));
    server.wait_for_waiting(1);
    auto joined = server.drain_and_join(10ms);
    const bool has_ended = joined.wait_for(5s) == std::future_status::ready;
    EXPECT_TRUE(has_ended) << "the limit of the drain did not count";
    if (has_ended) {
        EXPECT_EQ(joined.get(), 1U);
    }
}

// The destructor of the server's thread checks that no coroutine frame is left.
TEST(http_server_dropped, leaves_no_descriptor_and_no_frame_whatever_its_connections_are_doing) {
    const std::size_t before = eddy::test::open_descriptors();
    {
        sample_server server;
        std::vector<blocking_client> clients;
        for (const std::string_view sent :
             {std::string_view(), std::string_view("GET / HT"),
              std::string_view("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"),
              std::string_view("nonsense\r\n\r\n")}) {
            clients.emplace_back(server.port());
            ASSERT_TRUE(clients.back().send(sent));
        }
        for (const std::string& requested :
             {get("/wait"), get("/sized?50000000"), get("/"), get("/", "Connection: close\r\n")}) {
            clients.emplace_back(server.port(), 4096);
            ASSERT_TRUE(clients.back().send(requested));
        }
        server.wait_for_waiting(1);
        while (server.sample().requests < 5)
            std::this_thread::yield();
        server.drop();
    }
    EXPECT_EQ(eddy::test::open_descriptors(), before);
}

#if !EDDY_SANITIZED
// As if much time had gone by.
std::size_t heap_bytes_after_looks() {
    eddy::detail::cache_trimmer& spare = eddy::detail::worker_core::current().spare();
    for (int looks = 0; looks < 100; ++looks)
        spare.look_if_due(spare.next_look());
    return ::mallinfo2().uordblks;
}

TEST(http_server_after_a_burst, has_given_back_what_its_requests_needed) {
    sample_server server;
    EXPECT_TRUE(blocking_client(server.port()).ask(get("/")));
    const std::size_t before = server.call([] { return heap_bytes_after_looks(); });
    {
        std::vector<blocking_client> clients;
        for (int count = 0; count < 100; ++count) {
            clients.emplace_back(server.port());
            ASSERT_TRUE(clients.back().send(get("/wait")));
        }
        server.wait_for_waiting(100);
        server.open_doors();
        for (blocking_client& client : clients)
            EXPECT_EQ(client.read_response().value_or(response_seen()).body, "waited");
    }
    ASSERT_TRUE(server.comes_to(0));
    const std::size_t kept = server.call([] { return ::mallinfo2().uordblks; });
    EXPECT_GT(kept, before + 800'000) << "for the next ones";
    EXPECT_LT(server.call([] { return heap_bytes_after_looks(); }), before + 100'000);
}
#endif

TEST(http_server_under_attack, survives_resets_and_half_open_and_malformed_requests) {
    const std::size_t before = eddy::test::open_descriptors();
    {
        sample_server server;
        blocking_client steady(server.port());
        const std::string_view sent[] = {"",
                                         "GET / HTTP/1.1\r\nHo",
                                         "\r\n\r\n\r\n",
                                         "GET / HTTP/9.9\r\n\r\n",
                                         "GET /sized?3000000 HTTP/1.1\r\nHost: a\r\n\r\n",
                                         "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff"};
        for (int count = 0; count < 1000; ++count) {
            blocking_client client(server.port());
            client.send(sent[static_cast<std::size_t>(count) % std::size(sent)]);
            if (count % 3 != 2)
                client.reset();
            if (count % 100 == 0) {
                ASSERT_EQ(steady.ask(get("/steady")).value_or(response_seen()).body, "/steady");
            }
        }
        EXPECT_TRUE(server.comes_to(1)) << server.connections();
        EXPECT_EQ(steady.ask(get("/steady")).value_or(response_seen()).body, "/steady");
    }
    EXPECT_EQ(eddy::test::open_descriptors(), before);
}

TEST(http_server_observed, tells_of_each_answer) {
    std::vector<std::string> reported;
    {
        sample_server server;
        server.call([&] {
            server.the_server().observe([&reported](const exchange& answered) {
                reported.push_back(std::string(answered.request().target()) + " " +
                                   std::to_string(to_number(answered.response_status())) + " " +
                                   std::to_string(answered.body_bytes()));
            });
        });
        blocking_client client(server.port());
        ASSERT_TRUE(client.ask(get("/one?query")));
        ASSERT_TRUE(client.ask("HEAD /two HTTP/1.1\r\nHost: a\r\n\r\n"));
        ASSERT_TRUE(client.ask(get("/throw")));
    }
    EXPECT_EQ(reported, (std::vector<std::string>{"/one?query 200 4", "/two 200 0", "/throw 500 0"}));
}

}  // namespace
}  // namespace eddy::http::test::server_test
