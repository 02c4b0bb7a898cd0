// eddy-echo: sends back what it receives, byte for byte.
//
//     eddy-echo --port 7000
//     printf 'hello' | nc -N 127.0.0.1 7000

#include "common/for_each_client.hpp"
#include "common/print.hpp"
#include "common/program.hpp"
#include "common/serving.hpp"

#include <eddy/combine/task_set.hpp>
#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/os/signals.hpp>

#include <csignal>
#include <cstddef>
#include <exception>
#include <utility>

namespace {

eddy::task<> echo(eddy::tcp_stream client) {
    try {
        for (;;) {
            const auto received = co_await client.read_leased();
            if (received.empty())
                co_return;
            co_await client.write_all(received.bytes());
        }
    } catch (const std::exception&) {
        // The client has gone, or memory is exhausted: only this session ends.
    }
}

eddy::task<> accept_all(eddy::tcp_listener listener) {
    eddy::task_set sessions;
    const auto serve = [&sessions](eddy::tcp_stream client) {
        sessions.spawn(echo(std::move(client)), "echo session");
    };
    co_await eddy::apps::for_each_client(listener, serve);
}

eddy::task<> serve_on(eddy::shared_listeners& opened, std::size_t worker) {
    co_await accept_all(opened.take(worker));
}

eddy::task<int> serve(const eddy::apps::serving_options& wanted) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    auto& runtime = eddy::runtime::current();
    eddy::shared_listeners opened(runtime.workers());
    wanted.open(opened);
    auto running = runtime.run_on_each([&opened](std::size_t worker) { return serve_on(opened, worker); });
    eddy::apps::announce("eddy-echo: {} ({}, {} workers)\n", opened.where().to_string(),
                         runtime.backend_name(), runtime.workers());
    co_await ending.wait();
    // Until they are gone they may look for their listeners here.
    for (auto& worker : running)
        co_await worker.cancel();
    co_return eddy::apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App options("Sends back what it receives", "eddy-echo");
    eddy::apps::serving_options serving;
    serving.add_to(options);
    return eddy::apps::run_program(options, count, arguments, [&] {
        eddy::io::raise_descriptor_limit();
        eddy::runtime runtime(serving.runtime());
        return runtime.run(serve(serving));
    });
}
