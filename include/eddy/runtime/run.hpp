#pragma once

#include <eddy/core/task.hpp>
#include <eddy/runtime/runtime.hpp>

#include <utility>

namespace eddy {

/// Runs a task in a runtime made for it, and gives its result or throws its exception. One worker, the
/// calling thread, unless the options say otherwise. Tasks that `main` left behind are dropped when it ends.
template <class T>
T run(task<T> main, runtime_options options = {}) {
    if (options.workers() == 0)
        options.workers(1);
    runtime made(options);
    return made.run(std::move(main));
}

}  // namespace eddy
