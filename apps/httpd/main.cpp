// eddy-httpd: serves the files of a directory over HTTP and HTTPS. All options: docs/httpd.md.
//
//     eddy-httpd --port 8080 --root site
//     curl -i http://127.0.0.1:8080/

#include "common/heap.hpp"
#include "common/log.hpp"
#include "common/print.hpp"
#include "common/program.hpp"
#include "common/serving.hpp"
#include "httpd/options.hpp"
#include "httpd/site_server.hpp"

#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>

#include <csignal>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

namespace {

using namespace eddy;

/// Reads the command line and the configuration file again.
using option_reader = std::function<apps::httpd_options()>;

void prepare(CLI::App& program, apps::httpd_options& options) {
    program.name("eddy-httpd");
    options.add_to(program);
}

apps::httpd_options read_options(int count, char** arguments) {
    CLI::App program;
    apps::httpd_options options;
    prepare(program, options);
    program.parse(count, arguments);
    options.check();
    return options;
}

// On SIGHUP everything is read again; on the other signals it ends.
task<> heed(signal_set& signals, apps::site_server& site, const option_reader& read) {
    for (;;) {
        const int number = co_await signals.wait();
        if (number != SIGHUP)
            break;
        std::string failure;
        try {
            co_await site.reload(read());
        } catch (const std::exception& error) {
            failure = error.what();
        }
        if (failure.empty())
            apps::log_line("reloaded");
        else
            apps::log("not reloaded: {}", failure);
    }
    co_await site.drain();
}

task<int> serve(const apps::httpd_options& options, const option_reader& read) {
    signal_set signals({SIGINT, SIGTERM, SIGHUP});
    static_cast<void>(directory::open(options.root));  // reports a missing one before anything starts
    runtime& here = runtime::current();
    apps::site_server site(here, options);
    const endpoint where = site.open();
    auto serving = spawn(site.run(), "site");
    apps::announce("eddy-httpd: serving {} on {}://{}/ ({}, {} worker{})\n", options.root, options.scheme(),
                   where.to_string(), here.backend_name(), here.workers(), here.workers() == 1 ? "" : "s");
    auto heeding = spawn(heed(signals, site, read), "signals");
    auto trimming = spawn(apps::trim_heap(), "heap");
    co_await serving;
    co_return apps::done;
}

// What would stand in the way of serving, but for the ports.
task<int> check(const apps::httpd_options& options) {
    std::string failure;
    try {
        static_cast<void>(directory::open(options.root));
        if (auto certificates = options.tls())
            static_cast<void>(tls_context(std::move(*certificates)));
        static_cast<void>(apps::access_log(options.log_format, options.log_path));
    } catch (const std::exception& error) {
        failure = error.what();
    }
    if (!failure.empty())
        throw std::invalid_argument(failure);
    apps::print_text("eddy-httpd: everything is right\n");
    co_return apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App program("Serves the files of a directory over HTTP and HTTPS");
    apps::httpd_options options;
    prepare(program, options);
    return apps::run_program(program, count, arguments, [&] {
        options.check();
        io::raise_descriptor_limit();
        runtime workers(options.serving.runtime());
        if (options.only_checks)
            return workers.run(check(options));
        const option_reader read = [&] { return read_options(count, arguments); };
        return workers.run(serve(options, read));
    });
}
