#include "refused.hpp"

#include <eddy/combine/with_timeout.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/integrations/redis/client.hpp>
#include <eddy/net/tcp_listener.hpp>
#include <eddy/runtime/runtime.hpp>

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace redis = eddy::redis;

// Over TLS, from which the library of that is needed.
eddy::task<> ask() {
    redis::client server(redis::options::from_url("rediss://127.0.0.1:1"));
    co_await eddy::with_timeout(server.command("PING"), std::chrono::seconds(1));
}

// Answers whatever comes first.
eddy::task<> answer(eddy::tcp_listener listener) {
    eddy::tcp_stream peer = co_await listener.accept();
    std::array<std::byte, 1000> request{};
    co_await peer.read(request);
    co_await peer.write_all(std::as_bytes(std::span(std::string_view("*2\r\n:42\r\n+OK\r\n"))));
}

eddy::task<bool> speaks() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    redis::client server(
        redis::options::from_url("redis://127.0.0.1:" + std::to_string(listener.local_endpoint().port())));
    auto answering = eddy::spawn(answer(std::move(listener)));
    const redis::reply read = co_await server.command("PING");
    co_await answering;
    co_return read.elements().front().integer() == 42;
}

int main() {
    return eddy::run(speaks()) ? fails(ask()) : 1;
}
