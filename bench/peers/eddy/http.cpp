// HTTP server on eddy's public headers: a router with the library's defaults.
//   eddy-bench-http-eddy --port P [--root DIR] [--tls-cert FILE --tls-key FILE] [--workers N]
//   [--backend epoll] [--busy-us N] [--h2c]
// GET /hello answers with 13 bytes, POST /length with the length of its body, which it reads whole, POST /count
// with the same, keeping nothing, GET of anything else with a file.
#include <eddy/eddy.hpp>
#include <eddy/http/files/static_files.hpp>
#include <eddy/http/http2.hpp>
#include <eddy/http/routing/router.hpp>
#include <eddy/http/server/response.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_context.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <time.h>
#include <utility>

namespace {

namespace http = eddy::http;

constexpr std::size_t body_bytes_max = std::size_t{1} << 20;

struct peer_options {
    std::uint16_t port = 0;
    std::size_t workers = 1;
    std::string backend = "auto";
    std::string root;
    std::string certificate;
    std::string key;
    std::int64_t busy_us = 0;
    bool speaks_http2 = false;
};

// Works for so long, so that the server is what limits whoever loads it.
void keep_busy(std::int64_t time_us) {
    const auto spent_ns = [] {
        timespec now;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    };
    if (time_us == 0)
        return;
    const std::int64_t end_ns = spent_ns() + time_us * 1000;
    while (spent_ns() < end_ns) {
    }
}

eddy::task<http::response> length(http::exchange& ex) {
    const std::string body = co_await ex.body().read_all(body_bytes_max);
    co_return http::response::text(std::to_string(body.size()));
}

eddy::task<http::response> count(http::exchange& ex) {
    std::size_t counted = 0;
    for (auto piece = co_await ex.body().read_leased(); !piece.empty();
         piece = co_await ex.body().read_leased())
        counted += piece.size();
    co_return http::response::text(std::to_string(counted));
}

void add_routes(http::router& routes, const peer_options& options) {
    routes.get("/hello", [busy_us = options.busy_us] {
        keep_busy(busy_us);
        return http::response::text("Hello, World!");
    });
    routes.post("/length", length);
    routes.post("/count", count);
    if (!options.root.empty())
        routes.mount("/", std::make_unique<http::static_files>(eddy::directory::open(options.root)));
}

// Without tickets: no client of the benchmark resumes a session.
http::server_options served_with(const peer_options& options) {
    http::server_options result;
    if (options.speaks_http2)
        result.protocol(http::http2());
    if (options.certificate.empty())
        return result;
    const auto shown = eddy::tls_certificate::files(options.certificate, options.key);
    return result.tls(eddy::tls_context(eddy::tls_server_options(shown).alpn({"http/1.1"}).tickets(0)));
}

// On each worker, with listeners that share the port.
eddy::task<> serve(const peer_options& options) {
    http::router routes;
    add_routes(routes, options);
    auto listener = eddy::tcp_listener::bind(eddy::endpoint::loopback_ipv4(options.port),
                                             eddy::listen_options().reuse_port(options.workers > 1));
    http::server server(std::move(listener), routes, served_with(options));
    co_await server.run();
}

eddy::task<> serve_on_each(const peer_options& options) {
    auto running = eddy::runtime::current().run_on_each([&](std::size_t) { return serve(options); });
    for (auto& worker : running)
        co_await worker;
}

}  // namespace

int main(int argc, char** argv) {
    peer_options options;
    CLI::App app("Serves what the benchmark asks for", "eddy-bench-http-eddy");
    app.add_option("--port", options.port)->required();
    app.add_option("--workers", options.workers);
    app.add_option("--backend", options.backend);
    app.add_option("--root", options.root, "the directory of the files");
    CLI::Option* const certificate = app.add_option("--tls-cert", options.certificate, "for TLS");
    app.add_option("--tls-key", options.key)->needs(certificate);
    app.add_option("--busy-us", options.busy_us, "how long each /hello takes besides");
    app.add_flag("--h2c", options.speaks_http2, "HTTP/2 in clear, too");
    CLI11_PARSE(app, argc, argv);
    eddy::runtime runtime(eddy::runtime_options()
                              .workers(options.workers)
                              .backend(eddy::parse_backend_kind(options.backend).value()));
    runtime.run(serve_on_each(options));
}
