// eddy-pipeline: a server whose requests are parsed by I/O threads and processed by a small pool, where each
// processing calls another service. How it waits for that decides what the server can do (docs/pipeline.md).
//
//     eddy-pipeline upstream --port 7001 --latency-us 1000 &
//     eddy-pipeline serve --port 7000 --upstream-port 7001 --mode coroutine &
//     curl 'http://127.0.0.1:7000/compute?n=7'
//     eddy-pipeline load --port 7000

#include "common/program.hpp"
#include "pipeline/commands.hpp"

#include <CLI/CLI.hpp>

int main(int count, char** arguments) {
    using namespace eddy::apps;
    CLI::App program("Shows what waiting in a pool of threads costs", "eddy-pipeline");
    program.require_subcommand(1);
    const command upstream = add_upstream_command(program);
    const command serve = add_serve_command(program);
    const command load = add_load_command(program);
    return run_program(program, count, arguments, [&] {
        if (program.got_subcommand("upstream"))
            return upstream();
        if (program.got_subcommand("serve"))
            return serve();
        return load();
    });
}
