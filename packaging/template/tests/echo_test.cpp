// A client is served, and whatever is dropped, whenever that is, nothing is left behind.
#include "echo.hpp"

#include <eddy/testing/testing.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <stdexcept>

namespace {

eddy::task<> serve_one(eddy::tcp_listener& listener) {
    co_await eddy_project::echo(co_await listener.accept());
}

eddy::task<> exchange() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto serving = eddy::spawn(serve_one(listener));
    auto client = co_await eddy::tcp_stream::connect(listener.local_endpoint());
    co_await client.write_all(std::as_bytes(std::span("hello", 5)));
    std::array<std::byte, 5> answer;
    if (co_await client.read(answer) != 5)
        throw std::runtime_error("not everything came back");
    client.close();
    co_await serving;
}

}  // namespace

int main() {
    const eddy::testing::report found = eddy::testing::drop_everywhere(exchange);
    std::printf("%s\n", found.passed() ? "nothing found" : found.message().c_str());
    return found.passed() ? 0 : 1;
}
