// WebSocket echo server on eddy's public headers: whole messages come back as they were.
//   eddy-bench-websocket-eddy --port P [--backend epoll]
#include <eddy/eddy.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/websocket/accept_websocket.hpp>
#include <eddy/http/websocket/websocket.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <system_error>

namespace {

namespace http = eddy::http;

eddy::task<> echo(http::exchange& ex) {
    http::websocket socket = co_await http::accept_websocket(ex);
    try {
        for (;;) {
            const auto message = co_await socket.receive_view();
            if (!message)
                co_return;
            co_await socket.send(*message);
        }
    } catch (const std::system_error&) {
        // The peer has gone; so does the connection.
    }
}

eddy::task<> serve(std::uint16_t port) {
    http::router routes;
    routes.get("/echo", echo);
    http::server server(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), routes);
    co_await server.run();
}

}  // namespace

int main(int argc, char** argv) {
    std::uint16_t port = 0;
    std::string backend = "auto";
    CLI::App app("Sends messages back", "eddy-bench-websocket-eddy");
    app.add_option("--port", port)->required();
    app.add_option("--backend", backend);
    CLI11_PARSE(app, argc, argv);
    eddy::run(serve(port), eddy::runtime_options().backend(eddy::parse_backend_kind(backend).value()));
}
