#include "http/conversation.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/http/server/request_body.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/byte_stream.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <system_error>
#include <vector>

namespace eddy::http::test::request_body_test {
namespace {

using namespace std::chrono_literals;

static_assert(leasing_source<request_body>);

using pieces = std::vector<std::string>;

const std::string post = "POST /p HTTP/1.1\r\nHost: h\r\n";

task<void> echo_whole(exchange& ex) {
    const std::string body = co_await ex.body().read_all(1 << 20);
    co_await ex.respond(status::ok, {}, body);
}

task<void> echo_in_threes(exchange& ex) {
    std::string body;
    std::array<std::byte, 3> room{};
    for (;;) {
        const std::size_t count = co_await ex.body().read(room);
        if (count == 0)
            break;
        body.append(as_text(std::span<const std::byte>(room).first(count)));
        body += '|';
    }
    co_await ex.respond(status::ok, {}, body);
}

task<void> echo_leases(exchange& ex) {
    std::string body;
    for (;;) {
        const buffer_lease piece = co_await ex.body().read_leased();
        if (piece.empty())
            break;
        body.append(as_text(piece.bytes()));
    }
    const bool is_still_there = ex.request().method_name() == "POST" && ex.request().path() == "/p";
    if (!is_still_there)
        body = "the head has gone";
    co_await ex.respond(status::ok, {}, body);
}

task<void> ignore_body(exchange& ex) {
    co_await ex.respond(status::ok, {}, ex.request().path());
}

constexpr std::string_view next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(http_request_body, is_read_by_its_length) {
    EXPECT_EQ(conversation(&echo_whole).hears(post + "Content-Length: 5\r\n\r\nhello"), ok_with("hello"));
}

TEST(http_request_body, is_read_without_the_framing_of_its_chunks) {
    const std::string request =
        post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n";
    EXPECT_EQ(conversation(&echo_whole).hears(request), ok_with("hello world"));
    EXPECT_EQ(conversation(&echo_leases).hears(request), ok_with("hello world"));
    EXPECT_EQ(conversation(&echo_leases).hears_bytewise(request), ok_with("hello world"));
}

TEST(http_request_body, is_given_in_pieces_of_the_size_that_is_asked_for) {
    EXPECT_EQ(conversation(&echo_in_threes).hears(post + "Content-Length: 7\r\n\r\n1234567"),
              ok_with("123|456|7|"));
}

TEST(http_request_body, of_a_request_without_one_is_at_its_end) {
    EXPECT_EQ(conversation(&echo_whole).hears(std::string(next)), ok_with(""));
    EXPECT_EQ(conversation(&echo_leases).hears(post + "Content-Length: 0\r\n\r\n"), ok_with(""));
}

TEST(http_request_body, leaves_what_comes_behind_it_to_the_next_request) {
    const auto path_or_body = [](exchange& ex) -> task<void> {
        const std::string body = co_await ex.body().read_all(100);
        co_await ex.respond(status::ok, {}, body + std::string(ex.request().path()));
    };
    const std::string sized = post + "Content-Length: 4\r\n\r\nbody";
    const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n";
    for (const std::string& request : {sized, chunked}) {
        const std::string both = request + std::string(next);
        const std::string answers = ok_with("body/p") + ok_with("/next");
        EXPECT_EQ(conversation(path_or_body).hears(both), answers);
        EXPECT_EQ(conversation(path_or_body).hears_bytewise(both), answers);
        for (std::size_t at = request.size() - 12; at < request.size() + 4; ++at)
            EXPECT_EQ(conversation(path_or_body).hears(pieces{both.substr(0, at), both.substr(at)}), answers)
                << at;
    }
}

TEST(http_request_body, may_be_longer_than_what_arrives_at_once_while_the_head_stays_valid) {
    std::string body;
    for (int number = 0; body.size() < 300'000; ++number)
        body += std::to_string(number) + ",";
    const std::string head = post + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    EXPECT_EQ(conversation(&echo_leases).capacity(5000).hears(pieces{head, body}), ok_with(body));
    EXPECT_EQ(conversation(&echo_leases).capacity(5000).hears(head + body), ok_with(body));
}

TEST(http_request_body, that_nobody_reads_is_passed_over) {
    EXPECT_EQ(conversation(&ignore_body).hears(post + "Content-Length: 4\r\n\r\nbody" + std::string(next)),
              ok_with("/p") + ok_with("/next"));
    EXPECT_EQ(conversation(&ignore_body)
                  .hears_bytewise(post + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nA: b\r\n\r\n" +
                                  std::string(next)),
              ok_with("/p") + ok_with("/next"));
}

TEST(http_request_body, of_which_only_a_part_is_read_is_passed_over) {
    const auto read_a_little = [](exchange& ex) -> task<void> {
        std::array<std::byte, 2> room{};
        static_cast<void>(co_await ex.body().read(room));
        co_await ex.respond(status::ok, {}, as_text(room));
    };
    EXPECT_EQ(conversation(read_a_little)
                  .hears(pieces{post + "Content-Length: 6\r\n\r\nabc",
                                "def" + post + "Content-Length: 2\r\n\r\nxy"}),
              ok_with("ab") + ok_with("xy"));
}

TEST(http_request_body, tells_its_size_if_the_client_does) {
    const auto tell = [](exchange& ex) -> task<void> {
        const auto size = ex.body().size();
        const std::string text = size ? std::to_string(*size) : "unknown";
        co_await ex.respond(status::ok, {}, text);
    };
    EXPECT_EQ(conversation(tell).hears(post + "Content-Length: 4\r\n\r\nbody"), ok_with("4"));
    EXPECT_EQ(conversation(tell).hears(post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              ok_with("unknown"));
    EXPECT_EQ(conversation(tell).hears(std::string(next)), ok_with("0"));
}

TEST(http_request_body, gives_its_trailers_at_its_end) {
    const auto tell = [](exchange& ex) -> task<void> {
        const bool has_early = !ex.body().trailers().empty();
        static_cast<void>(co_await ex.body().read_all(100));
        std::string text = has_early ? "early " : "";
        for (const auto& line : ex.body().trailers())
            text += line.name() + "=" + line.value() + ";";
        text += std::string(ex.body().trailers().find("check").value_or("none"));
        co_await ex.respond(status::ok, {}, text);
    };
    const std::string request =
        post + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nCheck: sum\r\nOther: o\r\n\r\n";
    EXPECT_EQ(conversation(tell).hears(request), ok_with("Check=sum;Other=o;sum"));
    EXPECT_EQ(conversation(tell).hears_bytewise(request), ok_with("Check=sum;Other=o;sum"));
}

// RFC 9110 section 10.1.1.
TEST(http_request_body, is_asked_for_by_100_continue_when_it_is_read) {
    EXPECT_EQ(conversation(&echo_whole)
                  .hears(pieces{post + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", "hello"}),
              "HTTP/1.1 100 Continue\r\n\r\n" + ok_with("hello"));
}

TEST(http_request_body, is_not_asked_for_when_it_has_come_already) {
    EXPECT_EQ(
        conversation(&echo_whole).hears(post + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello"),
        ok_with("hello"));
}

TEST(http_request_body, is_not_asked_for_by_a_handler_that_does_not_read_it_and_the_connection_ends) {
    EXPECT_EQ(conversation(&ignore_body).hears(post + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"),
              "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n/p");
}

TEST(http_request_body, asks_a_client_of_http_1_0_for_nothing) {
    EXPECT_EQ(
        conversation(&echo_whole)
            .hears(pieces{"POST /p HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", "hello"}),
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
}

std::string refused(std::string_view line, std::string_view reason) {
    return "HTTP/1.1 " + std::string(line) +
           "\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " +
           std::to_string(reason.size() + 1) + "\r\n\r\n" + std::string(reason) + "\n";
}

TEST(http_request_body, that_is_malformed_gives_400_and_ends_the_connection) {
    EXPECT_EQ(conversation(&echo_whole)
                  .hears(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n" + std::string(next)),
              refused("400 Bad Request", "malformed chunk size"));
}

TEST(http_request_body, that_ends_early_gives_400) {
    EXPECT_EQ(conversation(&echo_whole).hears(post + "Content-Length: 50\r\n\r\nhello"),
              refused("400 Bad Request", "the body ended early"));
}

TEST(http_request_body, above_what_the_handler_takes_gives_413) {
    const auto take_three = [](exchange& ex) -> task<void> {
        const std::string body = co_await ex.body().read_all(3);
        co_await ex.respond(status::ok, {}, body);
    };
    const std::string response = refused("413 Content Too Large", "body over the limit");
    EXPECT_EQ(conversation(take_three).hears(post + "Content-Length: 3\r\n\r\nabc"), ok_with("abc"));
    EXPECT_EQ(conversation(take_three).hears(post + "Content-Length: 4\r\n\r\nabcd"), response);
    EXPECT_EQ(
        conversation(take_three).hears(post + "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"),
        response);
    // Before it is asked for.
    EXPECT_EQ(conversation(take_three).hears(post + "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n"),
              response);
}

TEST(http_request_body, above_the_limit_of_the_server_gives_413) {
    const server_options small = server_options().name("").limits(message_limits().body_bytes_max(8));
    EXPECT_EQ(conversation(&echo_whole, small)
                  .hears(post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nworld\r\n0\r\n\r\n"),
              refused("413 Content Too Large", "body over the limit"));
}

TEST(http_request_body, that_does_not_come_in_time_gives_408) {
    const server_options quick = server_options().name("").body_timeout(20ms);
    EXPECT_EQ(conversation(&echo_whole, quick).stays_open().hears(post + "Content-Length: 50\r\n\r\nhello"),
              refused("408 Request Timeout", "the body took too long"));
}

// Each byte comes in time, and there would be thousands.
TEST(http_request_body, that_comes_in_drops_gives_408) {
    const std::string drip(5000, 'd');
    const server_options strict = server_options().name("").body_timeout(300ms).body_rate_min(1'000'000'000);
    function_handler handler(&echo_whole);
    const auto scene = [&]() -> task<std::string> {
        auto [client, served] = duplex(100'000);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), handler, strict));
        co_await client.write_all(as_bytes(post + "Content-Length: 5000\r\n\r\n"));
        std::array<std::byte, 1000> room{};
        std::size_t heard = 0;
        for (const char& drop : drip) {
            auto sent = co_await as_result(client.write_all(as_bytes(std::string_view(&drop, 1))));
            if (!sent)
                break;
            auto count = co_await as_result(with_timeout(client.read(room), 5ms));
            if (count) {
                heard = *count;
                break;
            }
        }
        client.close();
        co_await serving;
        co_return std::string(as_text(std::span<const std::byte>(room).first(heard)));
    };
    const std::string heard = eddy::test::run_bounded(scene());
    EXPECT_TRUE(heard.starts_with("HTTP/1.1 408 ")) << heard;
}

TEST(http_request_body, of_which_a_read_is_dropped_loses_no_byte) {
    const auto impatient = [](exchange& ex) -> task<void> {
        std::string body;
        std::array<std::byte, 7> room{};
        for (;;) {
            auto count = co_await as_result(with_timeout(ex.body().read(room), 100us));
            if (count && *count == 0)
                break;
            if (count)
                body.append(as_text(std::span<const std::byte>(room).first(*count)));
        }
        co_await ex.respond(status::ok, {}, body);
    };
    std::string body;
    for (int number = 0; number < 200; ++number)
        body += std::to_string(number) + ".";
    std::string chunked;
    for (std::size_t at = 0; at < body.size(); at += 10)
        chunked += "a\r\n" + body.substr(at, 10) + "\r\n";
    ASSERT_EQ(body.size() % 10, 0U);
    EXPECT_EQ(conversation(impatient).hears_bytewise(post + "Transfer-Encoding: chunked\r\n\r\n" + chunked +
                                                     "0\r\n\r\n"),
              ok_with(body));
}

TEST(http_request_body, is_taken_no_faster_than_it_is_read) {
    std::size_t written = 0;
    function_handler handler([&](exchange& ex) -> task<void> {
        std::array<std::byte, 1> room{};
        static_cast<void>(co_await ex.body().read(room));
        for (int turn = 0; turn < 1000; ++turn)
            co_await yield();
        EXPECT_LT(written, 100'000U) << "the server takes what nobody has asked for";
        ex.close_after_response();
        co_await ex.respond(status::ok, {}, {});
    });
    const auto scene = [&]() -> task<void> {
        auto [client, served] = duplex(1000);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), handler));
        co_await client.write_all(as_bytes(post + "Content-Length: 1000000\r\n\r\n"));
        const std::string piece(1000, 'x');
        for (; written < 1'000'000; written += piece.size()) {
            auto sent = co_await as_result(client.write_all(as_bytes(piece)));
            if (!sent)
                break;
        }
        client.close();
        co_await serving;
    };
    eddy::test::run_bounded(scene());
}

}  // namespace
}  // namespace eddy::http::test::request_body_test
