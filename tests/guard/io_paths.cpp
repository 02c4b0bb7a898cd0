// Operations of the system, and HTTP on top of them.
#include "guard/hot_path.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/codec/detail/request_parser.hpp>
#include <eddy/http/message/limits.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/io/buffer.hpp>
#include <eddy/net/local_stream.hpp>
#include <eddy/net/readiness.hpp>
#include <eddy/runtime/runtime.hpp>
#include <eddy/stream/any_stream.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace eddy::guard {
namespace {

constexpr int standard_output = 1;

constexpr std::string_view request =
    "GET /index.html HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/7.88.1\r\n"
    "Accept: */*\r\n\r\n";

task<> echo(local_stream stream, std::uint64_t times) {
    for (std::uint64_t at = 0; at < times; ++at) {
        const auto lease = co_await stream.read_leased();
        co_await stream.write_all(lease.bytes());
    }
}

// Two tasks and two system calls each way.
task<> exchange_messages(std::uint64_t times) {
    auto [near, far] = socket_pair();
    auto echoing = spawn(echo(std::move(far), times));
    std::array<std::byte, 64> message{};
    for (std::uint64_t at = 0; at < times; ++at) {
        co_await near.write_all(message);
        static_cast<void>(co_await near.read(message));
    }
    co_await echoing;
}

task<> read_in_vain(local_stream& stream) {
    std::array<std::byte, 64> message;
    static_cast<void>(co_await stream.read(message));
}

task<> drop_reads(std::uint64_t times) {
    auto [near, far] = socket_pair();
    for (std::uint64_t at = 0; at < times; ++at) {
        const auto reading = spawn(read_in_vain(near));
        co_await writable(standard_output);  // the system knows of the read then
    }
}

void parse_requests(std::uint64_t times) {
    const http::message_limits limits;
    http::request_parser parser(limits);
    for (std::uint64_t at = 0; at < times; ++at) {
        parser.reset();
        if (parser.parse(request).state() != http::parse_state::complete)
            throw std::logic_error("the request was refused");
    }
}

class hello final : public http::request_handler {
public:
    [[nodiscard]] ready_or_task<> handle(http::exchange& ex) override {
        return ex.respond(http::status::ok, {}, "Hello, World!");
    }
};

// The client's part is two system calls.
task<> request_from(http::request_handler& handler, std::uint64_t times) {
    auto [client, served] = socket_pair();
    auto serving = spawn(http::serve_connection(any_stream(std::move(served)), handler));
    std::array<std::byte, 1024> response;
    for (std::uint64_t at = 0; at < times; ++at) {
        co_await client.write_all(as_bytes(request));
        static_cast<void>(co_await client.read(response));
    }
    client.close();
    co_await serving;
}

task<> answer_requests(std::uint64_t times) {
    hello handler;
    co_await request_from(handler, times);
}

// The same through a router without middleware.
task<> answer_routed_requests(std::uint64_t times) {
    http::router routes;
    routes.add("GET", "/index.html", std::make_unique<hello>());
    co_await request_from(routes, times);
}

template <task<> (*Loop)(std::uint64_t)>
void run_task(std::uint64_t times) {
    eddy::run(Loop(times));
}

constexpr std::array paths{
    hot_path{"echo_turn", &run_task<&exchange_messages>},
    hot_path{"drop_of_a_read", &run_task<&drop_reads>},
    hot_path{"parse_request", &parse_requests},
    hot_path{"answer_request", &run_task<&answer_requests>},
    hot_path{"answer_routed_request", &run_task<&answer_routed_requests>},
};

}  // namespace

std::span<const hot_path> io_paths() noexcept {
    return paths;
}

}  // namespace eddy::guard
