// Sends back what it receives. Run it, then talk to it:
//   build/release/examples/echo &
//   curl --max-time 1 telnet://127.0.0.1:7000 <<< hello
// [snippet]
#include <eddy/eddy.hpp>

#include <array>

eddy::task<> echo(eddy::tcp_stream stream) {
    std::array<std::byte, 4096> buffer;
    while (const std::size_t count = co_await stream.read(buffer))
        co_await stream.write_all(std::span(buffer).first(count));
}

int main() {
    // A listener on every worker, a worker on every CPU. A connection that fails ends its own task only.
    eddy::run(eddy::serve(eddy::endpoint::loopback_ipv4(7000), echo), eddy::all_cores);
}
// [/snippet]
