// A WebSocket server that sends every message back, as conformance suites want it. Run it, then let a client
// talk to it:
//   build/release/examples/websocket_echo [port] &
//   node -e 'const s = new WebSocket("ws://127.0.0.1:9001"); s.onopen = () => s.send("hello"); ...'
// [snippet]
#include <eddy/eddy.hpp>
#include <eddy/http/server/exchange.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

class echo_handler final : public eddy::http::request_handler {
public:
    eddy::ready_or_task<> handle(eddy::http::exchange& ex) override { return echo(ex, options_); }

private:
    static eddy::task<> echo(eddy::http::exchange& ex, eddy::http::websocket_options options) {
        eddy::http::websocket socket = co_await eddy::http::accept_websocket(ex, std::move(options));
        try {
            while (auto message = co_await socket.receive_view())
                co_await socket.send(*message);
        } catch (const std::system_error&) {
            // The client broke the protocol, and got a close code, or it is gone.
        }
    }

    eddy::http::websocket_options options_ = eddy::http::websocket_options()
                                                 .any_origin()
                                                 .message_bytes_max(64 * 1024 * 1024)
                                                 .deflate(eddy::http::deflate_options());
};

eddy::task<> serve(std::uint16_t port) {
    echo_handler handler;
    eddy::http::server server(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), handler);
    std::printf("ws://127.0.0.1:%u/\n", unsigned{server.listener().local_endpoint().port()});
    std::fflush(stdout);
    co_await server.run();
}

int main(int count, char** arguments) {
    const int port = count > 1 ? std::atoi(arguments[1]) : 9001;
    eddy::run(serve(static_cast<std::uint16_t>(port)));
}
// [/snippet]
