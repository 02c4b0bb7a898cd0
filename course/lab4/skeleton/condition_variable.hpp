#pragma once

#include "inbox.hpp"
#include "mutex.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"
#include "task.hpp"

#include <coroutine>
#include <mutex>
#include <utility>

namespace lab {

/// Lets tasks wait until what a mutex guards has changed.
class condition_variable {
public:
    condition_variable() = default;
    condition_variable(const condition_variable&) = delete;

    void notify_one() noexcept { course::todo("step 6: condition_variable::notify_one"); }

    void notify_all() noexcept { course::todo("step 6: condition_variable::notify_all"); }

    /// Unlocks the mutex, waits until notified, and locks it again.
    task<> wait(mutex_guard& held) {
        mutex& owner = held.owner();
        co_await notified(*this, owner);
        static_cast<void>(co_await locked_again(owner));
    }

    /// The same until `is_true()`, which is called with the lock held.
    template <class Predicate>
    task<> wait(mutex_guard& held, Predicate is_true) {
        while (!is_true())
            co_await wait(held);
    }

private:
    class notified : public suspended {
    public:
        notified(condition_variable& awaited, mutex& held) noexcept : condition_(awaited), held_(held) {}

        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> caller) noexcept {
            // In which order? When may a notification come, and what is gone then?
            static_cast<void>(caller);
            course::todo("step 6: condition_variable::notified::await_suspend");
        }
        void await_resume() const noexcept {}

    private:
        condition_variable& condition_;
        mutex& held_;
    };

    /// Locks without a guard: that of the caller has it still.
    class locked_again : public mutex::awaiter {
    public:
        using awaiter::awaiter;
        bool await_resume() const noexcept { return true; }
    };

    std::mutex lock_;
    course::list<suspended> waiting_;
};

}  // namespace lab
