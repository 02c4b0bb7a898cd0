#include "http/conversation.hpp"

#include <eddy/http/server/exchange.hpp>

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

// What handlers may make of their responses, byte by byte, over a pipe in memory.
namespace eddy::http::test::responses_test {
namespace {

const std::string get = "GET /p HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string get_1_0 = "GET /p HTTP/1.0\r\n\r\n";
const std::string head = "HEAD /p HTTP/1.1\r\nHost: h\r\n\r\n";

task<void> stream_two(exchange& ex) {
    co_await ex.begin_response(status::ok, {});
    co_await ex.write(as_bytes("hello"));
    co_await ex.write({});
    co_await ex.write(as_bytes(", world, in pieces"));
}

TEST(http_response_without_size, is_chunked_and_ended_by_the_return_of_the_handler) {
    EXPECT_EQ(
        conversation(&stream_two).hears(get + get_1_0),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n12\r\n, world, in pieces\r\n"
        "0\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello, world, in pieces");
}

TEST(http_response_without_size, ends_the_connection_of_http_1_0_even_if_it_was_to_be_kept) {
    EXPECT_EQ(conversation(&stream_two).hears("GET /p HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get),
              "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello, world, in pieces");
}

TEST(http_response_without_size, gives_head_its_fields_only) {
    EXPECT_EQ(conversation(&stream_two).hears(head + head),
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(http_response_without_size, has_neither_body_nor_framing_for_204_and_304) {
    for (const status code : {status::no_content, status::not_modified}) {
        const auto none = [code](exchange& ex) -> task<void> {
            co_await ex.begin_response(code, {});
            co_await ex.write(as_bytes("never sent"));
        };
        const std::string line = "HTTP/1.1 " + std::to_string(to_number(code)) + " " +
                                 std::string(reason_phrase(code)) + "\r\n\r\n";
        EXPECT_EQ(conversation(none).hears(get + get), line + line);
    }
}

TEST(http_response_without_size, may_be_of_any_size_and_in_pieces_of_any) {
    for (const std::size_t size : {1U, 4000U, 8171U, 8172U, 8192U, 70'000U}) {
        const auto two = [size](exchange& ex) -> task<void> {
            co_await ex.begin_response(status::ok, {});
            for (const char letter : {'a', 'b'})
                co_await ex.write(as_bytes(std::string(size, letter)));
        };
        char hex[20];
        std::snprintf(hex, sizeof hex, "%zx\r\n", size);
        const std::string expected = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
                                     std::string(hex) + std::string(size, 'a') + "\r\n" + hex +
                                     std::string(size, 'b') + "\r\n0\r\n\r\n";
        EXPECT_EQ(conversation(two).capacity(3000).hears(get), expected) << size;
    }
}

TEST(http_response_without_size, has_trailers_if_it_is_chunked) {
    const auto summed = [](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes("x"));
        ex.add_trailer("Check", "sum");
        EXPECT_THROW(ex.add_trailer("Content-Length", "1"), std::invalid_argument);
        EXPECT_THROW(ex.add_trailer("A", "b\r\nC: d"), std::invalid_argument);
    };
    EXPECT_EQ(conversation(summed).hears(get + get_1_0),
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nCheck: sum\r\n\r\n"
              "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx");
}

TEST(http_response_without_size, has_no_last_chunk_if_the_handler_throws) {
    const auto failing = [](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes("abc"));
        throw std::runtime_error("too late");
    };
    EXPECT_EQ(conversation(failing).hears(get + get),
              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
}

TEST(http_response_without_size, is_sent_as_far_as_it_is_flushed) {
    bool has_been_heard = false;
    function_handler handler([&](exchange& ex) -> task<void> {
        co_await ex.begin_response(status::ok, {});
        co_await ex.write(as_bytes("first"));
        co_await ex.flush();
        while (!has_been_heard)
            co_await yield();
        co_await ex.write(as_bytes("second"));
    });
    const auto scene = [&]() -> task<void> {
        auto [client, served] = duplex(10'000);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), handler));
        co_await client.write_all(as_bytes(get));
        std::array<std::byte, 1000> room{};
        const std::size_t count = co_await client.read(room);
        EXPECT_TRUE(as_text(std::span<const std::byte>(room).first(count)).ends_with("5\r\nfirst\r\n"));
        has_been_heard = true;
        const std::size_t rest = co_await client.read(room);
        EXPECT_EQ(as_text(std::span<const std::byte>(room).first(rest)), "6\r\nsecond\r\n0\r\n\r\n");
        client.close();
        co_await serving;
    };
    eddy::test::run_bounded(scene());
}

TEST(http_exchange_fields, are_added_to_whatever_answers) {
    const auto added = [](exchange& ex) -> task<void> {
        ex.add_field("X-Id", "7");
        EXPECT_THROW(ex.add_field("X", "a\nb"), std::invalid_argument);
        if (ex.request().path() == "/p")
            co_await ex.respond(status::ok, {}, "p");
        else if (ex.request().path() == "/error")
            throw request_error(status::conflict, "not now");
    };
    EXPECT_EQ(
        conversation(added).hears(get + "GET /error HTTP/1.1\r\nHost: h\r\n\r\n" + get +
                                  "GET /none HTTP/1.1\r\nHost: h\r\n\r\n"),
        "HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 1\r\n\r\np"
        "HTTP/1.1 409 Conflict\r\nContent-Type: text/plain; charset=utf-8\r\nX-Id: 7\r\n"
        "Content-Length: 8\r\n\r\nnot now\n"
        "HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 1\r\n\r\np"
        "HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nX-Id: 7\r\nContent-Length: 0\r\n\r\n");
}

TEST(http_exchange_try_answer, does_nothing_where_it_would_have_to_wait) {
    const auto tried = [](exchange& ex) -> task<void> {
        const std::string large(10'000, 'l');
        EXPECT_FALSE(ex.try_respond(status::ok, {}, large));
        EXPECT_FALSE(ex.try_respond(status::ok, {}, std::string(8150, 'm')));
        EXPECT_FALSE(ex.has_responded());
        EXPECT_TRUE(ex.try_respond(status::created, {}, "small"));
        EXPECT_TRUE(ex.has_responded());
        co_return;
    };
    const std::string one = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nsmall";
    EXPECT_EQ(conversation(tried).hears(get + get), one + one);
}

TEST(http_exchange_parts, are_those_of_one_request) {
    const auto counted = [](exchange& ex) -> task<void> {
        EXPECT_EQ(ex.attributes().find<int>(), nullptr);
        ex.attributes().emplace<int>(3);
        ex.attributes().emplace<std::string>("s");
        ex.attributes().emplace<int>(4);
        EXPECT_EQ(*ex.attributes().find<int>(), 4);
        EXPECT_TRUE(ex.parameters().empty());
        ex.parameters().add("name", std::string("value"));
        ex.parameters().add("name", std::string_view("inner"));
        EXPECT_EQ(ex.parameters().find("name"), "inner");
        EXPECT_EQ(ex.path(), "/p");
        ex.strip_prefix(2);
        EXPECT_EQ(ex.path(), "/");
        co_await ex.respond(status::ok, {}, {});
    };
    conversation(counted).hears(get + get + "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx" +
                                get);
}

// -- taking the connection over --

task<void> echo_upgraded(exchange& ex) {
    const std::array<response_field, 1> fields = {response_field("Upgrade", "echo")};
    any_stream stream = co_await ex.upgrade(fields);
    std::array<std::byte, 100> room{};
    for (;;) {
        const std::size_t count = co_await stream.read(room);
        if (count == 0)
            break;
        co_await stream.write_all(std::span<const std::byte>(room).first(count));
    }
    co_await stream.write_all(as_bytes("|end"));
    co_await stream.shutdown();
}

const std::string upgrade = "GET /p HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";
const std::string switched =
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";

TEST(http_upgrade, gives_the_stream_with_what_came_behind_the_head_in_front) {
    EXPECT_EQ(conversation(&echo_upgraded).hears(upgrade + "abc"), switched + "abc|end");
    EXPECT_EQ(conversation(&echo_upgraded).hears_bytewise(upgrade + "abc"), switched + "abc|end");
    EXPECT_EQ(conversation(&echo_upgraded).hears(std::vector<std::string>{upgrade + "abc", "def"}),
              switched + "abcdef|end");
    EXPECT_EQ(conversation(&echo_upgraded).hears(std::vector<std::string>{upgrade, "abc"}),
              switched + "abc|end");
}

TEST(http_upgrade, answers_connect_with_200) {
    EXPECT_EQ(conversation(&echo_upgraded).hears("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\nabc"),
              "HTTP/1.1 200 OK\r\nUpgrade: echo\r\n\r\nabc|end");
}

TEST(http_upgrade, comes_behind_the_answers_before_it) {
    const auto either = [](exchange& ex) -> task<void> {
        if (ex.request().upgrade().empty())
            co_return co_await ex.respond(status::ok, {}, "first");
        co_await echo_upgraded(ex);
    };
    EXPECT_EQ(conversation(either).hears(get + upgrade + "abc"), ok_with("first") + switched + "abc|end");
}

TEST(http_upgrade, is_refused_in_front_of_a_body_that_nobody_has_read) {
    const std::string with_body =
        "GET /p HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: echo\r\nContent-Length: 2\r\n\r\nab";
    EXPECT_TRUE(conversation(&echo_upgraded).hears(with_body).starts_with("HTTP/1.1 400 "));
    const auto after_body = [](exchange& ex) -> task<void> {
        static_cast<void>(co_await ex.body().read_all(10));
        co_await echo_upgraded(ex);
    };
    EXPECT_EQ(conversation(after_body).hears(with_body + "cd"), switched + "cd|end");
}

TEST(http_upgrade, ends_the_connection_with_a_handler_that_throws) {
    const auto failing = [](exchange& ex) -> task<void> {
        any_stream stream = co_await ex.upgrade({});
        throw std::runtime_error("later");
    };
    EXPECT_EQ(conversation(failing).stays_open().hears(upgrade),
              "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\r\n");
}

TEST(http_pipeline, without_end_from_a_client_that_does_not_read_is_bounded) {
    std::size_t requests = 0;
    function_handler handler([&](exchange& ex) -> task<void> {
        ++requests;
        co_await ex.respond(status::ok, {}, std::string(100, 'x'));
    });
    const auto scene = [&]() -> task<void> {
        auto [client, served] = duplex(4096);
        auto serving =
            spawn(serve_connection(any_stream(std::move(served)), handler,
                                   server_options().write_timeout(std::chrono::milliseconds(100))));
        std::size_t written = 0;
        for (;;) {
            auto sent = co_await as_result(client.write_all(as_bytes(get)));
            if (!sent)
                break;  // cut off
            written += get.size();
        }
        EXPECT_LT(written, 50'000U);
        EXPECT_LT(requests, 1000U);
        co_await serving;
    };
    eddy::test::run_bounded(scene());
}

}  // namespace
}  // namespace eddy::http::test::responses_test
