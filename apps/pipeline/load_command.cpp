#include "common/print.hpp"
#include "common/program.hpp"
#include "pipeline/commands.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/load.hpp"

#include <eddy/io/host.hpp>
#include <eddy/runtime/runtime.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace eddy::apps {

namespace {

void show(load_result& result) {
    const auto requests = static_cast<double>(result.requests);
    const double cpu_us = result.requests == 0 ? 0 : result.server_cpu_us / requests;
    print(
        "{{\"requests\": {}, \"errors\": {}, \"seconds\": {:.3f}, \"per_second\": {:.1f}, "
        "\"p50_us\": {:.1f}, \"p90_us\": {:.1f}, \"p99_us\": {:.1f}, \"p999_us\": {:.1f}, "
        "\"server_cpu_us_per_request\": {:.3f}}}\n",
        result.requests, result.errors, result.seconds, requests / result.seconds,
        result.latency.percentile_us(0.5), result.latency.percentile_us(0.9),
        result.latency.percentile_us(0.99), result.latency.percentile_us(0.999), cpu_us);
}

}  // namespace

command add_load_command(CLI::App& program) {
    struct load_command_options {
        std::uint16_t port = 0;
        load_options load;
    };
    auto options = std::make_shared<load_command_options>();
    constexpr duration shortest = std::chrono::milliseconds(1);
    CLI::App& load = *program.add_subcommand(
        "load", "Asks the server in a closed loop, and tells in JSON how fast it answers");
    load.add_option("--port", options->port, "Where the server listens, on 127.0.0.1")->required();
    load.add_option("--connections", options->load.connections, "Connections")
        ->check(CLI::Range(1, 20'000))
        ->capture_default_str();
    load.add_option("--depth", options->load.depth, "Requests under way on each connection")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    add_us(load, "--warm-up-us", options->load.warm_up, "Microseconds before measuring");
    add_us(load, "--length-us", options->load.length, "Microseconds of measuring", shortest);
    load.add_option("--server-process", options->load.server_process, "Whose CPU time is measured")
        ->check(CLI::PositiveNumber);
    load.add_flag("--progress", options->load.tells_progress, "A line four times a second");
    return [options] {
        io::raise_descriptor_limit();
        options->load.where = endpoint::loopback_ipv4(options->port);
        load_result result = run([](const load_options& requested) -> task<load_result> {
            apps::load asking(requested);
            co_return co_await asking.run();
        }(options->load));
        show(result);
        return done;
    };
}

}  // namespace eddy::apps
