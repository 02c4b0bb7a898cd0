// Sends its standard input to a server and prints what the server sends, both at once, like nc: neither waits
// for the other. At the end of the input the connection is half closed, and the server sends the rest. Lines
// are edited by the terminal, which delivers them whole. The port is 7000, that of the example echo, or the
// one named.
//
//     build/release/examples/echo &
//     printf 'one\ntwo\n' | build/release/examples/stdin_client
//     build/release/examples/stdin_client 7000

#include <eddy/eddy.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <system_error>

eddy::task<> send_input(eddy::tcp_stream& server, bool& has_ended) {
    auto input = eddy::standard_input();
    co_await eddy::copy(input, server);
    has_ended = true;
    co_await server.shutdown();
}

eddy::task<> converse(std::uint16_t port) {
    auto server = co_await eddy::tcp_stream::connect(eddy::endpoint::loopback_ipv4(port));
    auto output = eddy::standard_output();
    bool input_has_ended = false;
    // Dropped with this task: a server that leaves ends the conversation, whatever the terminal does.
    const auto sending = eddy::spawn(send_input(server, input_has_ended));
    co_await eddy::copy(server, output);
    if (!input_has_ended)
        throw std::system_error(std::make_error_code(std::errc::connection_reset), "the server has gone");
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
