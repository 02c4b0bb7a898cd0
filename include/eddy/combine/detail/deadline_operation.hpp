#pragma once

#include <eddy/core/clock.hpp>
#include <eddy/core/detail/outcome_awaiter.hpp>
#include <eddy/core/detail/resume_loop.hpp>
#include <eddy/core/detail/suspension.hpp>
#include <eddy/core/interruptible.hpp>
#include <eddy/runtime/detail/timer_wheel.hpp>
#include <eddy/runtime/worker.hpp>

#include <concepts>
#include <system_error>
#include <type_traits>
#include <utility>

namespace eddy {

/// The result type of with_deadline() and with_timeout() for an operation.
template <interruptible Operation>
class [[nodiscard]] deadline_operation : public detail::outcome_awaiter<deadline_operation<Operation>> {
public:
    using result_type = decltype(std::declval<Operation&>().outcome());

    deadline_operation(Operation&& operation, time_point deadline) noexcept
        : operation_(std::move(operation)), timer_(*this), deadline_(deadline) {}
    /// Of an operation that `begin` returns, constructed in place.
    template <std::invocable Begin>
    deadline_operation(Begin begin, time_point deadline)
        : operation_(begin()), timer_(*this), deadline_(deadline) {}
    deadline_operation(deadline_operation&& other) noexcept
        : operation_(std::move(other.operation_)), timer_(*this), deadline_(other.deadline_) {}
    deadline_operation& operator=(deadline_operation&&) = delete;
    ~deadline_operation() = default;

    bool await_ready() { return operation_.await_ready(); }
    decltype(auto) await_suspend(detail::suspension point) {
        detail::worker_core& here = detail::worker_core::current();
        waiter_ = &here.loop().suspend(point);
        here.timers().arm(timer_, deadline_);
        return operation_.await_suspend(point);
    }
    result_type outcome() {
        timer_.disarm();
        if (!is_late_) [[likely]]
            return operation_.outcome();
        auto result = operation_.outcome();
        // What was won in the race with the deadline counts.
        if (!result.has_value() && result.error() == std::errc::operation_canceled)
            return std::unexpected(std::make_error_code(std::errc::timed_out));
        return result;
    }
    [[nodiscard]] const char* what() const noexcept {
        return is_late_ ? "deadline" : "operation with a deadline";
    }
    /// It is interruptible itself.
    [[nodiscard]] bool is_pending() const noexcept { return operation_.is_pending(); }
    void interrupt() noexcept { operation_.interrupt(); }

private:
    struct deadline_timer : detail::timer {
        explicit deadline_timer(deadline_operation& timed) noexcept : timer(&fired), owner(timed) {}
        static void fired(detail::timer& late) noexcept {
            static_cast<deadline_timer&>(late).owner.end_late();
        }
        void disarm() noexcept { unlink(); }
        deadline_operation& owner;
    };

    void end_late() noexcept {
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

}  // namespace eddy
