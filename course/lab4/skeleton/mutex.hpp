#pragma once

#include "inbox.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"

#include <coroutine>
#include <mutex>
#include <utility>

namespace lab {

class mutex;

/// Holds a mutex, and unlocks it when it goes.
class [[nodiscard]] mutex_guard {
public:
    explicit mutex_guard(mutex& held) noexcept : held_(&held) {}
    mutex_guard(mutex_guard&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    mutex_guard& operator=(mutex_guard&&) = delete;
    ~mutex_guard();

    [[nodiscard]] mutex& owner() const noexcept { return *held_; }

private:
    mutex* held_;
};

/// A lock for tasks: one that waits suspends, and its thread goes on. It may be held across a co_await. Waiting tasks get
/// it in the order in which they came.
class mutex {
public:
    mutex() = default;
    mutex(const mutex&) = delete;

    [[nodiscard]] bool try_lock() noexcept { course::todo("step 5: mutex::try_lock"); }

    void unlock() noexcept { course::todo("step 5: mutex::unlock"); }

    class awaiter : public suspended {
    public:
        explicit awaiter(mutex& awaited) noexcept : mutex_(awaited) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept {
            static_cast<void>(caller);
            course::todo("step 5: mutex::awaiter::await_suspend");
        }
        mutex_guard await_resume() const noexcept { return mutex_guard(mutex_); }

    private:
        mutex& mutex_;
    };
    [[nodiscard]] awaiter lock() noexcept { return awaiter(*this); }

private:
    std::mutex lock_;
    bool is_locked_ = false;
    course::list<suspended> waiting_;
};

inline mutex_guard::~mutex_guard() {
    if (held_ != nullptr)
        held_->unlock();
}

}  // namespace lab
