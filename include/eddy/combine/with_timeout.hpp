#pragma once

#include <eddy/base/clock.hpp>
#include <eddy/combine/as_task.hpp>
#include <eddy/combine/timed_task.hpp>
#include <eddy/core/as_result.hpp>
#include <eddy/core/resume_loop.hpp>
#include <eddy/runtime/deadline.hpp>
#include <eddy/runtime/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <chrono>
#include <concepts>
#include <coroutine>
#include <expected>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

/// An operation whose wait can be ended from outside.
template <class Operation>
concept interruptible = reports_outcome<Operation> && requires(Operation& operation) {
    { operation.is_pending() } -> std::convertible_to<bool>;
    operation.interrupt();
};

/// What with_deadline() and with_timeout() give for an operation.
template <interruptible Operation>
class [[nodiscard]] operation_with_deadline {
public:
    using result_type = decltype(std::declval<Operation&>().outcome());

    operation_with_deadline(Operation&& operation, time_point deadline) noexcept
        : operation_(std::move(operation)), timer_(*this), deadline_(deadline) {}
    operation_with_deadline(operation_with_deadline&& other) noexcept
        : operation_(std::move(other.operation_)), timer_(*this), deadline_(other.deadline_) {}
    operation_with_deadline& operator=(operation_with_deadline&&) = delete;
    ~operation_with_deadline() = default;

    bool await_ready() { return operation_.await_ready(); }
    void await_suspend(detail::suspension point) {
        worker& here = worker::current();
        waiter_ = &here.loop().suspend(point);
        here.timers().arm(timer_, deadline_);
        operation_.await_suspend(point);
    }
    auto await_resume() {
        auto result = outcome();
        if (!result.has_value())
            throw std::system_error(result.error(), is_late_ ? "deadline" : "operation with a deadline");
        if constexpr (!std::is_void_v<typename result_type::value_type>)
            return std::move(*result);
    }
    result_type outcome() {
        timer_.disarm();
        auto result = operation_.outcome();
        // What was won in the race with the deadline counts.
        if (is_late_ && !result.has_value() && result.error() == std::errc::operation_canceled)
            return std::unexpected(std::make_error_code(std::errc::timed_out));
        return result;
    }

private:
    struct deadline_timer : detail::timer {
        explicit deadline_timer(operation_with_deadline& timed) noexcept : timer(&fired), owner(timed) {}
        static void fired(detail::timer& late) noexcept {
            static_cast<deadline_timer&>(late).owner.interrupt();
        }
        void disarm() noexcept { unlink(); }
        operation_with_deadline& owner;
    };

    void interrupt() noexcept {
        if (!operation_.is_pending())
            return;  // has ended; its task is about to be resumed
        is_late_ = true;
        operation_.interrupt();
        waiter_->loop().make_ready(*waiter_);
    }

    Operation operation_;
    deadline_timer timer_;
    time_point deadline_;
    detail::job* waiter_ = nullptr;
    bool is_late_ = false;
};

/// `co_await with_deadline(awaited, at)` is `co_await awaited`, but at the deadline what is awaited (an
/// operation, a task, anything) is dropped and std::system_error with timed_out is thrown (or given, through
/// as_result()). What it had won by then is its result as ever; what an operation that is taken back leaves
/// behind is said with it. A deadline that has passed takes effect in the worker's next turn at the earliest.
///
/// - Ownership: an rvalue is moved in; an lvalue (a handle, say) is awaited where it is, and only the wait is
///   dropped.
/// - Cancellation: dropping it drops what it awaits.
/// - Cost: no system call unless the deadline comes. Around an operation nothing is allocated; a task runs as
///   a job of its own, one block of the frame cache, and what is neither costs a coroutine more.
template <interruptible Operation>
[[nodiscard]] operation_with_deadline<Operation> with_deadline(Operation operation, time_point at) noexcept {
    return operation_with_deadline<Operation>(std::move(operation), at);
}

template <awaitable Awaitable>
    requires(!interruptible<std::remove_cvref_t<Awaitable>>)
[[nodiscard]] auto with_deadline(Awaitable&& awaited, time_point at) {
    return detail::timed_task<detail::awaited_value_t<Awaitable>>(
        detail::as_task(std::forward<Awaitable>(awaited)), at);
}

/// The same with a deadline `length` after the beginning of the worker's current turn.
template <interruptible Operation, class Rep, class Period>
[[nodiscard]] operation_with_deadline<Operation> with_timeout(
    Operation operation, std::chrono::duration<Rep, Period> length) noexcept {
    return with_deadline(std::move(operation), detail::deadline_after(worker::current().turn_time(), length));
}

template <awaitable Awaitable, class Rep, class Period>
    requires(!interruptible<std::remove_cvref_t<Awaitable>>)
[[nodiscard]] auto with_timeout(Awaitable&& awaited, std::chrono::duration<Rep, Period> length) {
    return with_deadline(std::forward<Awaitable>(awaited),
                         detail::deadline_after(worker::current().turn_time(), length));
}

}  // namespace eddy
