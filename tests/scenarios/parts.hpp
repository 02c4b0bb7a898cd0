#pragma once

#include "support/require.hpp"
#include "support/tracked.hpp"

#include <eddy/core/task.hpp>
#include <eddy/core/yield.hpp>
#include <eddy/runtime/sleep.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <utility>

// What scenarios are made of.

namespace eddy::test {

/// What scenarios throw on purpose: neither memory that is out nor what a failed require() throws.
class planned_failure : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return "a planned failure"; }
};

/// Goes on after a planned failure, and throws every other one: memory that is out, say.
inline void rethrow_unplanned(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const planned_failure&) {
        // As planned.
    }
}

/// Keeps the first unplanned error that it is called with: the handler of a task_set, by std::ref.
class error_keeper {
public:
    void operator()(const std::exception_ptr& error) noexcept {
        ++errors_;
        try {
            rethrow_unplanned(error);
        } catch (...) {
            if (!unplanned_)
                unplanned_ = error;
        }
    }
    [[nodiscard]] int errors() const noexcept { return errors_; }
    void rethrow() const {
        if (unplanned_)
            std::rethrow_exception(unplanned_);
    }

private:
    int errors_ = 0;
    std::exception_ptr unplanned_;
};

inline task<> yields(int count) {
    const tracked local;
    for (int at = 0; at < count; ++at)
        co_await yield();
}

inline task<int> gives_after_yields(int value, int count) {
    co_await yields(count);
    co_return value;
}

inline task<int> gives_after_sleep(int value, duration length) {
    const tracked local;
    co_await sleep_for(length);
    co_return value;
}

inline task<> fails_after_yields(int count) {
    co_await yields(count);
    throw planned_failure();
}

inline task<int> fails_instead_of_giving(int count) {
    co_await yields(count);
    throw planned_failure();
}

/// Waits for what does not come while a test runs.
inline task<> waits_for_long() {
    const tracked local;
    co_await sleep_for(std::chrono::hours(1));
}

/// Awaits a task that fails as planned.
template <class T>
task<> expects_failure(task<T> work) {
    bool has_failed = false;
    try {
        static_cast<void>(co_await std::move(work));
    } catch (const planned_failure&) {
        has_failed = true;
    }
    require(has_failed, "nothing failed");
}

}  // namespace eddy::test
