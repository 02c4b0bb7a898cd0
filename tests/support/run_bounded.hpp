#pragma once

#include "support/time_bound.hpp"

#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>

#include <utility>

namespace eddy::test {

/// eddy::run() with a bound on its time.
template <class T>
T run_bounded(task<T> main, const runtime_options& options = {}) {
    const time_bound bound;
    return run(std::move(main), options);
}

}  // namespace eddy::test
