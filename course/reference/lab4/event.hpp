#pragma once

#include "inbox.hpp"
#include "support/list.hpp"

#include <coroutine>
#include <mutex>

namespace lab {

/// Something that happens once. Tasks of any worker wait for it; each is resumed on its own. A task that has waited
/// may destroy the event.
class event {
public:
    event() = default;
    event(const event&) = delete;

    void set() noexcept {
        course::list<suspended> woken;
        {
            const std::lock_guard guard(lock_);
            is_set_ = true;
            woken.append(waiting_);
        }
        // From here on the event may be gone.
        while (!woken.empty())
            woken.pop_front().wake();
    }

    [[nodiscard]] bool is_set() const noexcept {
        const std::lock_guard guard(lock_);
        return is_set_;
    }

    class awaiter : public suspended {
    public:
        explicit awaiter(event& awaited) noexcept : event_(awaited) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept {
            suspend(caller);
            const std::lock_guard guard(event_.lock_);
            if (event_.is_set_)
                return false;
            event_.waiting_.push_back(*this);
            return true;
        }
        void await_resume() const noexcept {}

    private:
        event& event_;
    };
    [[nodiscard]] awaiter wait() noexcept { return awaiter(*this); }

private:
    mutable std::mutex lock_;
    bool is_set_ = false;
    course::list<suspended> waiting_;
};

}  // namespace lab
