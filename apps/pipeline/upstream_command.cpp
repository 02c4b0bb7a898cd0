#include "common/print.hpp"
#include "common/program.hpp"
#include "common/serving.hpp"
#include "pipeline/commands.hpp"
#include "pipeline/durations.hpp"
#include "pipeline/upstream_service.hpp"

#include <eddy/io/host.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <chrono>
#include <csignal>
#include <memory>

namespace eddy::apps {

namespace {

struct upstream_command_options {
    serving_options serving;
    duration latency = std::chrono::milliseconds(1);
};

task<int> serve_upstream(const upstream_command_options& options) {
    signal_set ending({SIGINT, SIGTERM});
    runtime& here = runtime::current();
    upstream_service service(here, options.latency);
    const endpoint where = service.open(options.serving.where());
    announce("eddy-pipeline: upstream service on {} ({})\n", where.to_string(), here.backend_name());
    co_await service.run(ending);
    co_return done;
}

}  // namespace

command add_upstream_command(CLI::App& program) {
    auto options = std::make_shared<upstream_command_options>();
    options->serving.workers = 1;
    CLI::App& upstream = *program.add_subcommand("upstream", "The service that the server asks");
    options->serving.add_to(upstream);
    add_us(upstream, "--latency-us", options->latency, "Microseconds from a question to its answer");
    return [options] {
        io::raise_descriptor_limit();
        runtime workers(options->serving.runtime());
        return workers.run(serve_upstream(*options));
    };
}

}  // namespace eddy::apps
