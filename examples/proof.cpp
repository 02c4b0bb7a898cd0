// How code is proven that uses the library: dropped everywhere, short of memory everywhere, in any order.
//
//     build/release/examples/proof
//
// It prints:
//
//     nothing found
//     nothing found
//     nothing found

#include <eddy/eddy.hpp>
#include <eddy/testing/testing.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <tuple>

// [snippet: scenario]
eddy::task<> exchange() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto ends =
        co_await eddy::when_all(listener.accept(), eddy::tcp_stream::connect(listener.local_endpoint()));
    auto& [server, client] = ends;

    std::array<std::byte, 5> buffer;
    co_await client.write_all(std::as_bytes(std::span("hello", 5)));
    co_await server.read(buffer);
}

bool is_clean(const eddy::testing::report& found) {
    std::printf("%s\n", found.passed() ? "nothing found" : found.message().c_str());
    return found.passed();
}

bool prove_exchange() {
    using namespace eddy::testing;
    const bool lets_go = is_clean(drop_everywhere(exchange));
    const bool fails_cleanly = is_clean(fail_allocation_everywhere(exchange));
    const bool needs_no_luck = is_clean(shuffle_everywhere(exchange, 20));
    return lets_go && fails_cleanly && needs_no_luck;
}
// [/snippet]

int main() {
    return prove_exchange() ? 0 : 1;
}
