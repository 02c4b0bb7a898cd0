#pragma once

#include <eddy/core/spawn.hpp>
#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <utility>

namespace eddy::test {

/// Lets the worker turn at least `count` times, so that what is under way may advance.
inline task<> turns(int count) {
    for (int at = 0; at < count; ++at) {
        // A deadline that has passed wakes the task at the end of the turn; yield alone could stay within
        // one.
        co_await sleep_until(time_point::min());
        co_await yield();
    }
}

/// Turns until the predicate holds. For what another thread or the kernel brings about; a time bound of the
/// caller's ends what never does.
template <class Predicate>
task<> turns_until(Predicate holds) {
    while (!holds())
        co_await turns(1);
}

/// How many turns a task takes, so that it can be dropped in any of them.
template <class T>
task<int> turns_until_done(task<T> work) {
    const handle<T> running = spawn(std::move(work));
    int count = 0;
    for (; !running.done(); ++count)
        co_await turns(1);
    co_return count;
}

}  // namespace eddy::test
