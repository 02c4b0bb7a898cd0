// eddy-load: makes requests over HTTP, or sends messages to a WebSocket that echoes them, and reports how
// long the responses took.
//
//     eddy-load -c 100 -t 10 http://127.0.0.1:8080/
//     eddy-load --rate 20000 https://localhost:8443/ --json new.json && eddy-load --compare old.json new.json

#include "common/print.hpp"
#include "common/program.hpp"
#include "load/comparison.hpp"
#include "load/load_driver.hpp"
#include "load/load_options.hpp"
#include "load/load_summary.hpp"
#include "load/progress.hpp"

#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {

using namespace eddy;

void write_json(const apps::load_options& options, const apps::load_summary& summary) {
    constexpr int indent = 2;
    const std::string text = to_json(summary).dump(indent) + "\n";
    if (options.json_file == "-") {
        apps::print_text(text);
        return;
    }
    std::ofstream to(options.json_file);
    to << text;
    if (!to.flush())
        throw std::runtime_error(options.json_file + ": cannot be written");
}

task<apps::load_result> drive_all(apps::load_run& run) {
    auto driving = runtime::current().run_on_each(
        [&run](std::size_t worker) { return drive_connections(run, worker); }, "load");
    apps::load_result all;
    for (auto& worker : driving)
        all.add(co_await worker);
    co_return all;
}

task<int> make_load(const apps::load_options& options) {
    runtime& here = runtime::current();
    apps::load_run run(options, co_await apps::load_target::find(options));
    run.start = std::chrono::steady_clock::now();
    auto progress = spawn(apps::show_progress(options, run.counts), "progress");
    apps::load_summary summary;
    summary.result = co_await drive_all(run);
    summary.lasted = std::chrono::steady_clock::now() - run.start;
    progress.cancel();
    summary.url = options.url;
    summary.connections = options.connections;
    summary.workers = here.workers();
    summary.backend = here.backend_name();
    summary.rate = options.rate;
    if (!options.json_file.empty())
        write_json(options, summary);
    if (options.json_file != "-")
        apps::print_text(to_text(summary));
    co_return summary.result.answered == 0 ? apps::failed : apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App program("Makes requests over HTTP or WebSocket and measures the responses", "eddy-load");
    apps::load_options options;
    options.add_to(program);
    return apps::run_program(program, count, arguments, [&] {
        if (options.compares()) {
            apps::print_text(apps::compare_runs(options.compared[0], options.compared[1]));
            return static_cast<int>(apps::done);
        }
        if (options.url.empty())
            throw std::invalid_argument("a URL is wanted, or --compare; --help tells more");
        io::raise_descriptor_limit();
        runtime workers(options.runtime());
        return workers.run(make_load(options));
    });
}
