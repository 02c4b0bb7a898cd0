#pragma once

#include "inbox.hpp"
#include "support/list.hpp"

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

    [[nodiscard]] bool try_lock() noexcept {
        const std::lock_guard guard(lock_);
        return !std::exchange(is_locked_, true);
    }

    void unlock() noexcept {
        suspended* next = nullptr;
        {
            const std::lock_guard guard(lock_);
            if (waiting_.empty())
                is_locked_ = false;
            else
                next = &waiting_.pop_front();  // which owns the lock from now on
        }
        if (next != nullptr)
            next->wake();
    }

    class awaiter : public suspended {
    public:
        explicit awaiter(mutex& awaited) noexcept : mutex_(awaited) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept {
            suspend(caller);
            const std::lock_guard guard(mutex_.lock_);
            if (!std::exchange(mutex_.is_locked_, true))
                return false;
            mutex_.waiting_.push_back(*this);
            return true;
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
