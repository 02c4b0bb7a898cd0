#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/task.hpp>
#include <eddy/io/endpoint.hpp>
#include <eddy/net/shared_listeners.hpp>
#include <eddy/os/signals.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>

namespace eddy::apps {

/// The service that the server calls: answers each request (see frame) with its value plus 1, `latency` after
/// it came. Thousands wait at the same time, each in a task of its own; responses leave in the order in which
/// they are due.
class upstream_service {
public:
    upstream_service(runtime& on, duration latency)
        : runtime_(on), latency_(latency), listeners_(on.workers()) {}

    /// Opens the listeners. Returns where they listen. Throws std::system_error.
    endpoint open(endpoint wanted);

    /// Serves until a signal comes. Requires: open().
    [[nodiscard]] task<> run(signal_set& ending);

private:
    [[nodiscard]] task<> serve_on(std::size_t worker);

    runtime& runtime_;
    duration latency_;
    shared_listeners listeners_;
};

}  // namespace eddy::apps
