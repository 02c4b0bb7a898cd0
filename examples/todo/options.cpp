#include "options.hpp"

#include <eddy/runtime/runtime_options.hpp>
#include <eddy/tls/tls_certificate.hpp>
#include <eddy/tls/tls_server_options.hpp>

#include <stdexcept>
#include <utility>

namespace todo {

void options::add_to(CLI::App& program) {
    program.add_option("--port", port, "Port to listen on; 0 chooses one")->capture_default_str();
    program.add_option("--address", address, "Numeric address to listen on")->capture_default_str();
    program.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
    auto* const chosen =
        program.add_option("--db", database, "Where items are kept: sqlite:FILE, or postgresql://...")
            ->capture_default_str();
    auto* const cache = program.add_option(
        "--redis", redis,
        "redis://...: a cache, and the way by which several nodes hear of each other's changes");
    auto* const own =
        program.add_flag("--start-servers", starts_servers,
                         "Start a PostgreSQL and a Redis of its own, on loopback, and stop them");
    own->excludes(chosen)->excludes(cache);
    program
        .add_option("--directory", directory,
                    "Where those keep their data; without it they forget it at the end")
        ->needs(own);
    program.add_option("--postgres-programs", postgres_programs, "Directory with initdb and postgres")
        ->needs(own);
    program.add_option("--drain-limit", drain_limit_s, "Seconds for requests to end after SIGINT or SIGTERM")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    auto* const chain = program.add_option("--tls-cert", certificate, "Certificate chain in PEM, for HTTPS");
    auto* const secret = program.add_option("--tls-key", key, "Its private key in PEM");
    chain->needs(secret);
    secret->needs(chain);
    program.add_flag("--log-requests", logs_requests, "A line for each request on standard error");
}

eddy::endpoint options::where() const {
    const auto parsed = eddy::endpoint::parse(address, port);
    if (!parsed)
        throw std::invalid_argument("--address: '" + address + "' is not a numeric IPv4 or IPv6 address");
    return *parsed;
}

std::optional<eddy::tls_context> options::tls() const {
    if (certificate.empty())
        return std::nullopt;
    auto files = eddy::tls_certificate::files(certificate, key);
    return eddy::tls_context(eddy::tls_server_options(std::move(files)).alpn({"h2", "http/1.1"}));
}

eddy::runtime_options options::runtime() const {
    const auto kind = eddy::parse_backend_kind(backend);
    if (!kind)
        throw std::invalid_argument("--backend: " + kind.error());
    return eddy::runtime_options().workers(1).backend(*kind);
}

eddy::duration options::drain_limit() const {
    return std::chrono::duration_cast<eddy::duration>(std::chrono::duration<double>(drain_limit_s));
}

std::optional<eddy::redis::options> options::redis_server() const {
    if (redis.empty())
        return std::nullopt;
    return eddy::redis::options::from_url(redis);
}

}  // namespace todo
