// Requests over HTTP/2, and how a server that speaks it ends.

#include "http2/frames.hpp"
#include "io_scenarios/http_exchange.hpp"

#include <eddy/http/http2.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace eddy::test::http2_request_test {
namespace {

using namespace http::test;

/// A client that knows frames only: what it sends is written by hand.
class frame_client {
public:
    static task<frame_client> connect(endpoint server) {
        frame_client made(co_await tcp_stream::connect(server));
        co_await made.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + text_of(frame(type_settings, 0, 0, "")));
        co_return made;
    }

    task<> send(std::string bytes) {
        const auto sent = co_await as_result(stream_.write_all(as_bytes(bytes)));
        if (!sent)
            fail();
    }
    /// Reads until so many streams have ended. Returns their bodies, one after the other.
    task<std::string> read_responses(int count) {
        while (ended_ < count) {
            const auto received = co_await as_result(stream_.read_leased());
            if (!received || received->empty())
                fail();
            received_.append(as_text(received->bytes()));
            while (received_.size() >= frame_head_bytes &&
                   received_.size() >= frame_head_bytes + size_in(received_))
                take();
        }
        co_return std::exchange(body_, {});
    }

private:
    explicit frame_client(tcp_stream stream) noexcept : stream_(std::move(stream)) {}

    /// As http_client does.
    [[noreturn]] static void fail() {
        throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "the connection ended");
    }
    void take() {
        const std::size_t size = size_in(received_);
        const auto type = static_cast<std::uint8_t>(received_[3]);
        if (type == type_reset)
            fail();
        if (type == type_data)
            body_.append(received_, frame_head_bytes, size);
        const bool ends = (static_cast<std::uint8_t>(received_[4]) & flag_end_stream) != 0;
        if (ends && (type == type_data || type == type_headers))
            ++ended_;
        received_.erase(0, frame_head_bytes + size);
    }

    tcp_stream stream_;
    std::string received_;
    std::string body_;
    int ended_ = 0;
};

task<> get_two(endpoint at) {
    auto client = co_await frame_client::connect(at);
    co_await client.send(request_frame(1, get("/one")) + request_frame(3, get("/one")));
    const std::string body = co_await client.read_responses(2);
    if (body != "/one/one")
        throw std::system_error(std::make_error_code(std::errc::not_enough_memory), "another body");
}

task<> get_later(endpoint at) {
    auto client = co_await frame_client::connect(at);
    co_await client.send(request_frame(1, get("/later")));
    static_cast<void>(co_await client.read_responses(1));
}

task<> get_large(endpoint at) {
    auto client = co_await frame_client::connect(at);
    co_await client.send(request_frame(1, get("/large")));
    static_cast<void>(co_await client.read_responses(1));
}

task<> reset_one(endpoint at) {
    auto client = co_await frame_client::connect(at);
    co_await client.send(request_frame(1, get("/later")));
    co_await sleep_for(std::chrono::microseconds(100));
    co_await client.send(text_of(frame(type_reset, 0, 1, number(8, 4))) + request_frame(3, get("/after")));
    static_cast<void>(co_await client.read_responses(1));
}

template <task<> (*Client)(endpoint)>
task<> served() {
    return serve_small(Client, quick_server().protocol(http::http2()));
}

const scenario_suite listed({
    {"two_streams", &served<&get_two>},
    {"a_stream_whose_handler_waits", &served<&get_later>},
    {"a_stream_with_a_large_body", &served<&get_large>},
    {"a_stream_that_is_reset", &served<&reset_one>},
});

}  // namespace
}  // namespace eddy::test::http2_request_test
