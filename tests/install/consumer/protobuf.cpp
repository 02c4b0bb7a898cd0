#include "oracle.eddy.hpp"

#include <eddy/eddy.hpp>
#include <eddy/http.hpp>
#include <eddy/rpc.hpp>

#include <string>
#include <utility>

namespace {

class wise final : public oracle::oracle_service {
public:
    eddy::task<answers::Number> ask(eddy::rpc::server_call&, oracle::Question question) override {
        answers::Number number;
        number.set_value(question.text() == "everything" ? 42 : 0);
        co_return number;
    }
};

// A service and its client, made of a .proto.
eddy::task<bool> ask_itself() {
    wise service;
    eddy::rpc::services calls;
    calls.add(service);
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(0));
    const std::string where = listener.local_endpoint().to_string();
    const auto serves = eddy::http::server_options().protocol(eddy::rpc::http2());
    auto serving = eddy::spawn(eddy::http::serve(std::move(listener), calls, serves));

    eddy::rpc::channel through("http://" + where);
    const oracle::oracle_client client(through);
    oracle::Question question;
    question.set_text("everything");
    const auto number = co_await client.ask(question);
    co_return number.value() == 42;
}

}  // namespace

int main() {
    return eddy::run(ask_itself()) ? 0 : 1;
}
