#pragma once

#include "inbox.hpp"
#include "support/list.hpp"
#include "support/todo.hpp"

#include <coroutine>
#include <mutex>

namespace lab {

/// Something that happens once. Tasks of any worker wait for it; each is resumed on its own. A task that has waited
/// may destroy the event.
class event {
public:
    event() = default;
    event(const event&) = delete;

    void set() noexcept { course::todo("step 3: event::set"); }

    [[nodiscard]] bool is_set() const noexcept {
        const std::lock_guard guard(lock_);
        return is_set_;
    }

    class awaiter : public suspended {
    public:
        explicit awaiter(event& awaited) noexcept : event_(awaited) {}

        bool await_ready() const noexcept { return false; }
        bool await_suspend(std::coroutine_handle<> caller) noexcept {
            static_cast<void>(caller);
            course::todo("step 3: event::awaiter::await_suspend");
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
