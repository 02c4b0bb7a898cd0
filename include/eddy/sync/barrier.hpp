#pragma once

#include <eddy/core/detail/suspension.hpp>
#include <eddy/sync/detail/barrier_phases.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace eddy {

namespace detail {

struct no_completion {
    void operator()() const noexcept {}
};

}  // namespace detail

/// A point where a number of tasks wait for each other, in one phase after the other: each n-th `co_await
/// b.arrive_and_wait()` ends a phase, and all n are resumed. In between, `on_completion()` is called.
///
/// - Order: the waiters of a phase are resumed in the order in which they came; the last one to arrive
///   continues without having waited. Later arrivals are in the next phase.
/// - Where a waiter resumes: in its own worker's loop, never the last arrival.
/// - The completion is called by the last to arrive, before any task is resumed: it sees what happened before
///   every arrival, and all see what it does. It must not throw, and must not use the barrier.
/// - Cancellation: an arrival is never withdrawn. A wait that is dropped leaves the queue, its phase has
///   counted it all the same, and the next one expects as many as before: another task must arrive in its
///   place, or, once the phase is over, call arrive_and_drop() for it.
/// - Thread safety: any thread may call everything.
/// - Destruction: once no other thread will arrive again and all other waits have ended; if there was no
///   other wait, also right after its own.
/// - Cost: no allocation; an arrival takes a short lock, the last one of a phase two. No thread is ever
///   blocked.
template <class Completion = detail::no_completion>
class barrier {
    static_assert(std::is_nothrow_invocable_v<Completion&>,
                  "a barrier's completion is called by the last to arrive, and must be noexcept");
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
            const bool must_wait = !barrier_.complete(barrier_.phases_.arrive(place_));
            return must_wait || (!detail::resume_loop::consume_budget() && place_.gives_way());
        }
        void await_resume() noexcept { place_.finish(barrier_.phases_.lock()); }

    private:
        barrier& barrier_;
        detail::barrier_phases::place place_;
    };
    /// Awaited: arrives and waits for the end of the phase. Requires: arrivals are expected.
    [[nodiscard]] arrive_awaiter arrive_and_wait() noexcept { return arrive_awaiter(*this); }

    /// Arrives, does not wait, and lets the phases after this one expect one less. Requires: arrivals are
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
