// eddy-httpd: serves the files of a folder over HTTP.
//
//     eddy-httpd --port 8080 --root site
//     curl -i http://127.0.0.1:8080/

#include "common/program.hpp"
#include "common/serving.hpp"
#include "httpd/options.hpp"
#include "httpd/site_server.hpp"

#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

namespace {

using namespace eddy;

task<int> serve(const apps::httpd_options& options) {
    signal_set ending({SIGINT, SIGTERM});
    static_cast<void>(folder::open(options.root));  // so that a missing one is told before anything starts
    runtime& here = runtime::current();
    apps::site_server site(here, options);
    const endpoint where = co_await site.open();
    auto serving = spawn(site.run(), "site");
    fmt::print("eddy-httpd: serving {} on http://{}/ ({}, {} worker{})\n", options.root, where.to_string(),
               here.backend_name(), here.workers(), here.workers() == 1 ? "" : "s");
    std::fflush(stdout);
    auto ended = spawn(
        [](signal_set& signals, apps::site_server& drained) -> task<> {
            co_await signals.wait();
            co_await drained.drain();
        }(ending, site),
        "signals");
    co_await serving;
    co_return apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App program("Serves the files of a folder over HTTP", "eddy-httpd");
    apps::httpd_options options;
    options.add_to(program);
    return apps::run_program(program, count, arguments, [&] {
        io::raise_descriptor_limit();
        runtime workers(options.serving.runtime());
        return workers.run(serve(options));
    });
}
