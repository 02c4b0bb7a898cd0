// A list of things to do, for several people at once: a page, an API, a database, and a feed of changes by
// which every open page follows the others. All of it: docs/todo.md.
//
//     build/release/examples/todo/todo --port 8080       # items go to todo.db, a file of SQLite
//     curl localhost:8080/todos -H 'Content-Type: application/json' -d '{"title": "milk"}'
//
// Open http://127.0.0.1:8080/ in two windows. Ctrl-C drains it.

#include "log.hpp"
#include "open_store.hpp"
#include "options.hpp"
#include "own_servers.hpp"
#include "service.hpp"

#include <eddy/eddy.hpp>
#include <eddy/io/host.hpp>
#include <eddy/io/standard_error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

/// Serves until a signal comes.
eddy::task<> serve(const todo::options& wanted, eddy::signal_set& ending) {
    const auto redis = wanted.redis_server();
    const auto tls = wanted.tls();
    todo::opened_store opened = co_await todo::open_store(wanted.database);
    const std::string kind = opened.kind;
    todo::service service(std::move(opened), redis, wanted.logs_requests);
    service.open(wanted.where(), tls);
    fmt::print("todo: {}://{}/ ({}, {})\n", tls ? "https" : "http", service.where().to_string(), kind,
               eddy::runtime::current().backend_name());
    std::fflush(stdout);
    eddy::handle<> running = eddy::spawn(service.run(wanted.drain_limit()), "service");
    co_await ending.wait();
    service.drain();
    co_await running;
}

/// The same with servers of its own, which end last, however the rest ends.
eddy::task<> serve_with_own_servers(todo::options wanted, eddy::signal_set& ending) {
    const auto own = co_await todo::own_servers::start(wanted.directory, wanted.postgres_programs);
    wanted.database = own->database();
    wanted.redis = own->redis();
    std::exception_ptr failure;
    try {
        co_await serve(wanted, ending);
    } catch (...) {
        failure = std::current_exception();
    }
    co_await own->stop();
    if (failure)
        std::rethrow_exception(failure);
}

eddy::task<> run(const todo::options& wanted) {
    eddy::signal_set ending({SIGINT, SIGTERM});
    if (wanted.starts_servers)
        co_await serve_with_own_servers(wanted, ending);
    else
        co_await serve(wanted, ending);
}

}  // namespace

int main(int count, char** arguments) {
    eddy::io::open_standard_descriptors();
    std::signal(SIGPIPE, SIG_IGN);  // output that nothing reads is lost, and the service goes on
    CLI::App program("A list of things to do, for several people at once", "todo");
    todo::options wanted;
    wanted.add_to(program);
    program.set_version_flag("--version", "todo " TODO_VERSION);
    try {
        program.parse(count, arguments);
        eddy::io::raise_descriptor_limit();
        eddy::runtime runtime(wanted.runtime());
        runtime.run(run(wanted));
        return 0;
    } catch (const CLI::Success& asked_for_text) {
        const int status = program.exit(asked_for_text);
        if (std::cout.flush())
            return status;
        todo::log_line("standard output cannot be written");
        return 1;
    } catch (const CLI::ParseError& error) {
        todo::log_line(error.what());
        return 2;
    } catch (const std::invalid_argument& error) {
        todo::log_line(error.what());
        return 2;
    } catch (const std::exception& error) {
        todo::log_line(error.what());
        return 1;
    }
}
