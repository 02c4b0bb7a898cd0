#pragma once

#include "common/listeners.hpp"
#include "httpd/options.hpp"

#include <eddy/core/task.hpp>
#include <eddy/http/server.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>
#include <vector>

namespace eddy::apps {

/// Serves one folder on every worker of a runtime, and ends in good order.
class site_server {
public:
    site_server(runtime& on, const httpd_options& options);

    /// Opens the listeners; gives where they listen. Throws std::system_error.
    [[nodiscard]] task<endpoint> open();

    /// Serves until `drain` has been called and the connections have ended or the drain limit has passed.
    /// Throws what stopped a worker from serving. Requires: open().
    [[nodiscard]] task<> run();

    /// Begins the end, on every worker.
    [[nodiscard]] task<> drain();

private:
    [[nodiscard]] task<> serve_on(std::size_t worker);
    [[nodiscard]] task<> drain_on(std::size_t worker);

    runtime& runtime_;
    const httpd_options& options_;
    listeners listeners_;
    // Each is set, used and cleared by its own worker only.
    std::vector<http::server*> servers_;
};

}  // namespace eddy::apps
