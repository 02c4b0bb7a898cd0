#pragma once

#include "loop.hpp"
#include "support/todo.hpp"
#include "timer.hpp"
#include "waiter.hpp"

#include <coroutine>

namespace lab {

/// `co_await sleep_until(at)`: resumes at that time, not before. Destroying the frame takes the timer back.
class sleep_until {
public:
    explicit sleep_until(time_point at) noexcept { timer_.at = at; }
    sleep_until(const sleep_until&) = delete;
    ~sleep_until() {
        // Step 5: take the timer back.
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) { course::todo("step 5: sleep_until::await_suspend"); }
    void await_resume() const noexcept {}

private:
    timer timer_;
    loop* loop_ = nullptr;
};

/// `co_await sleep(for_how_long)`. What is longer than the clock can tell is as long as it can.
inline sleep_until sleep(duration) {
    course::todo("step 5: sleep");
}

}  // namespace lab
