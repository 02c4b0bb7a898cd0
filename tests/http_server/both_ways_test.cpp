#include "http/conversation.hpp"
#include "support/numbered_bytes.hpp"
#include "support/run_bounded.hpp"
#include "support/turns.hpp"
#include "tls/contexts.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/tcp_stream.hpp>
#include <eddy/runtime/sleep.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>
#include <eddy/sync/event.hpp>
#include <eddy/tls/tls_stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Handlers that read a request's body while they write its response, as every streaming proxy does.
namespace eddy::http::test::both_ways_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t body_bytes = 12'000'000;

const std::vector<std::byte>& sent_bytes() {
    static const auto all = [] {
        std::vector<std::byte> made(body_bytes);
        eddy::test::fill_numbered(made, 0);
        return made;
    }();
    return all;
}

/// Counts what comes of numbered bytes, as long as they come in order.
class checker {
public:
    void take(std::span<const std::byte> bytes) noexcept {
        if (!is_in_order_)
            return;
        const std::size_t right = eddy::test::count_numbered(bytes, count_);
        count_ += right;
        is_in_order_ = right == bytes.size();
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    std::uint64_t count_ = 0;
    bool is_in_order_ = true;
};

task<> read_body(exchange& ex, checker& received) {
    for (;;) {
        const buffer_lease piece = co_await ex.body().read_leased();
        if (piece.empty())
            break;
        received.take(piece.bytes());
    }
}

task<> write_answer(exchange& ex, bool is_sized, std::size_t piece_bytes) {
    std::span<const std::byte> left(sent_bytes());
    if (is_sized)
        co_await ex.begin_response(status::ok, {}, left.size());
    else
        co_await ex.begin_response(status::ok, {});
    while (!left.empty()) {
        const auto piece = left.first(std::min(left.size(), piece_bytes));
        co_await ex.write(piece);
        left = left.subspan(piece.size());
    }
}

/// What a request and its response look like, and how the client goes about them.
class exchange_kind {
public:
    bool is_secure = false;
    bool is_sized = true;
    bool reads_slowly = false;
    bool reads_last = false;
    std::size_t piece_bytes = 10'000;
};

/// A client that sends a body of numbered bytes and takes a response of them.
class both_ways_client {
public:
    both_ways_client(any_stream stream, const exchange_kind& kind) noexcept
        : stream_(std::move(stream)), kind_(kind) {}

    task<> run() {
        if (kind_.reads_last) {
            co_await send();
            co_await receive();
        } else {
            auto sending = send();
            auto receiving = receive();
            co_await when_all(std::move(sending), std::move(receiving));
        }
    }
    [[nodiscard]] const std::string& head() const noexcept { return head_; }
    [[nodiscard]] std::uint64_t received() const noexcept { return received_.count(); }

private:
    task<> send() {
        const std::string head =
            std::string("POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n") +
            (kind_.is_sized ? "Content-Length: 12000000" : "Transfer-Encoding: chunked") + "\r\n\r\n";
        co_await stream_.write_all(as_bytes(head));
        std::span<const std::byte> left(sent_bytes());
        while (!left.empty()) {
            const auto piece = left.first(std::min<std::size_t>(left.size(), 60'000));
            const bool is_sent = co_await send_piece(piece);
            if (!is_sent)
                co_return;  // the server has ended the connection
            left = left.subspan(piece.size());
        }
        if (!kind_.is_sized)
            co_await stream_.write_all(as_bytes("0\r\n\r\n"));
    }
    task<bool> send_piece(std::span<const std::byte> piece) {
        if (kind_.is_sized) {
            const auto sent = co_await as_result(stream_.write_all(piece));
            co_return sent.has_value();
        }
        // 60,000 and less: the last piece of the body is as large as the others.
        const auto size = co_await as_result(stream_.write_all(as_bytes("ea60\r\n")));
        if (!size)
            co_return false;
        const auto sent = co_await as_result(stream_.write_all(piece));
        if (!sent)
            co_return false;
        const auto end = co_await as_result(stream_.write_all(as_bytes("\r\n")));
        co_return end.has_value();
    }
    task<> receive() {
        std::string waiting;
        for (;;) {
            auto piece = co_await as_result(stream_.read_leased());
            if (!piece || piece->empty())
                co_return;
            take(waiting, as_text(piece->bytes()));
            for (int turn = 0; kind_.reads_slowly && turn < 20; ++turn)
                co_await yield();
        }
    }
    void take(std::string& waiting, std::string_view arrived) {
        waiting += arrived;
        if (head_.empty()) {
            const auto end = waiting.find("\r\n\r\n");
            if (end == std::string::npos)
                return;
            head_ = waiting.substr(0, end + 4);
            waiting.erase(0, end + 4);
        }
        if (kind_.is_sized) {
            received_.take(as_bytes(waiting));
            return waiting.clear();
        }
        take_chunks(waiting);
    }
    void take_chunks(std::string& waiting) {
        for (;;) {
            if (left_in_chunk_ == 0) {
                const std::size_t from = waiting.starts_with("\r\n") ? 2 : 0;
                const auto end = waiting.find("\r\n", from);
                if (end == std::string::npos)
                    return;
                left_in_chunk_ = std::stoul(waiting.substr(from, end - from), nullptr, 16);
                waiting.erase(0, end + 2);
                if (left_in_chunk_ == 0)
                    return;
            }
            const std::size_t count = std::min(left_in_chunk_, waiting.size());
            if (count == 0)
                return;
            received_.take(as_bytes(std::string_view(waiting).substr(0, count)));
            waiting.erase(0, count);
            left_in_chunk_ -= count;
        }
    }

    any_stream stream_;
    exchange_kind kind_;
    std::string head_;
    checker received_;
    std::size_t left_in_chunk_ = 0;
};

task<any_stream> connect(endpoint to, bool is_secure) {
    tcp_stream plain = co_await tcp_stream::connect(to);
    if (!is_secure)
        co_return any_stream(std::move(plain));
    tls_context context(eddy::test::client_options());
    auto secured = co_await tls_connect(std::move(plain), context, tls_target("localhost"));
    co_return any_stream(std::move(secured));
}

task<> go_both_ways(function_handler::function response, exchange_kind kind, std::uint64_t& received) {
    function_handler handler(std::move(response));
    server_options options = server_options().limits(message_limits().body_bytes_max(2 * body_bytes));
    if (kind.is_secure)
        options.tls(tls_context(eddy::test::server_options()));
    server served(tcp_listener::bind(endpoint::loopback_ipv4(0)), handler, options);
    const auto running = spawn(served.run());
    both_ways_client client(co_await connect(served.listener().local_endpoint(), kind.is_secure), kind);
    co_await client.run();
    EXPECT_TRUE(client.head().starts_with("HTTP/1.1 200 OK\r\n")) << client.head();
    received = client.received();
}

void expect_both_ways(const exchange_kind& kind) {
    checker taken;
    std::uint64_t received = 0;
    const auto response = [&](exchange& ex) -> task<> {
        auto reading = read_body(ex, taken);
        auto writing = write_answer(ex, kind.is_sized, kind.piece_bytes);
        co_await when_all(std::move(reading), std::move(writing));
    };
    eddy::test::run_bounded(go_both_ways(response, kind, received));
    EXPECT_EQ(taken.count(), body_bytes);
    EXPECT_EQ(received, body_bytes);
}

class http_bodies_both_ways : public testing::TestWithParam<bool> {
protected:
    exchange_kind kind() const {
        exchange_kind made;
        made.is_secure = GetParam();
        return made;
    }
};
INSTANTIATE_TEST_SUITE_P(over, http_bodies_both_ways, testing::Bool(),
                         [](const auto& reported) { return reported.param ? "tls" : "tcp"; });

TEST_P(http_bodies_both_ways, carry_bodies_of_known_size) {
    expect_both_ways(kind());
}

TEST_P(http_bodies_both_ways, carry_bodies_in_chunks) {
    exchange_kind chunked = kind();
    chunked.is_sized = false;
    expect_both_ways(chunked);
}

TEST_P(http_bodies_both_ways, carry_an_answer_in_pieces_that_gather) {
    exchange_kind small = kind();
    small.piece_bytes = 1000;
    expect_both_ways(small);
}

TEST_P(http_bodies_both_ways, wait_for_a_client_that_reads_slowly) {
    for (const bool is_sized : {true, false}) {
        exchange_kind slow = kind();
        slow.is_sized = is_sized;
        slow.reads_slowly = true;
        expect_both_ways(slow);
    }
}

TEST_P(http_bodies_both_ways, take_the_whole_body_of_a_client_that_reads_only_then) {
    for (const bool is_sized : {true, false}) {
        exchange_kind late = kind();
        late.is_sized = is_sized;
        late.reads_last = true;
        expect_both_ways(late);
    }
}

task<> read_and_open(exchange& ex, std::string& taken, event<>& has_read) {
    taken = co_await ex.body().read_all(1'000'000);
    has_read.set();
}

task<> write_and_wait(exchange& ex, event<>& has_read) {
    co_await ex.begin_response(status::ok, {}, 6005);
    const std::string first(6000, 'f');
    co_await ex.write(as_bytes(first));
    co_await has_read.wait();
    co_await ex.write(as_bytes("ended"));
}

task<> send_then_receive(duplex_stream& client, std::string request, std::string& heard) {
    co_await client.write_all(as_bytes(request));
    std::array<std::byte, 4096> room{};
    while (!heard.ends_with("ended")) {
        const std::size_t count = co_await client.read(room);
        if (count == 0)
            break;
        heard.append(as_text(std::span<const std::byte>(room).first(count)));
    }
    client.close();
}

TEST(http_request_body_beside_an_answer, is_read_before_the_client_takes_what_has_gathered) {
    std::string taken;
    std::string heard;
    const std::string body(100'000, 'b');
    event<> has_read;
    function_handler handler([&](exchange& ex) -> task<> {
        auto reading = read_and_open(ex, taken, has_read);
        auto writing = write_and_wait(ex, has_read);
        co_await when_all(std::move(writing), std::move(reading));
    });
    const auto run = [&]() -> task<> {
        auto [client, served] = duplex(2000);
        auto serving = serve_connection(any_stream(std::move(served)), handler);
        auto talking = send_then_receive(
            client, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + body, heard);
        co_await when_all(std::move(serving), std::move(talking));
    };
    eddy::test::run_bounded(run());
    EXPECT_TRUE(taken == body);
    EXPECT_TRUE(heard.ends_with("fffended")) << heard.size();
}

// The client takes nothing yet, so that what has gathered is being sent when the write is dropped.
task<> drop_a_write(exchange& ex) {
    co_await ex.begin_response(status::ok, {}, 11'000);
    const std::string first(6000, 'f');
    co_await ex.write(as_bytes(first));
    const std::string body = co_await ex.body().read_all(1'000'000);
    const std::string second(5000, 's');
    const auto written = co_await as_result(with_timeout(ex.write(as_bytes(second)), 1ms));
    EXPECT_FALSE(written.has_value());
}

TEST(a_write_that_is_dropped_before_its_turn, lets_nothing_follow_it) {
    std::string heard;
    function_handler handler(&drop_a_write);
    const auto run = [&]() -> task<> {
        auto [client, served] = duplex(100);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), handler));
        co_await client.write_all(as_bytes("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n"));
        co_await sleep_for(1ms);
        co_await client.write_all(as_bytes("bodyGET / HTTP/1.1\r\nHost: h\r\n\r\n"));
        co_await sleep_for(20ms);
        std::array<std::byte, 4096> room{};
        for (;;) {
            const auto count = co_await as_result(client.read(room));
            if (!count || *count == 0)
                break;
            heard.append(as_text(std::span<const std::byte>(room).first(*count)));
        }
        client.close();
        co_await serving;
    };
    eddy::test::run_bounded(run());
    EXPECT_EQ(heard.find("HTTP/1.1", 1), std::string::npos) << heard;
    EXPECT_LT(heard.size(), 11'000U);
}

// The client takes nothing until the first write is dropped, and everything then.
task<> write_after_a_dropped_write(exchange& ex, event<>& is_dropped) {
    const std::string first(100'000, 'f');
    const std::string second(100'000, '#');
    co_await ex.begin_response(status::ok, {}, first.size() + second.size());
    const auto write = [](exchange& to, const std::string& piece) -> task<> {
        co_await to.write(as_bytes(piece));
    };
    auto writing = spawn(write(ex, first));
    co_await eddy::test::turns(2);
    EXPECT_FALSE(writing.done());
    writing.cancel();
    is_dropped.set();
    const auto written = co_await as_result(ex.write(as_bytes(second)));
    EXPECT_FALSE(written.has_value());
}

TEST(a_write_that_is_dropped, lets_no_other_write_follow_it) {
    std::string heard;
    event<> is_dropped;
    function_handler handler([&](exchange& ex) { return write_after_a_dropped_write(ex, is_dropped); });
    const auto run = [&]() -> task<> {
        auto [client, served] = duplex(100);
        auto serving = spawn(serve_connection(any_stream(std::move(served)), handler));
        co_await client.write_all(as_bytes("GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
        co_await is_dropped.wait();
        std::array<std::byte, 4096> room{};
        for (;;) {
            const auto count = co_await as_result(client.read(room));
            if (!count || *count == 0)
                break;
            heard.append(as_text(std::span<const std::byte>(room).first(*count)));
        }
        client.close();
        co_await serving;
    };
    eddy::test::run_bounded(run());
    EXPECT_TRUE(heard.starts_with("HTTP/1.1 200")) << heard;
    EXPECT_EQ(heard.find('#'), std::string::npos) << "the second piece follows a part of the first";
}

// The response to what came before is still on its way when the next request's body is waited for.
TEST(http_answers_that_wait, stay_in_front_of_100_continue) {
    const auto echo = [](exchange& ex) -> task<> {
        const std::string body = co_await ex.body().read_all(1'000'000);
        co_await ex.respond(status::ok, {}, body + std::string(8000, 'p'));
    };
    const std::string get_first = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    const std::string post_next =
        "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
    EXPECT_EQ(conversation(echo).capacity(100).hears({get_first + post_next, "abc" + get_first}),
              ok_with(std::string(8000, 'p')) + "HTTP/1.1 100 Continue\r\n\r\n" +
                  ok_with("abc" + std::string(8000, 'p')) + ok_with(std::string(8000, 'p')));
}

}  // namespace
}  // namespace eddy::http::test::both_ways_test
