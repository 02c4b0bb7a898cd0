#include "load/options.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>

namespace bench {

load_options parse_load_options(int argc, char** argv) {
    load_options options;
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

}  // namespace bench
