// HTTP server on eddy's public headers that parses each request in full and answers every one with 13 bytes.
#include <eddy/eddy.hpp>
#include <eddy/http/server.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <string>

namespace {

class greeter final : public eddy::http::request_handler {
public:
    eddy::prompt_task<> handle(eddy::http::exchange& asked) override {
        return asked.answer(eddy::http::status::ok, fields_, "Hello, World!");
    }

private:
    const eddy::http::field_block fields_ = eddy::http::field_block().add("Content-Type", "text/plain");
};

eddy::task<> serve(eddy::endpoint where) {
    greeter handler;
    eddy::http::server server(eddy::tcp_listener::bind(where), handler);
    co_await server.run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App options("Answers every request with 13 bytes", "eddy-bench-http-eddy");
    std::uint16_t port = 0;
    std::string backend = "auto";
    std::size_t workers = 1;
    options.add_option("--port", port)->required();
    options.add_option("--backend", backend);
    options.add_option("--workers", workers)->check(CLI::Range(1, 1));
    CLI11_PARSE(options, argc, argv);
    eddy::run(serve(eddy::endpoint::loopback_ipv4(port)),
              eddy::runtime_options().backend(eddy::parse_backend_kind(backend).value()));
}
