#include "http/scripted_origin.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/http/client/client.hpp>
#include <eddy/http/message/http_error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace eddy::http::outgoing_body_test {
namespace {

using eddy::test::run_bounded;
using test::empty;
using test::error_of;
using test::ok;
using test::scripted_origin;

TEST(a_client, streams_bodies_out) {
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok(""), ok(""), ok("")}}, 7);
        client by(origin.options());
        const auto pieces = []() -> async_generator<std::string> {
            co_yield std::string("hello ");
            co_yield std::string();
            co_yield std::string("world");
        };
        client_request chunked(method::put, "http://a/");
        chunked.content(outgoing_body::of_texts(pieces()));
        static_cast<void>(co_await by.send(chunked));
        EXPECT_TRUE(origin.requested().at(0).ends_with(
            "Transfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n"));
        client_request sized(method::put, "http://a/");
        sized.content(outgoing_body::of_texts(pieces(), 11));
        static_cast<void>(co_await by.send(sized));
        EXPECT_TRUE(origin.requested().at(1).ends_with("Content-Length: 11\r\n\r\nhello world"));
        auto [source, sink] = duplex(100);
        co_await sink.write_all(as_bytes("from a source"));
        co_await sink.shutdown();
        client_request sourced(method::post, "http://a/");
        sourced.content(outgoing_body::of_source(std::move(source)));
        static_cast<void>(co_await by.send(sourced));
        EXPECT_TRUE(origin.requested().at(2).ends_with("\r\n\r\nd\r\nfrom a source\r\n0\r\n\r\n"));
        EXPECT_EQ(origin.connected().size(), 1U);
    }());
}

TEST(a_client, tells_when_a_body_is_not_what_was_promised) {
    const auto outcome = [](std::uint64_t size) -> task<std::error_code> {
        scripted_origin origin({{ok("")}});
        const auto pieces = []() -> async_generator<std::string> { co_yield std::string("hello"); };
        client by(origin.options());
        client_request wanted(method::put, "http://a/");
        wanted.content(outgoing_body::of_texts(pieces(), size));
        co_return co_await error_of(by.send(wanted));
    };
    EXPECT_EQ(run_bounded(outcome(4)), http_error::body_size_wrong);
    EXPECT_EQ(run_bounded(outcome(6)), http_error::body_size_wrong);
    EXPECT_EQ(run_bounded(outcome(5)), std::error_code());
    run_bounded([]() -> task<> {
        scripted_origin origin({{ok("")}});
        const auto broken = []() -> async_generator<std::string> {
            co_yield std::string("hello");
            throw std::runtime_error("no more");
        };
        client by(origin.options());
        client_request wanted(method::put, "http://a/");
        wanted.content(outgoing_body::of_texts(broken()));
        bool is_thrown = false;
        try {
            static_cast<void>(co_await by.send(wanted));
        } catch (const std::runtime_error& error) {
            is_thrown = std::string(error.what()) == "no more";
        }
        EXPECT_TRUE(is_thrown);
    }());
}

TEST(a_client, reads_an_answer_that_comes_before_the_request_is_out) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(1024);
        duplex_stream server = std::move(there);
        client by(client_options().transport(
            [&here](client_target) -> task<any_stream> { co_return any_stream(std::move(here)); }));
        client_request wanted(method::post, "http://a/");
        wanted.content(std::string(1 << 20, 'x'));
        const auto refuse = [](duplex_stream& stream) -> task<> {
            std::array<std::byte, 100> room;
            static_cast<void>(co_await stream.read(room));
            co_await stream.write_all(as_bytes("HTTP/1.1 413 \r\nContent-Length: 2\r\n\r\nno"));
        };
        const handle<> refusing = spawn(refuse(server));
        client_response response = co_await by.send(wanted);
        EXPECT_EQ(response.status(), status::content_too_large);
        const std::string text = co_await response.text();
        EXPECT_EQ(text, "no");
        EXPECT_EQ(by.idle_connections(), 0U) << "the request was never sent to its end";
    }());
}

TEST(a_client, waits_for_100_continue) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(1024);
        duplex_stream server = std::move(there);
        client by(client_options().transport(
            [&here](client_target) -> task<any_stream> { co_return any_stream(std::move(here)); }));
        const auto serve = [](duplex_stream& stream) -> task<> {
            std::string head = co_await test::read_until(stream, "\r\n\r\n");
            EXPECT_TRUE(head.contains("Expect: 100-continue\r\n"));
            co_await stream.write_all(as_bytes("HTTP/1.1 100 Continue\r\n\r\n"));
            const std::string body = co_await test::read_until(stream, "hello");
            EXPECT_EQ(body, "hello");
            co_await stream.write_all(as_bytes(ok("a")));
            head = co_await test::read_until(stream, "\r\n\r\n");
            co_await stream.write_all(as_bytes(empty("417 Expectation Failed")));
            head = co_await test::read_until(stream, "never");
            EXPECT_EQ(head, "") << "no body after a refusal, and the connection ends";
        };
        handle<> serving = spawn(serve(server));
        client_request wanted(method::put, "http://a/");
        wanted.content(std::string("hello")).expect_continue(true);
        client_response response = co_await by.send(wanted);
        const std::string text = co_await response.text();
        EXPECT_EQ(text, "a");
        {
            const client_response refused = co_await by.send(wanted);
            EXPECT_EQ(refused.status(), status::expectation_failed);
        }
        co_await serving;
    }());
}

}  // namespace
}  // namespace eddy::http::outgoing_body_test
