#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/io/endpoint.hpp>

#include <chrono>
#include <cstddef>

namespace eddy::apps {

/// Where the upstream service is and how long to wait for it.
struct upstream_options {
    endpoint where;
    /// From the question to its response; for a connection to come about as well. max(): no limit.
    duration timeout = std::chrono::seconds(1);
    /// Questions that wait for their responses on one connection. Beyond: resource_unavailable_try_again.
    std::size_t calls_max = 10'000;
};

}  // namespace eddy::apps
