#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

namespace lab {

using clock = std::chrono::steady_clock;
using time_point = clock::time_point;
using duration = clock::duration;

/// What a loop does when it has nothing to resume. A loop of timers sleeps, a loop of sockets waits for the kernel,
/// and a loop of tests lets a clock of its own jump.
class waiter {
public:
    virtual ~waiter() = default;

    [[nodiscard]] virtual time_point now() = 0;

    /// Waits until `until` has come, or something has happened by which tasks may have become ready. Without
    /// `until` it waits for as long as that takes. With time_point::min() it does not wait: what has happened
    /// already is looked at, and that is all.
    virtual void wait(std::optional<time_point> until) = 0;
};

/// Waits for the time alone.
class sleeping_waiter : public waiter {
public:
    time_point now() override { return clock::now(); }

    void wait(std::optional<time_point> until) override {
        if (!until)
            throw std::logic_error("every task waits, and there is nothing that could wake one");
        if (*until != time_point::min())
            std::this_thread::sleep_until(*until);
    }
};

}  // namespace lab
