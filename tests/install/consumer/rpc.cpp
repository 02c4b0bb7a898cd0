#include <eddy/eddy.hpp>
#include <eddy/http.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/rpc.hpp>

#include <string>
#include <utility>

namespace {

// A service and a client of it in one program.
eddy::task<bool> call_itself() {
    eddy::rpc::service greeter("Greeter");
    greeter.add_unary<std::string, std::string>(
        "Greet", [](eddy::rpc::server_call&, std::string name) -> eddy::task<std::string> {
            co_return "Hello " + name;
        });
    eddy::rpc::services calls;
    calls.add(greeter);
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const std::string where = listener.local_endpoint().to_string();
    const auto serves = eddy::http::server_options().protocol(eddy::http::http2());
    auto serving = eddy::spawn(eddy::http::serve(std::move(listener), calls, serves));

    const eddy::rpc::channel to("http://" + where);
    const auto reply = co_await eddy::rpc::call<std::string>(to, "/Greeter/Greet", std::string("you"));
    co_return reply == "Hello you";
}

}  // namespace

int main() {
    return eddy::run(call_itself()) ? 0 : 1;
}
