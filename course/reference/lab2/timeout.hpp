#pragma once

#include "outcome.hpp"
#include "sleep.hpp"
#include "task.hpp"
#include "waiter.hpp"
#include "when_all.hpp"

#include <coroutine>
#include <system_error>
#include <utility>

namespace lab {

/// Starts two branches and waits until the first of them has ended. The other is as far as it has come.
class first_ended {
public:
    first_ended(branch& left, branch& right) noexcept : left_(left), right_(right) {}

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> caller) {
        counter_.waiting = caller;
        left_.start(counter_);
        if (counter_.left() == 1)  // it has ended, and the other is not needed
            return false;
        right_.start(counter_);
        return !counter_.arrive();
    }
    void await_resume() const noexcept {}

private:
    branch& left_;
    branch& right_;
    countdown counter_{2};
};

inline task<> sleeping_task(duration length) {
    co_await sleep(length);
}

/// Runs a task for at most that long and returns its result. If it takes longer it is dropped: destroyed where it
/// waits; and std::system_error with std::errc::timed_out is thrown.
template <class T>
task<T> with_timeout(duration limit, task<T> work) {
    outcome<T> result;
    outcome<void> expiry;
    {
        branch working = run_branch(std::move(work), result);
        branch sleeping = run_branch(sleeping_task(limit), expiry);
        co_await first_ended(working, sleeping);
    }
    if (!result.is_set())
        throw std::system_error(std::make_error_code(std::errc::timed_out));
    co_return result.take();
}

}  // namespace lab
