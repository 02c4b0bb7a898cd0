#pragma once

#include "inbox.hpp"
#include "mutex.hpp"
#include "support/list.hpp"
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

    void notify_one() noexcept {
        suspended* woken = nullptr;
        {
            const std::lock_guard guard(lock_);
            if (!waiting_.empty())
                woken = &waiting_.pop_front();
        }
        if (woken != nullptr)
            woken->wake();
    }

    void notify_all() noexcept {
        course::list<suspended> woken;
        {
            const std::lock_guard guard(lock_);
            woken.append(waiting_);
        }
        while (!woken.empty())
            woken.pop_front().wake();
    }

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
            suspend(caller);
            mutex& held = held_;
            {
                const std::lock_guard guard(condition_.lock_);
                condition_.waiting_.push_back(*this);
            }
            held.unlock();  // after which a notification may come, and this may be gone
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
