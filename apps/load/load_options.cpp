#include "load/load_options.hpp"

#include <eddy/runtime/runtime_options.hpp>

#include <chrono>
#include <stdexcept>

namespace eddy::apps {

namespace {

constexpr std::uint64_t connections_max = 1'000'000;
constexpr std::uint64_t streams_max = 100'000;
constexpr double longest_s = 86400;
constexpr double rate_max = 1e9;
constexpr long workers_max = 1024;
constexpr std::size_t message_bytes_max = 64U << 20;

}  // namespace

void load_options::add_to(CLI::App& options) {
    auto* const target = options.add_option("URL", url, "http://, https://, ws:// or wss://");
    options
        .add_option("-c,--connections", connections,
                    "Connections, each with one request at a time unless --streams says more")
        ->check(CLI::Range(std::uint64_t{1}, connections_max))
        ->capture_default_str();
    auto* const length = options.add_option("-t,--time", seconds, "Seconds that the run lasts")
                             ->check(CLI::Range(0.001, longest_s))
                             ->capture_default_str();
    options.add_option("-n,--requests", requests, "Ends the run after so many, of all connections together")
        ->check(CLI::PositiveNumber)
        ->excludes(length);
    options
        .add_option("--rate", rate,
                    "Requests a second, of all connections together, sent when they are due; latencies count "
                    "from then")
        ->check(CLI::Range(0.001, rate_max));
    options.add_option("-w,--workers", workers, "Threads")
        ->check(CLI::Range(1L, workers_max))
        ->capture_default_str();
    options.add_option("--backend", backend, "io_uring, epoll or auto")->capture_default_str();
    options.add_option("-m,--method", method, "GET by default, POST with a body");
    options.add_option("-H,--header", fields, "A field of each request, as 'Name: value'; repeatable")
        ->allow_extra_args(false);
    auto* const given = options.add_option("-d,--data", body, "The body of each request");
    options.add_option("--data-file", body_file, "A file with the body of each request")->excludes(given);
    options.add_option("--timeout", timeout_s, "Seconds for a connection or a response to come")
        ->check(CLI::Range(0.001, longest_s))
        ->capture_default_str();
    auto* const closing = options.add_flag("--close", closes, "A connection for each request");
    auto* const http2 = options
                            .add_flag("--http2", speaks_http2,
                                      "HTTP/2: agreed on by ALPN with https, without asking with http")
                            ->excludes(closing);
    options.add_option("--streams", streams, "Requests at a time on each connection, over HTTP/2")
        ->check(CLI::Range(std::uint64_t{1}, streams_max))
        ->needs(http2)
        ->capture_default_str();
    options
        .add_option("--message-size", message_bytes,
                    "Bytes of each message to a WebSocket, which sends it back")
        ->check(CLI::Range(std::size_t{0}, message_bytes_max))
        ->capture_default_str();
    options.add_flag("-k,--insecure", is_insecure, "Takes any certificate");
    options.add_option("--cacert", authority_file, "A PEM file of the authorities that are trusted");
    options.add_option("--json", json_file, "Writes the results to a file; '-' for standard output");
    options.add_flag("-q,--quiet", is_quiet, "No progress");
    options.add_option("--compare", compared, "Compares the results of two runs, written by --json")
        ->expected(2)
        ->excludes(target);
}

runtime_options load_options::runtime() const {
    const auto kind = parse_backend_kind(backend);
    if (!kind)
        throw std::invalid_argument("--backend: " + kind.error());
    return runtime_options().workers(workers).backend(*kind);
}

std::optional<duration> load_options::length() const {
    if (requests != 0)
        return std::nullopt;
    return std::chrono::duration_cast<duration>(std::chrono::duration<double>(seconds));
}

}  // namespace eddy::apps
