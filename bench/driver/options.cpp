#include "driver/options.hpp"

#include "driver/errors.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace bench {
namespace {

void add_selection(CLI::App& app, driver_options& options) {
    app.add_flag("--list", options.list, "show scenarios and peers, measure nothing");
    app.add_option("--scenario", options.scenarios, "which scenarios to run")->delimiter(',');
    app.add_option("--peer", options.peers, "which peers, in which order; ratios are to the first")
        ->delimiter(',');
    app.add_option("--payload", options.only.sizes,
                   "only these payloads, in bytes (1k and 16k are understood)")
        ->delimiter(',')
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--connections", options.only.connections, "only these numbers of connections")
        ->delimiter(',');
    app.add_option("--threads", options.only.threads, "only servers with these numbers of threads")
        ->delimiter(',');
}

void add_settings(CLI::App& app, driver_options& options) {
    measurement_settings& settings = options.settings;
    const int last_core = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)) - 1;
    app.add_option("--seconds", settings.seconds, "the measured window")->check(CLI::Range(0.1, 3600.0));
    app.add_option("--warmup", settings.warmup_seconds, "seconds before it")->check(CLI::Range(0.0, 60.0));
    app.add_option("--repeat", options.repeat, "rounds: each peer is measured once a round")
        ->check(CLI::Range(1, 1000));
    app.add_option("--server-core", settings.server_core, "where servers run")
        ->check(CLI::Range(0, last_core));
    app.add_option("--load-core", settings.load_core, "where the load runs")->check(CLI::Range(0, last_core));
    app.add_option("--server-cores", settings.server_cores,
                   "where servers with several threads run, and their load; by default on the two above")
        ->delimiter(',')
        ->check(CLI::Range(0, last_core));
    app.add_option("--port", settings.port, "where servers listen; 0 takes any free port");
    app.add_option("--requests", settings.requests_each,
                   "each connection makes that many, and no time is measured")
        ->check(CLI::PositiveNumber);
    app.add_option("--server-prefix", settings.server_prefix,
                   "a word to put before the server's command; may be given again");
    app.add_option("--json", options.json_file, "write everything to this file as well, also what there is");
}

}  // namespace

driver_options parse_driver_options(int argc, char** argv) {
    driver_options options;
    CLI::App app("Measures servers against each other, in turn, on this machine.", "eddy-bench");
    app.option_defaults()->always_capture_default();
    add_selection(app, options);
    add_settings(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            std::exit(app.exit(error));
        throw usage_error(error.what());
    }
    if (!options.list && options.scenarios.empty())
        throw usage_error("--scenario is needed (or --list)");
    if (options.settings.server_cores.empty())
        options.settings.server_cores = {options.settings.server_core, options.settings.load_core};
    options.settings.programs = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    return options;
}

}  // namespace bench
