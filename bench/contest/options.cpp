#include "contest/options.hpp"

#include "driver/errors.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdlib>
#include <sched.h>
#include <unistd.h>
#include <vector>

namespace bench {
namespace {

// The first of those that the process may use (taskset(1)); the first of all if the kernel does not say.
std::vector<int> allowed_cores(std::size_t count) {
    std::vector<int> cores;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return {0};
    for (int core = 0; core < CPU_SETSIZE && cores.size() < count; ++core) {
        if (CPU_ISSET(core, &set))
            cores.push_back(core);
    }
    return cores;
}

}  // namespace

contest_options parse_contest_options(const suite& measured, int argc, char** argv) {
    contest_options options;
    const int last_core = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)) - 1;
    options.cores = allowed_cores(2);
    CLI::App app(measured.about, measured.program);
    app.option_defaults()->always_capture_default();
    app.add_flag("--list", options.list, "show what there is, measure nothing");
    app.add_option("--contest", options.contests, "only contests whose names contain one of these")
        ->delimiter(',');
    app.add_option("--contender", options.contenders,
                   "only contenders whose names contain one of these, and what they are measured against")
        ->delimiter(',');
    app.add_flag("--exact", options.exact, "these are whole names");
    app.add_option("--seconds", options.seconds, "the measured window")->check(CLI::Range(0.001, 3600.0));
    app.add_option("--warmup", options.warmup_seconds, "seconds before it")->check(CLI::Range(0.0, 60.0));
    app.add_option("--repeat", options.repeat, "rounds: each contender is measured once a round")
        ->check(CLI::Range(1, 1000));
    app.add_option("--cores", options.cores, "where it runs; what has one thread runs on the first")
        ->delimiter(',')
        ->check(CLI::Range(0, last_core));
    app.add_option("--json", options.json_file, "write everything to this file as well, also what there is");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0)
            std::exit(app.exit(error));
        throw usage_error(error.what());
    }
    return options;
}

}  // namespace bench
