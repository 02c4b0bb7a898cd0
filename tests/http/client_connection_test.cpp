#include "http/scripted_peer.hpp"
#include "support/no_allocation.hpp"
#include "support/run_bounded.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/detail/build.hpp>
#include <eddy/http/client/client_connection.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/testing/testing.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::http::client_connection_test {
namespace {

using namespace std::chrono_literals;
using eddy::test::run_bounded;
using test::answer_in_pieces;

task<std::string> read_body_of(client_connection& connection) {
    std::string body;
    for (;;) {
        const std::span<const std::byte> piece = co_await connection.read_body();
        if (piece.empty())
            co_return body;
        body.append(as_text(piece));
    }
}

/// All that the connection gives of one answer, as text.
task<std::string> read_response(client_connection& connection, method requested) {
    std::string text;
    try {
        connection.begin(requested);
        for (bool is_final = false; !is_final;) {
            const response_head head = co_await connection.read_head();
            is_final = !is_interim(head.status()) || head.status() == status::switching_protocols;
            text += std::to_string(to_number(head.status())) + " ";
        }
        text += co_await read_body_of(connection);
        for (const auto& [name, value] : connection.trailers())
            text += " " + name + "=" + value;
        text += connection.can_go_on() ? " +" : " -";
    } catch (const std::system_error& error) {
        text += error.code().message();
    }
    co_return text;
}

task<std::string> read_cut(std::string response, method requested, std::size_t cut, std::size_t step) {
    auto [here, there] = duplex(1 << 16);
    client_connection connection{any_stream(std::move(here))};
    duplex_stream peer = std::move(there);
    const auto write = [](duplex_stream& to, std::string text, std::size_t at, std::size_t by) -> task<> {
        co_await answer_in_pieces(to, std::move(text), at, by);
        co_await to.shutdown();
    };
    const handle<> writer = spawn(write(peer, std::move(response), cut, step));
    co_return co_await read_response(connection, requested);
}

/// The outcome of a response after which the connection ends, having checked that it is the same however it is
/// cut.
std::string outcome_of(std::string_view response, method requested = method::get) {
    const auto run_cut = [&](std::size_t cut, std::size_t step) {
        return run_bounded(read_cut(std::string(response), requested, cut, step));
    };
    const std::string whole = run_cut(response.size(), response.size());
    for (std::size_t cut = 1; cut < response.size(); ++cut)
        EXPECT_EQ(run_cut(cut, response.size()), whole) << "cut at " << cut;
    EXPECT_EQ(run_cut(1, 1), whole);
    return whole;
}

TEST(client_connection, reads_answers_cut_anywhere) {
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), "200 hello +");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: "
                         "chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n"),
              "200 hello A=b +");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\n\r\nhello"), "200 hello -");
    EXPECT_EQ(outcome_of("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"), "200 hello -");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"),
              "200 hello -");
    EXPECT_EQ(outcome_of("HTTP/1.1 204 \r\n\r\n"), "204  +");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", method::head), "200  +");
    EXPECT_EQ(outcome_of("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                         "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"),
              "100 103 200 a +");
    EXPECT_EQ(outcome_of("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
              "101  -");
}

// RFC 9112 section 5.2.
TEST(client_connection, takes_a_folded_line_for_spaces) {
    EXPECT_EQ(
        outcome_of("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\nA: b\r\n\tc\r\n \r\n  d\r\n\r\n"
                   "2\r\n\r\n\r\n0\r\n\r\n"),
        "200 \r\n +");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: \r\n 5\r\n\r\n\r\n  a"), "200 \r\n  a +");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 5\r\n\r\n"), "malformed response");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\n A: b\r\nC: d\r\n\r\n"), "malformed response");
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(1 << 16);
        client_connection connection{any_stream(std::move(here))};
        duplex_stream peer = std::move(there);
        co_await peer.write_all(
            as_bytes("HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\nD:\r\n e\r\nContent-Length: 0\r\n\r\n"));
        connection.begin(method::get);
        const response_head head = co_await connection.read_head();
        EXPECT_EQ(head.find("A"), "b  \tc");
        EXPECT_EQ(head.find("D"), "e");
        EXPECT_EQ(connection.head_bytes().find("\r\n\t"), std::string_view::npos);
    }());
}

TEST(client_connection, tells_what_is_wrong_with_an_answer) {
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello"),
              "200 the connection ended within the response");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"),
              "200 the connection ended within the response");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nContent-Le"), "the connection ended within the response");
    EXPECT_EQ(outcome_of("HTTP/1.1 100 Continue\r\n\r\n"), "100 the connection ended within the response");
    EXPECT_EQ(outcome_of(""), "the connection ended before the response");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nA : b\r\n\r\n"), "malformed response");
    EXPECT_EQ(outcome_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx"), "200 malformed response");
}

TEST(client_connection, keeps_to_its_limits) {
    const auto with_limits = [](std::string response) -> task<std::string> {
        auto [here, there] = duplex(1 << 16);
        message_limits limits;
        limits.body_bytes_max(4).trailer_bytes_max(10);
        client_connection connection(any_stream(std::move(here)), limits);
        duplex_stream peer = std::move(there);
        co_await peer.write_all(as_bytes(response));
        co_await peer.shutdown();
        co_return co_await read_response(connection, method::get);
    };
    EXPECT_EQ(run_bounded(with_limits("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")),
              "the body of the response is over the limit");
    EXPECT_EQ(run_bounded(with_limits("HTTP/1.1 200 OK\r\n\r\nhello")),
              "200 the body of the response is over the limit");
    EXPECT_EQ(run_bounded(with_limits("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello")),
              "200 the body of the response is over the limit");
    EXPECT_EQ(run_bounded(with_limits(
                  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: bcdefghijk\r\n\r\n")),
              "200 the head of the response is over the limit");
}

TEST(client_connection, reads_a_pipeline) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(4096);
        client_connection connection{any_stream(std::move(here))};
        co_await there.write_all(
            as_bytes("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\naHTTP/1.1 204 \r\n\r\n"
                     "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nbc!"));
        std::string seen = co_await read_response(connection, method::get);
        EXPECT_EQ(seen, "200 a +");
        EXPECT_TRUE(connection.has_surplus());
        seen = co_await read_response(connection, method::get);
        EXPECT_EQ(seen, "204  +");
        seen = co_await read_response(connection, method::get);
        EXPECT_EQ(seen, "200 bc +");
        EXPECT_EQ(connection.surplus(), "!");
    }());
}

TEST(client_connection, a_dropped_read_loses_no_byte) {
    run_bounded([]() -> task<> {
        auto [here, there] = duplex(4096);
        client_connection connection{any_stream(std::move(here))};
        connection.begin(method::get);
        const std::string_view response = "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc";
        std::string body;
        bool has_head = false;
        for (const char& byte : response) {
            const auto read_some = [](client_connection& from, bool& is_body, std::string& to) -> task<> {
                if (!is_body) {
                    (void)co_await from.read_head();
                    is_body = true;
                }
                for (;;) {
                    const std::span<const std::byte> piece = co_await from.read_body();
                    if (piece.empty())
                        co_return;
                    to.append(as_text(piece));
                }
            };
            handle<> reading = spawn(read_some(connection, has_head, body));
            co_await there.write_all(as_bytes(std::string_view(&byte, 1)));
            co_await yield();
            reading.cancel();
        }
        body += co_await read_body_of(connection);
        EXPECT_EQ(body, "abc");
        EXPECT_TRUE(connection.can_go_on());
    }());
}

TEST(client_connection, waits_only_so_long) {
    const auto outcome = [](std::string sent, wait_limits waits) -> task<std::string> {
        auto [here, there] = duplex(4096);
        client_connection connection{any_stream(std::move(here))};
        connection.limit_waits(waits);
        co_await there.write_all(as_bytes(sent));
        co_return co_await read_response(connection, method::get);
    };
    EXPECT_EQ(run_bounded(outcome("", wait_limits().first_byte(5ms))), "the response did not begin in time");
    EXPECT_EQ(run_bounded(outcome("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", wait_limits().idle(5ms))),
              "200 the connection was idle for too long");
    EXPECT_EQ(run_bounded(outcome("H", wait_limits().idle(5ms))), "the connection was idle for too long");
    const auto with_end = [outcome](std::string sent) -> task<std::string> {
        wait_limits waits;
        waits.end(worker::current().turn_time() + 5ms).idle(1h).first_byte(1h);
        co_return co_await outcome(std::move(sent), waits);
    };
    EXPECT_EQ(run_bounded(with_end("")), "the exchange took too long");
    EXPECT_EQ(run_bounded(with_end("HTTP/1.1 200 OK\r\n\r\na")), "200 the exchange took too long");
}

TEST(client_connection, allocates_nothing_once_it_is_warm) {
#if EDDY_SANITIZED
    GTEST_SKIP() << "[sanitizer] frames of coroutines are allocated anew each time under sanitizers";
#endif
    run_bounded([]() -> task<> {
        auto [here, there] = socket_pair();
        client_connection connection{any_stream(std::move(here))};
        const std::string_view request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        const std::string_view response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
        std::array<std::byte, 256> room;
        const auto exchange = [&]() -> task<bool> {
            co_await connection.write_all(as_bytes(request));
            std::size_t left = request.size();
            while (left > 0)
                left -= co_await there.read(room);
            co_await there.write_all(as_bytes(response));
            connection.begin(method::get);
            const response_head head = co_await connection.read_head();
            std::size_t size = 0;
            for (;;) {
                const std::span<const std::byte> piece = co_await connection.read_body();
                if (piece.empty())
                    break;
                size += piece.size();
            }
            co_return head.status() == status::ok&& size == 5 && connection.can_go_on();
        };
        for (int i = 0; i < 100; ++i) {
            const bool is_good = co_await exchange();
            EXPECT_TRUE(is_good);
        }
        const eddy::test::no_allocation none;
        for (int i = 0; i < 100; ++i) {
            const bool is_good = co_await exchange();
            EXPECT_TRUE(is_good);
        }
    }());
}

}  // namespace
}  // namespace eddy::http::client_connection_test
