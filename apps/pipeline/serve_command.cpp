#include "common/print.hpp"
#include "common/program.hpp"
#include "common/serving.hpp"
#include "pipeline/commands.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/pipeline_server.hpp"
#include "pipeline/processing_options.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/io/host.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace eddy::apps {

namespace {

const std::map<std::string, processing_mode>& modes() {
    static const std::map<std::string, processing_mode> known = {{"none", processing_mode::none},
                                                                 {"blocking", processing_mode::blocking},
                                                                 {"callback", processing_mode::callback},
                                                                 {"coroutine", processing_mode::coroutine}};
    return known;
}

struct serve_command_options {
    serving_options serving;
    std::size_t io_workers = 1;
    std::string mode = "coroutine";
    std::uint16_t upstream_port = 0;
    processing_options processing;
    std::size_t connections_max = 10'000;
    duration drain_limit = std::chrono::seconds(5);
};

task<int> serve(const serve_command_options& options) {
    signal_set ending({SIGINT, SIGTERM});
    runtime& here = runtime::current();
    const auto limits = http::server_options().connections_max(options.connections_max).name("eddy-pipeline");
    pipeline_server server(here, options.processing, limits, options.drain_limit);
    const endpoint where = co_await server.open(options.serving.where());
    auto serving = spawn(server.run(), "pipeline server");
    announce("eddy-pipeline: serving http://{}/compute?n=7 (mode {}, {}, {} I/O, {} processing)\n",
             where.to_string(), options.mode, here.backend_name(), options.io_workers,
             options.processing.pool_workers);
    auto ended = spawn(
        [](signal_set& signals, pipeline_server& drained) -> task<> {
            co_await signals.wait();
            co_await drained.drain();
        }(ending, server),
        "signals");
    co_await serving;
    co_return done;
}

int start(serve_command_options& options) {
    options.processing.mode = modes().at(options.mode);
    options.processing.upstream.where = endpoint::loopback_ipv4(options.upstream_port);
    if (options.upstream_port == 0 && options.processing.mode != processing_mode::none)
        throw std::invalid_argument("--upstream-port is required in mode " + options.mode);
    io::raise_descriptor_limit();
    const std::size_t workers = options.io_workers + options.processing.pool_workers;
    runtime here(options.serving.runtime().workers(workers));
    return here.run(serve(options));
}

void add_limits(CLI::App& serve, serve_command_options& options) {
    constexpr duration shortest = std::chrono::milliseconds(1);
    add_us(serve, "--upstream-timeout-us", options.processing.upstream.timeout,
           "Microseconds to wait for the upstream service", shortest);
    serve
        .add_option("--upstream-calls-max", options.processing.upstream.calls_max,
                    "Calls of each processing worker that may wait for the upstream service")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    serve.add_option("--connections-max", options.connections_max, "Connections of each I/O worker")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_us(serve, "--drain-limit-us", options.drain_limit,
           "Microseconds for answers to end after SIGINT or SIGTERM");
}

}  // namespace

command add_serve_command(CLI::App& program) {
    constexpr int workers_max = 512;
    auto options = std::make_shared<serve_command_options>();
    CLI::App& serve = *program.add_subcommand("serve", "The server");
    options->serving.add_place_to(serve);
    serve.add_option("--io-workers", options->io_workers, "Threads that parse requests")
        ->check(CLI::Range(1, workers_max))
        ->capture_default_str();
    serve.add_option("--pool", options->processing.pool_workers, "Threads that process them")
        ->check(CLI::Range(1, workers_max))
        ->capture_default_str();
    serve.add_option("--mode", options->mode, "How processing waits for the upstream service")
        ->check(CLI::IsMember(modes()))
        ->capture_default_str();
    serve.add_option("--upstream-port", options->upstream_port,
                     "Where the upstream service listens, on 127.0.0.1");
    add_us(serve, "--work-us", options->processing.work, "Microseconds of computation for each request");
    add_limits(serve, *options);
    return [options] { return start(*options); };
}

}  // namespace eddy::apps
