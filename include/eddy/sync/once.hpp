#pragma once

#include <eddy/core/awaitable.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/ready_or_task.hpp>
#include <eddy/core/task.hpp>
#include <eddy/detail/assert.hpp>
#include <eddy/detail/atomic.hpp>
#include <eddy/detail/spinlock.hpp>
#include <eddy/sync/detail/waiter.hpp>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace eddy {

/// Work that is done once, by the first caller: `co_await flag.call(function, arguments...)`. Callers that
/// come while it is being done wait for it; later ones continue at once.
///
/// - Failure: an exception of the function goes to the caller that ran it, and the next of the waiting
///   callers runs its own function. So it does if the caller that runs it is dropped.
/// - Order: first come, first served. Once it is done all waiters resume, in the order in which they came.
/// - Where a waiter resumes: in its own worker's loop, never the caller that has done it.
/// - Cancellation: a dropped wait leaves the queue; if it had the turn, the next one gets it.
/// - Thread safety: any worker may call everything. What the function did is visible after every call.
/// - Destruction: once no other task will use it again, and none waits; also right after its call, while the
///   one that has done it is still returning.
/// - Cost: one load once it has been done; before that a coroutine, and no other allocation.
class once {
public:
    once() noexcept = default;
    once(const once&) = delete;
    once& operator=(const once&) = delete;
    ~once() { EDDY_CHECK(waiting_.empty(), "no task waits for a once that is destroyed"); }

    /// Awaited: ensures that a function has been called to its end, this one or another. Returns whether it
    /// was this one. The function returns a task, which is awaited, or is done when it returns; its result is
    /// discarded. Function and arguments are moved into the call. Throws what the function throws, and
    /// std::bad_alloc. Requires: the function does not wait for the same flag.
    template <class Function, class... Args>
        requires std::invocable<Function, Args...>
    [[nodiscard]] ready_or_task<bool> call(Function function, Args... arguments) {
        if (is_done()) {
            lock_.settle();
            return false;
        }
        return run(*this, std::move(function), std::move(arguments)...);
    }

    /// Whether it has been done.
    [[nodiscard]] bool is_done() const noexcept { return state_.load(std::memory_order_acquire) == done; }

private:
    class turn_awaiter;
    class turn;

    // What state_ says. It leaves `running` under the lock only.
    static constexpr std::uint32_t untouched = 0;
    static constexpr std::uint32_t running = 1;  // a caller has the turn
    static constexpr std::uint32_t done = 2;

    template <class Function, class... Args>
    static task<bool> run(once& self, Function function, Args... arguments);

    [[nodiscard]] bool try_begin() noexcept {
        std::uint32_t expected = untouched;
        return state_.compare_exchange_strong(expected, running, std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }
    /// Ends the wait at once (it is the caller's turn, or done), or puts the waiter into the queue: false.
    [[nodiscard]] bool begin_or_wait(detail::waiter& waits) noexcept;
    void finish() noexcept;
    /// Passes the turn to the next one.
    void hand_on() noexcept;

    detail::atomic<std::uint32_t> state_{untouched};
    detail::spinlock lock_;
    detail::waiter_list waiting_;
};

/// The turn to do it. Passes it on when it is destroyed before that.
class once::turn {
public:
    explicit turn(once* owner) noexcept : once_(owner) {}
    turn(turn&& other) noexcept : once_(std::exchange(other.once_, nullptr)) {}
    turn& operator=(turn&&) = delete;
    ~turn() {
        if (once_ != nullptr)
            once_->hand_on();
    }

    [[nodiscard]] explicit operator bool() const noexcept { return once_ != nullptr; }
    void finish() noexcept { std::exchange(once_, nullptr)->finish(); }

private:
    once* once_;
};

/// Waits until it is done, or until it is the waiter's turn.
class [[nodiscard]] once::turn_awaiter {
public:
    explicit turn_awaiter(once& awaited) noexcept : once_(awaited) {}
    turn_awaiter(const turn_awaiter&) = delete;
    turn_awaiter& operator=(const turn_awaiter&) = delete;
    ~turn_awaiter() {
        if (waiter_.withdraw(once_.lock_) && !once_.is_done())
            once_.hand_on();
    }

    bool await_ready() const noexcept { return once_.try_begin(); }
    bool await_suspend(detail::suspension point) noexcept {
        waiter_.suspend_in_line(point);
        return !once_.begin_or_wait(waiter_);
    }
    /// While a caller has the turn no other can have done it.
    turn await_resume() noexcept {
        waiter_.finish(once_.lock_);
        return turn(once_.is_done() ? nullptr : &once_);
    }

private:
    once& once_;
    detail::waiter waiter_;
};

template <class Function, class... Args>
task<bool> once::run(once& self, Function function, Args... arguments) {
    turn own = co_await turn_awaiter(self);
    if (!own)
        co_return false;
    if constexpr (awaitable<std::invoke_result_t<Function, Args...>>)
        static_cast<void>(co_await std::invoke(std::move(function), std::move(arguments)...));
    else
        static_cast<void>(std::invoke(std::move(function), std::move(arguments)...));
    own.finish();
    co_return true;
}

}  // namespace eddy
