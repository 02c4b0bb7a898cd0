#pragma once

#include <coroutine>
#include <utility>

namespace eddy::apps {

/// Lets one task wait until others of its worker have something for it. Notifications before the wait count,
/// several of them once.
///
/// Cancellation: a dropped wait leaves a notification for the next.
class wake_up {
public:
    wake_up() = default;
    wake_up(const wake_up&) = delete;
    wake_up& operator=(const wake_up&) = delete;
    ~wake_up() = default;

    void notify() {
        is_notified_ = true;
        if (const auto waiting = std::exchange(waiting_, {}))
            waiting.resume();  // which puts the task behind those that are ready already
    }

    class awaiter {
    public:
        explicit awaiter(wake_up& awaited) noexcept : awaited_(awaited) {}
        awaiter(awaiter&& other) noexcept : awaited_(other.awaited_) {}  // before it waits
        awaiter& operator=(awaiter&&) = delete;
        ~awaiter() {
            if (is_waiting_)
                awaited_.waiting_ = {};
        }

        [[nodiscard]] bool await_ready() const noexcept { return awaited_.is_notified_; }
        void await_suspend(std::coroutine_handle<> point) noexcept {
            awaited_.waiting_ = point;
            is_waiting_ = true;
        }
        void await_resume() noexcept {
            awaited_.is_notified_ = false;
            is_waiting_ = false;
        }

    private:
        wake_up& awaited_;
        bool is_waiting_ = false;
    };

    [[nodiscard]] awaiter operator co_await() noexcept { return awaiter(*this); }

private:
    std::coroutine_handle<> waiting_;
    bool is_notified_ = false;
};

}  // namespace eddy::apps
