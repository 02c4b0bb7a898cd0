// Requests over HTTP/2.
#include "guard/hot_path.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/stream/any_stream.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace eddy::guard {
namespace {

using namespace std::string_view_literals;

// The preface, settings, and credit for all that comes.
constexpr std::string_view beginning =
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    "\0\0\0\4\0\0\0\0\0"
    "\0\0\4\x8\0\0\0\0\0\x3f\0\0\0"sv;
// That of hot_path answer_request: GET, http, and literals with names of the static table.
constexpr std::string_view fields =
    "\x82\x86\x04\x0b/index.html\x01\x0elocalhost:8080\x0f\x2b\x0b"
    "curl/7.88.1\x0f\x04\x03*/*"sv;
constexpr std::size_t head_bytes = 9;
constexpr std::uint8_t end_stream = 1;

class hello final : public http::request_handler {
public:
    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override {
        return ex.respond(http::status::ok, {}, "Hello, World!");
    }
};

void add_request(std::string& to, std::uint32_t stream) {
    to += "\0\0"sv;
    to += static_cast<char>(fields.size());
    to += "\1\5"sv;
    for (int shift = 24; shift >= 0; shift -= 8)
        to += static_cast<char>(stream >> shift & 0xff);
    to += fields;
}

/// Counts frames that end streams.
class response_counter {
public:
    void take(std::string_view bytes) {
        waiting_ += bytes;
        std::string_view left = waiting_;
        while (left.size() >= head_bytes) {
            const auto byte = [left](std::size_t at) { return static_cast<std::uint8_t>(left[at]); };
            const std::size_t size = head_bytes + (byte(0) << 16U | byte(1) << 8U | byte(2));
            if (left.size() < size)
                break;
            count_ += byte(3) == 0 && (byte(4) & end_stream) != 0 ? 1 : 0;
            left.remove_prefix(size);
        }
        waiting_.erase(0, waiting_.size() - left.size());
    }
    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
    std::string waiting_;
    std::uint64_t count_ = 0;
};

template <std::uint64_t at_once>
task<> answer_requests(std::uint64_t times) {
    hello handler;
    auto [client, served] = socket_pair();
    auto serving = spawn(http::serve_connection(any_stream(std::move(served)), handler,
                                                http::server_options().protocol(http::http2())));
    co_await client.write_all(as_bytes(beginning));
    std::array<std::byte, 32'768> arrived;
    response_counter responses;
    std::string requests;
    for (std::uint64_t asked = 0; asked < times;) {
        requests.clear();
        for (const std::uint64_t until = std::min(times, asked + at_once); asked < until; ++asked)
            add_request(requests, static_cast<std::uint32_t>(2 * asked + 1));
        co_await client.write_all(as_bytes(requests));
        while (responses.count() < asked) {
            const std::size_t count = co_await client.read(arrived);
            responses.take(as_text(std::span<const std::byte>(arrived).first(count)));
        }
    }
    client.close();
    co_await serving;
}

template <task<> (*Loop)(std::uint64_t)>
void run_task(std::uint64_t times) {
    eddy::run(Loop(times));
}

constexpr std::array paths{
    hot_path{"answer_http2_request", &run_task<&answer_requests<1>>},
    hot_path{"answer_100_http2_requests", &run_task<&answer_requests<100>>},
};

}  // namespace

std::span<const hot_path> http2_paths() noexcept {
    return paths;
}

}  // namespace eddy::guard
