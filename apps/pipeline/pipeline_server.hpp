#pragma once

#include "pipeline/pool.hpp"

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/http/server/server.hpp>
#include <eddy/http/server/server_options.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>
#include <vector>

namespace eddy::apps {

/// Parses requests on the first workers of a runtime, processes them in a pool of the others, and ends in
/// good order.
class pipeline_server {
public:
    /// Refers to the options, which outlive it. Requires: the runtime has more workers than the pool.
    pipeline_server(runtime& on, const processing_options& processing, const http::server_options& serving,
                    duration drain_limit);

    /// Opens the listeners and the pool. Returns where it listens. Throws std::system_error.
    [[nodiscard]] task<endpoint> open(endpoint wanted);

    /// Serves until drain() has been called and the connections have ended or the drain limit has passed.
    /// Requires: open().
    [[nodiscard]] task<> run();

    /// Begins the end, on every worker.
    [[nodiscard]] task<> drain();

private:
    [[nodiscard]] task<> serve_on(std::size_t worker);
    void drain_here(std::size_t worker);  // called on that worker

    runtime& runtime_;
    const http::server_options& serving_;
    duration drain_limit_;
    shared_listeners listeners_;
    pool pool_;
    // Each is set, used and cleared by its own worker only.
    std::vector<http::server*> servers_;
};

}  // namespace eddy::apps
