// eddy-broadcast: sends each line of a client to all other clients, over TCP and WebSocket.
//
//     eddy-broadcast --port 7000 --websocket-port 7001
//     nc 127.0.0.1 7000                       # in two terminals
//
// Several nodes are joined by `--redis redis://HOST:PORT`. See docs/broadcast.md.

#include "broadcast/broadcast_server.hpp"
#include "broadcast/options.hpp"
#include "common/print.hpp"
#include "common/program.hpp"

#include <eddy/combine/race.hpp>
#include <eddy/core/spawn.hpp>
#include <eddy/io/host.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <csignal>

namespace {

eddy::task<int> serve(const eddy::apps::broadcast_options& options) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    auto& runtime = eddy::runtime::current();
    eddy::apps::broadcast_server server(runtime, options);
    server.open();
    auto running = eddy::spawn(server.run(), "server");
    eddy::apps::announce("eddy-broadcast: {} ({}, {} workers)\n", server.where(), runtime.backend_name(),
                         runtime.workers());
    co_await eddy::race(ending.wait(), running);
    server.drain();
    if (running)
        co_await running;
    const auto& done = server.figures();
    eddy::apps::announce(
        "eddy-broadcast: {} lines said here, {} heard from other nodes, {} deliveries, {} dropped, "
        "{} receivers shown out, {} connections refused\n",
        done.said.load(), done.heard.load(), done.delivered.load(), done.dropped.load(),
        done.shown_out.load(), done.refused.load());
    co_return eddy::apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App options("Sends each line of a client to all other clients", "eddy-broadcast");
    eddy::apps::broadcast_options chosen;
    chosen.add_to(options);
    return eddy::apps::run_program(options, count, arguments, [&] {
        chosen.check();
        eddy::io::raise_descriptor_limit();
        eddy::runtime runtime(chosen.serving.runtime());
        return runtime.run(serve(chosen));
    });
}
