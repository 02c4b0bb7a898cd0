// eddy-memcached: keeps values in memory for programs that speak memcached's text protocol. All options:
// docs/memcached.md.
//
//     eddy-memcached --port 11211 --memory 64
//     printf 'set greeting 0 0 5\r\nhello\r\nget greeting\r\nquit\r\n' | nc 127.0.0.1 11211

#include "common/print.hpp"
#include "common/program.hpp"
#include "memcached/background.hpp"
#include "memcached/options.hpp"
#include "memcached/server.hpp"

#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>
#include <eddy/os/signals.hpp>

#include <csignal>

namespace {

eddy::task<int> serve(const eddy::apps::memcached::options& requested) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    auto& runtime = eddy::runtime::current();
    eddy::apps::memcached::server server(runtime, requested);
    co_await server.open();
    const eddy::apps::memcached::process_file number(requested.process_file_path);
    eddy::apps::announce("eddy-memcached: serving {} ({}, {} worker{}, {} MiB)\n", server.where(),
                         runtime.backend_name(), runtime.workers(), runtime.workers() == 1 ? "" : "s",
                         requested.memory_mb);
    co_await ending.wait();
    co_await server.close();
    co_return eddy::apps::done;
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App program("Keeps values in memory, over memcached's text protocol", "eddy-memcached");
    eddy::apps::memcached::options options;
    options.add_to(program);
    return eddy::apps::run_program(program, count, arguments, [&] {
        static_cast<void>(options.where());
        const eddy::runtime_options how = options.runtime();
        eddy::io::raise_descriptor_limit();
        if (options.in_background)
            eddy::apps::memcached::enter_background(options.verbosity != 0);
        eddy::apps::memcached::become_user(options.user);
        eddy::runtime runtime(how);
        return runtime.run(serve(options));
    });
}
