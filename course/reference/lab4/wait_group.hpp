#pragma once

#include "inbox.hpp"
#include "support/list.hpp"

#include <coroutine>
#include <cstddef>
#include <mutex>

namespace lab {

/// Counts what is under way: add() before it starts, done() when it ends. Waiting is over when the count is zero; it may
/// rise again later.
class wait_group {
public:
    wait_group() = default;
    wait_group(const wait_group&) = delete;

    void add(std::size_t count = 1) noexcept {
        const std::lock_guard guard(lock_);
        count_ += count;
    }

    void done() noexcept {
        course::list<suspended> woken;
        {
            const std::lock_guard guard(lock_);
            if (--count_ == 0)
                woken.append(waiting_);
        }
        while (!woken.empty())
            woken.pop_front().wake();
    }

    class awaiter : public suspended {
    public:
        explicit awaiter(wait_group& awaited) noexcept : group_(awaited) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept {
            suspend(caller);
            const std::lock_guard guard(group_.lock_);
            if (group_.count_ == 0)
                return false;
            group_.waiting_.push_back(*this);
            return true;
        }
        void await_resume() const noexcept {}

    private:
        wait_group& group_;
    };
    [[nodiscard]] awaiter wait() noexcept { return awaiter(*this); }

private:
    std::mutex lock_;
    std::size_t count_ = 0;
    course::list<suspended> waiting_;
};

}  // namespace lab
