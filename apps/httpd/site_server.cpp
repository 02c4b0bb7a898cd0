#include "httpd/site_server.hpp"

#include "httpd/access_log.hpp"

#include <eddy/core/spawn.hpp>
#include <eddy/fs/folder.hpp>
#include <eddy/http/static_files.hpp>

#include <utility>

namespace eddy::apps {

site_server::site_server(runtime& on, const httpd_options& options)
    : runtime_(on), options_(options), listeners_(on), servers_(on.workers(), nullptr) {}

task<endpoint> site_server::open() {
    co_await listeners_.open(options_.serving.where());
    co_return listeners_.where();
}

task<> site_server::run() {
    auto running = runtime_.run_on_each([this](std::size_t worker) { return serve_on(worker); });
    for (auto& worker : running)
        co_await worker;
}

task<> site_server::serve_on(std::size_t worker) {
    http::static_files files(folder::open(options_.root), options_.cache());
    http::server server(listeners_.take(worker), files, options_.server());
    access_log log;
    handle<> flushing;
    if (options_.logs_accesses) {
        server.observe([&log](const http::exchange& answered) { log.note(answered); });
        flushing = spawn(log.keep_flushing(), "access log");
    }
    servers_[worker] = &server;
    co_await server.run();
    co_await server.join(options_.drain_limit());
    servers_[worker] = nullptr;
}

task<> site_server::drain() {
    for (std::size_t worker = 0; worker < servers_.size(); ++worker) {
        auto told = runtime_.spawn_on(worker, drain_on(worker));
        co_await told;
    }
}

task<> site_server::drain_on(std::size_t worker) {
    if (servers_[worker] != nullptr)
        servers_[worker]->drain();
    co_return;
}

}  // namespace eddy::apps
