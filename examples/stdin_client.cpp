// Sends the lines of its standard input to an echo server and prints what comes back, until the input ends.
// The port is 7000, that of the example echo, or the one named.
//
//     build/release/examples/echo &
//     printf 'one\ntwo\n' | build/release/examples/stdin_client
//     build/release/examples/stdin_client 7000

#include <eddy/eddy.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

// Nothing if the server has gone.
eddy::task<std::optional<std::string>> read_exactly(eddy::tcp_stream& stream, std::size_t size) {
    std::string bytes(size, '\0');
    auto left = std::as_writable_bytes(std::span(bytes));
    while (!left.empty()) {
        const std::size_t count = co_await stream.read(left);
        if (count == 0)
            co_return std::nullopt;
        left = left.subspan(count);
    }
    co_return bytes;
}

eddy::task<> converse(std::uint16_t port) {
    auto stream = co_await eddy::tcp_stream::connect(eddy::endpoint::loopback_ipv4(port));
    auto input = eddy::standard_input();
    auto output = eddy::standard_output();
    while (auto line = co_await input.read_line()) {
        *line += '\n';
        co_await stream.write_all(eddy::as_bytes(*line));
        const auto answer = co_await read_exactly(stream, line->size());
        if (!answer)
            throw std::system_error(std::make_error_code(std::errc::connection_reset), "read");
        co_await output.write_all(eddy::as_bytes(*answer));
    }
}

int main(int count, char** arguments) {
    std::uint16_t port = 7000;
    if (count > 1) {
        const std::string_view wanted = arguments[1];
        const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), port);
        if (error != std::errc() || end != wanted.data() + wanted.size()) {
            std::fputs("usage: stdin_client [PORT]\n", stderr);
            return 2;
        }
    }
    try {
        eddy::run(converse(port));
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "stdin_client: %s\n", error.what());
        return 1;
    }
}
