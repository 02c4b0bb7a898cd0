#include "pipeline/pipeline_server.hpp"

#include "pipeline/compute_handler.hpp"

#include <eddy/runtime/executor.hpp>
#include <eddy/runtime/remote_handle.hpp>

namespace eddy::apps {

pipeline_server::pipeline_server(runtime& on, const processing_options& processing,
                                 const http::server_options& serving, duration drain_limit)
    : runtime_(on),
      serving_(serving),
      drain_limit_(drain_limit),
      listeners_(on.workers() - processing.pool_workers),
      pool_(on, processing),
      servers_(on.workers() - processing.pool_workers, nullptr) {}

task<endpoint> pipeline_server::open(endpoint wanted) {
    listeners_.open(wanted);
    co_await pool_.open();
    co_return listeners_.where();
}

task<> pipeline_server::run() {
    std::vector<remote_handle<>> running;
    running.reserve(servers_.size());
    for (std::size_t worker = 0; worker < servers_.size(); ++worker)
        running.push_back(runtime_.spawn_on(worker, serve_on(worker), "serving"));
    for (auto& worker : running)
        co_await worker;
    co_await pool_.close();
}

task<> pipeline_server::serve_on(std::size_t worker) {
    compute_handler handler(pool_);
    http::server server(listeners_.take(worker), handler, serving_);
    servers_[worker] = &server;
    co_await server.run();
    co_await server.join(drain_limit_);
    servers_[worker] = nullptr;
}

task<> pipeline_server::drain() {
    for (std::size_t worker = 0; worker < servers_.size(); ++worker)
        co_await on(worker, &pipeline_server::drain_here, this, worker);
}

void pipeline_server::drain_here(std::size_t worker) {
    if (servers_[worker] != nullptr)
        servers_[worker]->drain();
}

}  // namespace eddy::apps
