#pragma once

#include <eddy/sync/detail/countdown.hpp>
#include <eddy/sync/detail/gate_awaiter.hpp>

#include <cstddef>

namespace eddy {

/// A count that goes down to zero once and then resumes all tasks that wait for that: for example for the end
/// of a number of pieces of work.
///
/// - Order: the last count_down() resumes all waiters, in the order in which they came.
/// - Where a waiter resumes: in its own worker's loop, never the call to count_down().
/// - Cancellation: a dropped wait leaves the queue. What has been counted down stays counted, that of a
///   dropped arrive_and_wait() too, once it was awaited.
/// - Thread safety: any thread may call everything, also one that is no worker. What happened before a
///   count_down() is visible after wait().
/// - Destruction: once no other thread will use it again; also by the last waiter right after its
///   wait, while the last count_down() is still returning.
/// - Cost: no allocation; one atomic operation to count down except the last time, two loads to wait at zero.
///   No worker is ever blocked.
class latch {
public:
    /// Requires: expected >= 0.
    explicit latch(std::ptrdiff_t expected) noexcept : count_(expected) {}
    latch(const latch&) = delete;
    latch& operator=(const latch&) = delete;

    /// Requires: 0 <= count <= what is left.
    void count_down(std::ptrdiff_t count = 1) noexcept {
        if (count != 0)
            count_.lower(count);
    }

    /// Whether the count is zero. If it is, the latch may be destroyed as after a wait.
    [[nodiscard]] bool try_wait() const noexcept {
        if (!count_.is_open())
            return false;
        count_.lock().settle();
        return true;
    }

    /// Awaited: waits for zero.
    [[nodiscard]] detail::gate_awaiter<detail::countdown> wait() noexcept {
        return detail::gate_awaiter<detail::countdown>(count_);
    }
    /// The same for a thread that is no worker: it is blocked meanwhile.
    void wait_blocking() noexcept { detail::wait_blocking(count_); }

    class arrive_awaiter : public detail::gate_awaiter<detail::countdown> {
    public:
        arrive_awaiter(latch& awaited, std::ptrdiff_t count) noexcept
            : gate_awaiter(awaited.count_), latch_(awaited), count_(count) {}
        bool await_ready() const noexcept {
            latch_.count_down(count_);
            return gate_awaiter::await_ready();
        }

    private:
        latch& latch_;
        std::ptrdiff_t count_;
    };
    /// Awaited: counts down and waits for zero. Requires: as count_down().
    [[nodiscard]] arrive_awaiter arrive_and_wait(std::ptrdiff_t count = 1) noexcept {
        return arrive_awaiter(*this, count);
    }

private:
    detail::countdown count_;
};

}  // namespace eddy
