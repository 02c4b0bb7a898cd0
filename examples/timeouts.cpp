// A deadline around an operation and around a task, and errors as values.
//
//     build/release/examples/timeouts
//
// It prints:
//
//     nothing came within 20 ms
//     then came: late, but whole
//     no answer: timed_out
//     the exchange took too long

#include <eddy/eddy.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>

using namespace std::chrono_literals;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

// [snippet: operation]
eddy::task<> read_in_time(eddy::tcp_stream& client, eddy::tcp_stream& server) {
    std::array<std::byte, 64> buffer;
    try {
        co_await eddy::with_timeout(client.read(buffer), 20ms);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::timed_out)
            std::puts("nothing came within 20 ms");
    }

    co_await server.write_all(bytes_of("late, but whole"));
    const std::size_t count = co_await client.read(buffer);  // the stream is as good as before
    std::printf("then came: %.*s\n", static_cast<int>(count), reinterpret_cast<const char*>(buffer.data()));
}
// [/snippet]

// [snippet: task]
eddy::task<std::size_t> exchange(eddy::tcp_stream& client) {
    std::array<std::byte, 64> buffer;
    co_await client.write_all(bytes_of("a question"));
    co_return co_await client.read(buffer);
}

eddy::task<> ask_in_time(eddy::tcp_stream& client) {
    const auto count = co_await eddy::as_result(eddy::with_timeout(exchange(client), 20ms));
    if (!count && count.error() == std::errc::timed_out)
        std::puts("no answer: timed_out");
}
// [/snippet]

// [snippet: race]
eddy::task<> ask_or_tell(eddy::tcp_stream& client) {
    const auto first = co_await eddy::race(exchange(client), eddy::sleep_for(20ms));
    if (first.index() == 1)
        std::puts("the exchange took too long");
}
// [/snippet]

eddy::task<> program() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    auto ends =
        co_await eddy::when_all(listener.accept(), eddy::tcp_stream::connect(listener.local_endpoint()));
    auto& [server, client] = ends;
    co_await read_in_time(client, server);
    co_await ask_in_time(client);
    co_await ask_or_tell(client);
}

int main() {
    eddy::run(program());
}
