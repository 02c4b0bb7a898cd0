#pragma once

#include "task.hpp"

#include <stdexcept>
#include <utility>

namespace lab {

/// Runs a task that waits for nothing but other tasks, and returns its result. What it would wait for else could not
/// wake it: there is no loop yet, and std::logic_error is thrown.
template <class T>
T run(task<T> work) {
    work.handle().resume();
    if (!work.done())
        throw std::logic_error("the task waits, and there is nothing that could wake it");
    return work.result();
}

}  // namespace lab
