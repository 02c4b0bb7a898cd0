// The smallest HTTP server, to see what it costs to build one: hello_server PORT.
#include <eddy/eddy.hpp>
#include <eddy/http/response.hpp>
#include <eddy/http/router.hpp>
#include <eddy/http/server.hpp>

#include <cstdint>
#include <cstdlib>

namespace {

eddy::task<> serve(std::uint16_t port) {
    eddy::http::router routes;
    routes.get("/", [] { return eddy::http::response::text("Hello, World!"); });
    co_await eddy::http::serve(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), routes);
}

}  // namespace

int main(int, char** arguments) {
    eddy::run(serve(static_cast<std::uint16_t>(std::atoi(arguments[1]))));
}
