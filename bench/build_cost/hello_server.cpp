// The least that serves HTTP, for what it costs to compile and how large it becomes.
#include <eddy/eddy.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/server.hpp>

#include <cstdint>

namespace {

namespace http = eddy::http;

constexpr std::uint16_t port = 8080;

eddy::task<> serve() {
    http::router routes;
    routes.get("/", [] { return http::response::text("Hello, World!"); });
    co_await http::serve(eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(port)), routes);
}

}  // namespace

int main() {
    eddy::run(serve());
}
