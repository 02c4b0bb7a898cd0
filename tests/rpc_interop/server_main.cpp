// eddy-grpc-interop: serves grpc.testing.TestService, for clients of other implementations of gRPC.
//
//     eddy-grpc-interop --port 10000 [--tls-cert FILE --tls-key FILE] [--host ADDRESS]
//
// Port 0: one that is free. It prints "listening on ADDRESS:PORT", and ends when it is sent SIGTERM or SIGINT.

#include "interop_service.hpp"

#include <eddy/eddy.hpp>
#include <eddy/http/server.hpp>
#include <eddy/rpc.hpp>
#include <eddy/rpc/reflection.hpp>
#include <eddy/tls/tls_context.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace {

namespace http = eddy::http;

struct arguments {
    std::string host = "127.0.0.1";
    std::uint16_t port = 0;
    std::string certificate;
    std::string key;
};

http::server_options options_of(const arguments& given) {
    http::server_options options;
    options.protocol(eddy::rpc::http2());
    if (!given.certificate.empty())
        options.tls(eddy::tls_context(
            eddy::tls_server_options(eddy::tls_certificate::files(given.certificate, given.key))
                .alpn({"h2"})));
    return options;
}

eddy::task<> serve(arguments given) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    const auto where = eddy::endpoint::parse(given.host, given.port);
    if (!where)
        throw std::system_error(where.error(), given.host);
    eddy::tcp_listener listener = eddy::tcp_listener::bind(*where);
    std::printf("listening on %s\n", listener.local_endpoint().to_string().c_str());
    std::fflush(stdout);
    eddy::interop::interop_service service;
    eddy::rpc::services calls;
    calls.add(service);
    // For tools: which services there are, and that they are well.
    eddy::rpc::health_service health;
    eddy::rpc::reflection_service reflection(calls);
    eddy::rpc::reflection_service older_reflection(calls, eddy::rpc::reflection_version::v1alpha);
    calls.add(health).add(reflection).add(older_reflection);
    http::server server(std::move(listener), calls, options_of(given));
    co_await eddy::race(server.run(), ending.wait());
}

}  // namespace

int main(int count, char** values) {
    arguments given;
    CLI::App options("Serves grpc.testing.TestService", "eddy-grpc-interop");
    options.add_option("--port", given.port, "0: one that is free")->required();
    options.add_option("--host", given.host, "address to listen on")->capture_default_str();
    auto* certificate = options.add_option("--tls-cert", given.certificate, "PEM file of the certificate");
    options.add_option("--tls-key", given.key, "PEM file of its key")->needs(certificate);
    CLI11_PARSE(options, count, values);
    try {
        eddy::run(serve(given));
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-grpc-interop: %s\n", error.what());
        return 1;
    }
}
