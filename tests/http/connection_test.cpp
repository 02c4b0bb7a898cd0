#include "http/blocking_client.hpp"
#include "http/sample_handler.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

// What a client sees of one connection: requests and answers in order, and how a connection ends.
namespace eddy::http::test::connection_test {
namespace {

class http_connection : public testing::Test {
protected:
    sample_server server;
    blocking_client client{server.port()};
};

TEST_F(http_connection, is_kept_for_many_requests) {
    for (int request = 0; request < 50; ++request) {
        const std::string path = "/request-" + std::to_string(request);
        const auto response = client.ask(get(path));
        ASSERT_TRUE(response);
        EXPECT_EQ(response->status, 200);
        EXPECT_EQ(response->body, path);
        EXPECT_EQ(response->field("Connection"), "");
    }
    EXPECT_EQ(server.connections(), 1U);
}

TEST_F(http_connection, has_the_fields_that_every_answer_has) {
    const auto response = client.ask(get("/"));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->field("Server"), "eddy");
    EXPECT_EQ(response->field("Content-Length"), "1");
    EXPECT_TRUE(response->field("Date").ends_with(" GMT")) << response->head;
}

std::string pipeline_of(int requests) {
    std::string text;
    for (int request = 0; request < requests; ++request)
        text += get("/" + std::to_string(request));
    return text;
}

TEST_F(http_connection, answers_a_pipeline_in_order) {
    ASSERT_TRUE(client.send(pipeline_of(20)));
    for (int request = 0; request < 20; ++request) {
        const auto response = client.read_response();
        ASSERT_TRUE(response);
        EXPECT_EQ(response->body, "/" + std::to_string(request));
    }
}

TEST_F(http_connection, answers_a_pipeline_that_comes_byte_by_byte) {
    client.send_byte_by_byte(pipeline_of(20));
    for (int request = 0; request < 20; ++request) {
        const auto response = client.read_response();
        ASSERT_TRUE(response);
        EXPECT_EQ(response->body, "/" + std::to_string(request));
    }
}

TEST_F(http_connection, answers_a_long_pipeline_whose_answers_fill_many_buffers) {
    constexpr int requests = 300;
    std::string text;
    for (int request = 0; request < requests; ++request)
        text += get("/sized?" + std::to_string(request * 97) + "-" + std::to_string(request));
    std::thread sender([&] { EXPECT_TRUE(client.send(text)); });
    for (int request = 0; request < requests; ++request) {
        const auto response = client.read_response();
        EXPECT_TRUE(response) << request;
        if (!response)
            break;
        EXPECT_EQ(response->body,
                  sample_body(static_cast<std::size_t>(request) * 97, static_cast<std::size_t>(request)));
    }
    sender.join();
}

TEST_F(http_connection, answers_what_was_complete_before_waiting_for_the_rest) {
    const std::string second = get("/second");
    ASSERT_TRUE(client.send(get("/first") + second.substr(0, 7)));
    const auto first = client.read_response();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->body, "/first");
    ASSERT_TRUE(client.send(second.substr(7)));
    const auto response = client.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "/second");
}

TEST_F(http_connection, gives_head_the_fields_of_get_and_no_body) {
    ASSERT_TRUE(client.send("HEAD /sized?1000 HTTP/1.1\r\nHost: test\r\n\r\n" + get("/next")));
    const auto head = client.read_response(false);
    ASSERT_TRUE(head);
    EXPECT_EQ(head->status, 200);
    EXPECT_EQ(head->field("Content-Length"), "1000");
    const auto next = client.read_response();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->body, "/next");
}

TEST_F(http_connection, gives_no_content_neither_body_nor_length) {
    ASSERT_TRUE(client.send(get("/no_content") + get("/next")));
    const auto none = client.read_response();
    ASSERT_TRUE(none);
    EXPECT_EQ(none->status, 204);
    EXPECT_EQ(none->field("Server"), "eddy");
    EXPECT_TRUE(none->field("Date").ends_with(" GMT")) << none->head;
    EXPECT_FALSE(none->fields.contains("Content-Length"));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/next");
}

TEST_F(http_connection, is_closed_after_an_answer_to_http_1_0) {
    const auto response = client.ask("GET /old HTTP/1.0\r\n\r\n");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "/old");
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_connection, is_kept_for_http_1_0_that_asks_for_it) {
    for (int request = 0; request < 3; ++request) {
        const auto response = client.ask("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        ASSERT_TRUE(response);
        EXPECT_EQ(response->field("Connection"), "keep-alive");
    }
}

TEST_F(http_connection, is_closed_when_the_client_asks_for_it) {
    const auto response = client.ask(get("/bye", "Connection: close\r\n"));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "/bye");
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_connection, answers_nothing_after_the_request_that_closes_it) {
    ASSERT_TRUE(client.send(get("/first") + get("/bye", "Connection: close\r\n") + get("/never")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first");
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/bye");
    EXPECT_TRUE(client.sees_end());
    EXPECT_EQ(server.sample().requests, 2);
}

// Closing at once would reset the connection when more arrives, and the reset takes back what the client has
// not been sent yet.
TEST_F(http_connection, gives_all_of_its_last_answer_to_a_client_that_goes_on_sending) {
    constexpr std::size_t size = 1'000'000;
    blocking_client slow(server.port(), 4096);
    ASSERT_TRUE(slow.send(get("/sized?1000000", "Connection: close\r\n")));
    ASSERT_TRUE(slow.receive());
    ASSERT_TRUE(slow.send(get("/more")));
    const auto response = slow.read_response();
    ASSERT_TRUE(response) << "cut short, error " << slow.error();
    EXPECT_EQ(response->body, sample_body(size));
}

TEST_F(http_connection, discards_the_body_of_a_get_and_goes_on) {
    const std::string body(100'000, 'x');
    const auto first = client.ask(get("/first", "Content-Length: 100000\r\n") + body + get("/second"));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->body, "/first");
    EXPECT_EQ(first->field("Connection"), "");
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/second");
}

TEST_F(http_connection, discards_a_chunked_body_and_goes_on) {
    const std::string chunked = "5\r\nhello\r\n3;name=value\r\nyou\r\n0\r\nTrailer: t\r\n\r\n";
    ASSERT_TRUE(client.send(get("/first", "Transfer-Encoding: chunked\r\n") + chunked + get("/second")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first");
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/second");
    client.send_byte_by_byte(get("/third", "Transfer-Encoding: chunked\r\n") + chunked + get("/fourth"));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/third");
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/fourth");
}

// A client that has sent all of it would lose its next request otherwise (RFC 9112 section 9.6).
TEST_F(http_connection, a_long_body_that_is_not_read_ends_no_connection_whose_response_has_not_said_so) {
    ASSERT_TRUE(client.send(get("/first", "Transfer-Encoding: chunked\r\n")));
    const auto first = client.read_response();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->field("Connection"), "");
    const std::string chunk = "4000\r\n" + std::string(0x4000, 'x') + "\r\n";
    for (int count = 0; count < 100; ++count)
        ASSERT_TRUE(client.send(chunk));
    ASSERT_TRUE(client.send("0\r\n\r\n" + get("/second")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/second");
}

TEST_F(http_connection, ends_at_a_malformed_chunk) {
    ASSERT_TRUE(client.send(get("/first", "Transfer-Encoding: chunked\r\n") + "zz\r\n" + get("/never")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_connection, closes_after_the_answer_to_a_body_that_is_not_worth_reading) {
    const std::string body(300'000, 'x');
    const auto response = client.ask(get("/", "Content-Length: 300000\r\n") + body.substr(0, 1000));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_connection, ends_when_a_chunked_body_turns_out_too_long) {
    ASSERT_TRUE(client.send(get("/", "Transfer-Encoding: chunked\r\n")));
    EXPECT_EQ(client.read_response().value_or(response_seen()).status, 200);
    const std::string chunk = "4000\r\n" + std::string(0x4000, 'x') + "\r\n";
    bool is_open = true;
    for (int count = 0; count < 2000 && is_open; ++count)
        is_open = client.send(chunk);
    EXPECT_FALSE(is_open);
    EXPECT_EQ(client.read_to_end(), "");
    EXPECT_TRUE(server.comes_to(0));
}

TEST_F(http_connection, answers_an_expectation_and_closes_instead_of_reading_on) {
    const auto response =
        client.ask("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_TRUE(client.sees_end());
}

TEST_F(http_connection, answers_a_client_that_has_shut_down_its_sending) {
    ASSERT_TRUE(client.send(get("/half")));
    client.shut_down_sending();
    const auto response = client.read_response();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, "/half");
    EXPECT_TRUE(client.sees_end());
    EXPECT_TRUE(server.comes_to(0));
}

TEST_F(http_connection, ends_quietly_when_the_client_goes_in_the_middle_of_a_head) {
    ASSERT_TRUE(client.send("GET / HTTP/1.1\r\nHo"));
    client.shut_down_sending();
    EXPECT_TRUE(client.sees_end());
    EXPECT_TRUE(server.comes_to(0));
}

TEST_F(http_connection, ends_when_the_client_resets_it_in_the_middle_of_an_answer) {
    blocking_client slow(server.port(), 4096);
    ASSERT_TRUE(slow.send(get("/sized?20000000")));
    ASSERT_TRUE(slow.receive());
    slow.reset();
    client.close();
    EXPECT_TRUE(server.comes_to(0));
}

// With few buffers to receive into, for all connections together.
class http_connection_with_few_buffers : public testing::Test {
protected:
    // Each sends this and then neither sends nor reads.
    void expect_that_others_are_served_beside(std::string_view sent) {
        std::vector<blocking_client> slow;
        for (int count = 0; count < 100; ++count) {
            slow.emplace_back(server.port(), 4096);
            ASSERT_TRUE(slow.back().send(sent));
        }
        ASSERT_TRUE(server.comes_to(slow.size()));
        for (int count = 0; count < 100; ++count) {
            blocking_client quick(server.port());
            ASSERT_EQ(quick.ask(get("/quick")).value_or(response_seen()).body, "/quick");
        }
    }

    sample_server server{{}, runtime_options().io(io::backend_options().receive_buffers_max(64))};
};

TEST_F(http_connection_with_few_buffers, serves_others_beside_clients_that_are_slow_with_their_heads) {
    expect_that_others_are_served_beside("GET / HTTP/1.1\r\nHost: te");
}

TEST_F(http_connection_with_few_buffers, serves_others_beside_clients_that_are_slow_to_read) {
    expect_that_others_are_served_beside(get("/sized?10000000"));
}

TEST_F(http_connection_with_few_buffers, serves_others_beside_clients_that_wait_for_a_handler) {
    expect_that_others_are_served_beside(get("/wait"));
    server.open_doors();
}

struct refusal {
    const char* name;
    int status;
    std::string request;
};

class http_refusal : public testing::TestWithParam<refusal> {};

TEST_P(http_refusal, is_read_by_the_client_and_ends_the_connection) {
    sample_server server;
    blocking_client client(server.port());
    // What follows is never read as a request.
    ASSERT_TRUE(client.send(GetParam().request + std::string(50'000, 'x')));
    const auto response = client.read_response();
    ASSERT_TRUE(response) << "error " << client.error();
    EXPECT_EQ(response->status, GetParam().status) << response->body;
    EXPECT_EQ(response->field("Connection"), "close");
    EXPECT_FALSE(response->body.empty());
    EXPECT_EQ(client.read_to_end(), "");
    EXPECT_EQ(server.sample().requests, 0);
    client.close();
    EXPECT_TRUE(server.comes_to(0));
}

std::vector<refusal> refusals() {
    std::string many_fields;
    for (int field = 0; field < 101; ++field)
        many_fields += "X-" + std::to_string(field) + ": a\r\n";
    return {
        {"bad_request", 400, "GET / HTTP/1.1\r\n\r\n"},
        {"forged_framing", 400, get("/", "Content-Length: 1\r\nContent-Length: 2\r\n")},
        {"no_request_at_all", 400, std::string("\x16\x03\x01\x02\x00\x01\x00", 7)},
        {"content_too_large", 413, get("/", "Content-Length: 1000000000\r\n")},
        {"uri_too_long", 414, "GET /" + std::string(9000, 'u') + " HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"expectation_failed", 417, get("/", "Expect: the unexpected\r\n")},
        {"fields_too_large", 431, get("/", "X-Large: " + std::string(40'000, 'l') + "\r\n")},
        {"too_many_fields", 431, get("/", many_fields)},
        {"not_implemented", 501, get("/", "Transfer-Encoding: gzip, chunked\r\n")},
        {"version_not_supported", 505, "GET / HTTP/3.0\r\nHost: a\r\n\r\n"},
    };
}

INSTANTIATE_TEST_SUITE_P(every_status, http_refusal, testing::ValuesIn(refusals()),
                         [](const auto& tested) { return tested.param.name; });

TEST_F(http_connection, sends_the_answers_before_a_refusal_first) {
    ASSERT_TRUE(client.send(get("/first") + get("/second") + "nonsense\r\n\r\n"));
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/first");
    EXPECT_EQ(client.read_response().value_or(response_seen()).body, "/second");
    EXPECT_EQ(client.read_response().value_or(response_seen()).status, 400);
    EXPECT_TRUE(client.sees_end());
}

// However little room the responses that wait leave in the buffer.
TEST_F(http_connection, refuses_with_a_head_behind_answers_of_every_size) {
    for (std::size_t size = 7600; size < 8192; size += 8) {
        blocking_client one(server.port());
        ASSERT_TRUE(one.send(get("/sized?" + std::to_string(size)) + "nonsense\r\n\r\n"));
        EXPECT_EQ(one.read_response().value_or(response_seen()).body, sample_body(size));
        const auto refused = one.read_response();
        ASSERT_TRUE(refused) << "behind a body of " << size;
        ASSERT_EQ(refused->status, 400) << "behind a body of " << size;
    }
}

}  // namespace
}  // namespace eddy::http::test::connection_test
