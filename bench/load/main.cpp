// Loads a server on 127.0.0.1 with echo messages, HTTP requests, messages to WebSockets, TLS handshakes or
// memcached's commands and prints one line of JSON.
//   eddy-bench-load --mode echo --port 7000 --connections 50 --size 128 --seconds 3
#include "load/echo.hpp"
#include "load/generator.hpp"
#include "load/http.hpp"
#include "load/memcached.hpp"
#include "load/options.hpp"
#include "load/tls.hpp"
#include "load/websocket.hpp"
#include "measure/json.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>

namespace {

// Ends the program with status 2 and a message when the options are wrong, 0 after --help.
bench::load_options parse_load_options(int argc, char** argv) {
    bench::load_options options;
    CLI::App app("Loads a server on 127.0.0.1 and prints one line of JSON.", "eddy-bench-load");
    app.add_option("--mode", options.mode, "what to speak")
        ->required()
        ->check(CLI::IsMember({"echo", "http", "https", "post", "websocket", "handshake", "memcached_get",
                               "memcached_set", "memcached_pairs", "memcached_pipelined"}));
    app.add_option("--port", options.port, "where the server listens")
        ->required()
        ->check(CLI::Range(1, 65535));
    app.add_option("--connections", options.connections, "each has one request under way")
        ->check(CLI::Range(1u, 10000u));
    app.add_option("--seconds", options.seconds, "the measured window")->check(CLI::Range(0.01, 3600.0));
    app.add_option("--warmup", options.warmup_seconds, "seconds before the window")
        ->check(CLI::Range(0.0, 60.0));
    app.add_option("--requests", options.requests_each,
                   "each connection makes that many, instead of the window and the warm-up")
        ->check(CLI::PositiveNumber);
    app.add_option("--connect-seconds", options.connect_seconds_max,
                   "how long a refused connection is retried")
        ->check(CLI::Range(0.0, 60.0));
    app.add_option("--size", options.message_size,
                   "echo, post, websocket: bytes in a message; memcached: in a value")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 20));
    app.add_option("--path", options.path, "http, https, post, websocket: what to ask for");
    app.add_option("--expect-body", options.expected_body_file, "http, https: a file with the body to expect")
        ->check(CLI::ExistingFile);
    app.add_option("--cpu-of", options.measured_processes, "processes whose CPU time to measure")
        ->delimiter(',');
    try {
        app.parse(argc, argv);
        if (options.mode.starts_with("http") && options.expected_body_file.empty())
            throw CLI::RequiredError("--expect-body (with --mode http and https)");
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error) == 0 ? 0 : 2);
    }
    return options;
}

template <class Protocol>
bench::load_result load_with(Protocol protocol, const bench::load_options& options) {
    return bench::generator(protocol, options).run();
}

std::string expected_body(const bench::load_options& options) {
    std::ifstream file(options.expected_body_file, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bench::memcached_work memcached_work_of(const std::string& mode) {
    if (mode == "memcached_get")
        return bench::memcached_work::get;
    if (mode == "memcached_set")
        return bench::memcached_work::set;
    return mode == "memcached_pairs" ? bench::memcached_work::pairs : bench::memcached_work::pipelined_gets;
}

bench::load_result run(const bench::load_options& options) {
    if (options.mode == "echo")
        return load_with(bench::echo_protocol(options.message_size), options);
    if (options.mode == "websocket")
        return load_with(bench::websocket_protocol(options.path, options.message_size), options);
    if (options.mode.starts_with("memcached_"))
        return load_with(bench::memcached_protocol(memcached_work_of(options.mode), options.message_size),
                         options);
    if (options.mode == "handshake")
        return load_with(bench::handshake_protocol(), options);
    if (options.mode == "post") {
        // Its answer is the body's length.
        return load_with(bench::http_protocol(bench::post_request(options.path, options.message_size),
                                              std::to_string(options.message_size)),
                         options);
    }
    bench::http_protocol http(bench::get_request(options.path), expected_body(options));
    if (options.mode == "https")
        return load_with(bench::tls_protocol(http), options);
    return load_with(std::move(http), options);
}

// A sample, as the harness reads it.
nlohmann::json to_json(const bench::load_result& result) {
    const auto seconds = [](std::uint64_t ns) { return static_cast<double>(ns) / 1e9; };
    return {{"items", result.latencies.total() * result.requests_at_once},
            {"seconds", seconds(result.elapsed_ns)},
            {"cpu_seconds", seconds(result.measured_cpu.total_ns)},
            {"user_seconds", seconds(result.measured_cpu.user_ns)},
            {"system_seconds", seconds(result.measured_cpu.system_ns)},
            {"load_cpu_seconds", seconds(result.own_cpu.total_ns)},
            {"errors", result.errors},
            {"times_ns", bench::times_json(result.latencies)}};
}

}  // namespace

int main(int argc, char** argv) {
    const bench::load_options options = parse_load_options(argc, argv);
    try {
        const bench::load_result result = run(options);
        std::cout << to_json(result) << '\n';
        return result.latencies.total() == 0 ? 1 : 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "eddy-bench-load: %s\n", error.what());
        return 1;
    }
}
