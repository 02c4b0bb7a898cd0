#pragma once

#include "pipeline/upstream_options.hpp"

#include <eddy/core/clock.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace eddy::apps {

/// How the processing of a request waits for the upstream service.
enum class processing_mode : std::uint8_t {
    none,      ///< no upstream call
    blocking,  ///< the thread of the pool waits, and does nothing else
    callback,  ///< a function continues when the response has come
    coroutine  ///< a task awaits the response
};

struct processing_options {
    processing_mode mode = processing_mode::coroutine;
    std::size_t pool_workers = 2;
    /// Computation of each request.
    duration work = std::chrono::microseconds(5);
    upstream_options upstream;
};

}  // namespace eddy::apps
