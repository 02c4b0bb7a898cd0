#pragma once

#include <eddy/core/task.hpp>
#include <eddy/runtime/remote_handle.hpp>
#include <eddy/runtime/runtime.hpp>

#include <cstddef>
#include <exception>
#include <utility>

namespace eddy::test {

/// Runs the task that a function makes on every worker, and waits until all have ended. Throws the first error.
template <class Function>
task<> on_each_worker(Function function) {
    const auto called = [function](std::size_t) { return function(); };
    auto running = runtime::current().run_on_each(called);
    std::exception_ptr first;
    for (remote_handle<>& each : running) {
        try {
            co_await each;
        } catch (...) {
            if (first == nullptr)
                first = std::current_exception();
        }
    }
    if (first != nullptr)
        std::rethrow_exception(first);
}

}  // namespace eddy::test
