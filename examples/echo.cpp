// Sends back what it receives. Run it, then talk to it:
//   build/release/examples/echo &
//   curl --max-time 1 telnet://127.0.0.1:7000 <<< hello
// [snippet]
#include <eddy/eddy.hpp>

#include <array>

eddy::task<> echo(eddy::tcp_stream stream) {
    std::array<std::byte, 4096> buffer;
    try {
        while (const std::size_t count = co_await stream.read(buffer))
            co_await stream.write_all(std::span(buffer).first(count));
    } catch (const std::system_error&) {
        // The other side is gone; so is this connection.
    }
}

eddy::task<> serve() {
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(7000));
    while (true)
        eddy::spawn(echo(co_await listener.accept())).detach();
}

int main() {
    eddy::run(serve());
}
// [/snippet]
