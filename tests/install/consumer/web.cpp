// The same with HTTP: a server and a client, over the pipe in memory of a connection to itself.
#include <eddy/eddy.hpp>
#include <eddy/http.hpp>

eddy::task<int> ask_itself() {
    eddy::http::router routes;
    routes.get("/answer", [] { return eddy::http::response::text("42"); });
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const std::string where = "http://" + listener.local_endpoint().to_string() + "/answer";
    auto serving = eddy::spawn(eddy::http::serve(std::move(listener), routes));
    auto answered = co_await eddy::http::get(where);
    co_return co_await answered.text() == "42" ? 0 : 1;
}

int main() {
    return eddy::run(ask_itself());
}
