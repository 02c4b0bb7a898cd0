#pragma once

#include <eddy/core/suspension.hpp>
#include <eddy/sync/barrier_phases.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

struct no_completion {
    void operator()() const noexcept {}
};

}  // namespace detail

/// Where a number of tasks wait for each other, again and again: each n-th `co_await b.arrive_and_wait()`
/// ends a phase, on which all n go on. In between, `on_completion()` is called.
///
/// - Order: the waiters of a phase go on in the order in which they came; the last one to arrive goes on
///   without having waited. Who comes after them is in the next phase.
/// - Where a waiter goes on: its own worker's loop resumes it, never the last arrival.
/// - The completion is called by the last to arrive, before anybody goes on: it sees what happened before
///   every arrival, and all see what it does. It must not throw, and must not use the barrier.
/// - Cancellation: an arrival is never taken back. A wait that is dropped leaves the queue, its phase has
///   counted it all the same, and the next one expects as many as before: somebody else is to arrive in
///   its place, or, once the phase is over, to say arrive_and_drop() for it.
/// - Thread safety: everything may be called by any thread.
/// - Destruction: by who knows that nobody else will arrive any more and that all waits but its own are over;
///   if nobody else has waited, also right after its wait.
/// - Cost: no allocation; an arrival takes a short lock, the last one of a phase two. No thread is ever
///   blocked.
template <class Completion = detail::no_completion>
class barrier {
    static_assert(std::is_nothrow_invocable_v<Completion&>,
                  "a barrier's completion is called by whoever arrives last, and must be noexcept");
    static_assert(std::is_nothrow_move_constructible_v<Completion>,
                  "a barrier's completion is moved into it and must not throw then");

public:
    /// Requires: expected >= 0.
    explicit barrier(std::ptrdiff_t expected, Completion on_completion = Completion()) noexcept
        : phases_(expected), on_completion_(std::move(on_completion)) {}
    barrier(const barrier&) = delete;
    barrier& operator=(const barrier&) = delete;

    class [[nodiscard]] arrive_awaiter {
    public:
        explicit arrive_awaiter(barrier& awaited) noexcept : barrier_(awaited) {}
        /// Requires: it has not been awaited yet.
        arrive_awaiter(arrive_awaiter&& other) noexcept : barrier_(other.barrier_) {}
        arrive_awaiter& operator=(arrive_awaiter&&) = delete;
        ~arrive_awaiter() { static_cast<void>(place_.withdraw(barrier_.phases_.lock())); }

        bool await_ready() const noexcept { return false; }
        bool await_suspend(detail::suspension point) noexcept {
            place_.suspend_in_line(point);
            return !barrier_.complete(barrier_.phases_.arrive(place_));
        }
        void await_resume() noexcept { place_.finish(barrier_.phases_.lock()); }

    private:
        barrier& barrier_;
        detail::barrier_phases::place place_;
    };
    /// Awaited: arrives and waits for the end of the phase. Requires: somebody is expected.
    [[nodiscard]] arrive_awaiter arrive_and_wait() noexcept { return arrive_awaiter(*this); }

    /// Arrives, does not wait, and lets the phases after this one expect one less. Requires: somebody is
    /// expected.
    void arrive_and_drop() noexcept { static_cast<void>(complete(phases_.arrive_and_drop())); }

private:
    /// Whether it was the caller's duty.
    bool complete(detail::barrier_phases::duty own) noexcept {
        if (own == detail::barrier_phases::duty::wait)
            return false;
        do
            on_completion_();
        while (phases_.complete());
        return true;
    }

    detail::barrier_phases phases_;
    [[no_unique_address]] Completion on_completion_;
};

}  // namespace eddy
