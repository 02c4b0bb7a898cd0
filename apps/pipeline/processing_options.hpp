#pragma once

#include "pipeline/upstream_options.hpp"

#include <eddy/base/clock.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace eddy::apps {

/// How the processing of a request waits for the upstream service.
enum class processing_mode : std::uint8_t {
    none,      ///< it does not ask
    blocking,  ///< the thread of the pool waits, and does nothing else
    callback,  ///< a function goes on when the answer has come
    coroutine  ///< a task awaits the answer
};

struct processing_options {
    processing_mode mode = processing_mode::coroutine;
    std::size_t pool_workers = 2;
    /// Computation of each request.
    duration work = std::chrono::microseconds(5);
    upstream_options upstream;
};

}  // namespace eddy::apps
