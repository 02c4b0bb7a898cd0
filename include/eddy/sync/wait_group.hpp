#pragma once

#include <eddy/sync/detail/countdown.hpp>
#include <eddy/sync/detail/gate_awaiter.hpp>

#include <cstddef>

namespace eddy {

/// Counts work that is under way, and lets tasks wait until there is none: add() before each piece, done()
/// after it, `co_await g.wait()`. Reusable, unlike a latch.
///
/// - Order: the done() that ends the last piece resumes all waiters, in the order in which they came.
/// - Where a waiter resumes: in its own worker's loop, never the call to done(). It resumes even if there is
///   work again by then.
/// - Cancellation: a dropped wait leaves the queue. A piece of work that is dropped must have its done()
///   called by a destructor.
/// - Thread safety: any thread may call everything, also one that is no worker. A wait that must include a
///   piece of work begins after its add(). What happened before done() is visible after wait().
/// - Destruction: once no other thread will use it again; also by the last waiter right after its
///   wait, while the last done() is still returning.
/// - Cost: no allocation; one atomic operation for add() and done() except the one that ends the last piece,
///   two loads to wait at zero. No worker is ever blocked.
class wait_group {
public:
    /// Begins with a number of pieces. Requires: count >= 0.
    explicit wait_group(std::ptrdiff_t count = 0) noexcept : count_(count) {}
    wait_group(const wait_group&) = delete;
    wait_group& operator=(const wait_group&) = delete;

    /// Requires: count >= 0.
    void add(std::ptrdiff_t count = 1) noexcept { count_.raise(count); }
    /// Requires: there is a piece of work that has not been done.
    void done() noexcept { count_.lower(1); }

    /// How many pieces are under way, at some moment during the call.
    [[nodiscard]] std::ptrdiff_t count() const noexcept { return count_.count(); }

    /// Awaited: waits until there is no work.
    [[nodiscard]] detail::gate_awaiter<detail::countdown> wait() noexcept {
        return detail::gate_awaiter<detail::countdown>(count_);
    }
    /// The same for a thread that is no worker: it is blocked meanwhile.
    void wait_blocking() noexcept { detail::wait_blocking(count_); }

private:
    detail::countdown count_;
};

}  // namespace eddy
