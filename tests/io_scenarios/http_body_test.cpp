// Bodies of requests, answers in pieces and connections that change hands, over a pipe in memory.

#include "support/scenario_suite.hpp"

#include <eddy/combine/when_all.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/stream/any_stream.hpp>
#include <eddy/stream/duplex.hpp>

#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace eddy::test::http_body_test {
namespace {

/// Gives back what it is sent, in the way that the path names.
class echoing_handler final : public http::request_handler {
public:
    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override {
        if (ex.path() == "/pieces")
            return in_pieces(ex);
        if (ex.path() == "/upgrade")
            return upgraded(ex);
        if (ex.path() == "/both")
            return both_ways(ex);
        return whole(ex);
    }

private:
    static task<> whole(http::exchange& ex) {
        ex.attributes().emplace<std::string>(40, 'a');
        ex.add_field("X-Added", "field");
        const std::string body = co_await ex.body().read_all(10'000);
        co_await ex.respond(http::status::ok, {}, body);
    }
    static task<> in_pieces(http::exchange& ex) {
        co_await ex.begin_response(http::status::ok, {});
        for (;;) {
            const buffer_lease piece = co_await ex.body().read_leased();
            if (piece.empty())
                break;
            co_await ex.write(piece.bytes());
            co_await ex.flush();
        }
        ex.add_trailer("X-Sum", "none");
    }
    static task<> both_ways(http::exchange& ex) {
        auto reading = read(ex);
        auto writing = write(ex);
        co_await when_all(std::move(reading), std::move(writing));
    }
    static task<> read(http::exchange& ex) {
        std::size_t size = 0;
        for (;;) {
            const buffer_lease piece = co_await ex.body().read_leased();
            if (piece.empty())
                break;
            size += piece.size();
        }
        require(size == 60, "a body has another size");
    }
    static task<> write(http::exchange& ex) {
        co_await ex.begin_response(http::status::ok, {});
        for (int part = 0; part < 3; ++part) {
            co_await ex.write(as_bytes("part"));
            co_await ex.flush();
        }
        co_await ex.write(as_bytes(large_piece));
    }
    // More than a connection's output buffer.
    static inline const std::string large_piece = std::string(9000, 'l') + "end";

    static task<> upgraded(http::exchange& ex) {
        any_stream stream = co_await ex.upgrade({});
        std::array<std::byte, 64> room{};
        for (;;) {
            const std::size_t count = co_await stream.read(room);
            if (count == 0)
                break;
            co_await stream.write_all(std::span<const std::byte>(room).first(count));
        }
    }
};

[[noreturn]] void fail() {
    throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "the server has failed");
}

task<> say(duplex_stream& client, std::string_view said) {
    const auto sent = co_await as_result(client.write_all(as_bytes(said)));
    if (!sent)
        fail();
}

task<> hear(duplex_stream& client, std::string_view ending) {
    std::string heard;
    std::array<std::byte, 256> room{};
    while (!heard.ends_with(ending)) {
        const auto count = co_await as_result(client.read(room));
        if (!count || *count == 0)
            fail();
        heard.append(as_text(std::span<const std::byte>(room).first(*count)));
    }
}

/// Says something, and meanwhile waits for a response that ends like this: the pipe holds little.
task<> talk(duplex_stream& client, std::string_view said, std::string_view ending) {
    co_await when_all(say(client, said), hear(client, ending));
    client.close();
}

task<> converse(std::string_view said, std::string_view ending, std::size_t capacity_bytes = 16) {
    auto [client, served] = duplex(capacity_bytes);
    echoing_handler handler;
    co_await when_all(http::serve_connection(any_stream(std::move(served)), handler),
                      talk(client, said, ending));
}

task<> read_sized() {
    return converse("POST /whole HTTP/1.1\r\nHost: t\r\nContent-Length: 12\r\n\r\nhello, world",
                    "\r\n\r\nhello, world");
}

task<> read_chunked() {
    return converse(
        "POST /whole HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
        "5\r\nhello\r\n0\r\nX-Check: sum\r\n\r\n",
        "\r\n\r\nhello");
}

task<> stream_both_ways() {
    return converse(
        "POST /pieces HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        "POST /pieces HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nagain",
        "5\r\nagain\r\n0\r\nX-Sum: none\r\n\r\n");
}

const std::string sixty = "012345678901234567890123456789012345678901234567890123456789";

const std::string sized_sixty = "POST /both HTTP/1.1\r\nHost: t\r\nContent-Length: 60\r\n\r\n" + sixty;
const std::string chunked_sixty =
    "POST /both HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3c\r\n" + sixty + "\r\n0\r\n\r\n";

task<> read_and_write() {
    return converse(sized_sixty, "lllend\r\n0\r\n\r\n", 512);
}

task<> read_and_write_chunks() {
    return converse(chunked_sixty, "lllend\r\n0\r\n\r\n", 40);
}

task<> upgrade() {
    return converse("GET /upgrade HTTP/1.1\r\nHost: t\r\nConnection: upgrade\r\nUpgrade: e\r\n\r\nearly",
                    "\r\n\r\nearly");
}

const scenario_suite listed({
    {"a_body_of_known_size", &read_sized},
    {"a_body_in_chunks", &read_chunked},
    {"an_answer_in_pieces_while_the_body_comes", &stream_both_ways},
    {"a_body_that_is_read_while_the_answer_is_written", &read_and_write},
    {"a_body_in_chunks_that_is_read_while_the_answer_is_written", &read_and_write_chunks},
    {"a_connection_that_is_upgraded", &upgrade},
});

}  // namespace
}  // namespace eddy::test::http_body_test
