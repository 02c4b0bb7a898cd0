#include <eddy/eddy.hpp>
#include <eddy/http.hpp>
#include <eddy/http/http2.hpp>

#include <string>
#include <utility>

namespace {

// A server and a client that speak with each other, by HTTP/2 in clear.
eddy::task<bool> ask_itself() {
    eddy::http::router routes;
    routes.get("/answer", [] { return eddy::http::response::text("42"); });
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const std::string where = listener.local_endpoint().to_string();
    const auto serves = eddy::http::server_options().protocol(eddy::http::http2());
    auto serving = eddy::spawn(eddy::http::serve(std::move(listener), routes, serves));

    const auto asks = eddy::http::http2_options().prior_knowledge(true);
    eddy::http::client client(eddy::http::client_options().protocol(eddy::http::http2(asks)));
    auto answered = co_await client.get("http://" + where + "/answer");
    const std::string answer = co_await answered.text();
    co_return answer == "42";
}

}  // namespace

int main() {
    return eddy::run(ask_itself()) ? 0 : 1;
}
